import { namesInWords } from '../../contracts/in-command.ts';
import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import { shortened } from '../page/label.ts';
import { formatCount, formatFigure, formatQuantity, formatSetting } from '../words/format-number.ts';
import { radiusInWords, type Sweep } from '../words/identification-in-words.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** With fewer datasets than this each is a dot: a box would pretend to a distribution. */
const FEWEST_IN_A_BOX = 5;

/** Expected match risks of some datasets under one label, and whether it stands out. */
interface Group {
  label: string;
  risks: readonly number[];
  marked: boolean;
}

/** Groups side by side: a box from quartile to quartile with lines to the least and the most, or a dot a dataset. */
function groupsChart(groups: readonly Group[], title: string, label: string): Chart {
  const datasets = groups[0]!.risks.length;
  const values = groups.flatMap(({ label: group, risks, marked }) => risks.map((risk) => ({ group, risk, marked })));
  return {
    table: {
      heads: [title, ...groups[0]!.risks.map((_, dataset) => `Dataset ${dataset + 1}`)],
      rows: groups.map(({ label: group, risks }) => [group, ...risks.map((risk) => formatFigure(risk))]),
    },
    label,
    spec: {
      data: { values },
      mark:
        datasets < FEWEST_IN_A_BOX
          ? { type: 'point', filled: true, size: 55, opacity: 1 }
          : { type: 'boxplot', extent: 'min-max', size: 18, median: { color: 'var(--surface)' } },
      encoding: {
        x: {
          field: 'group',
          type: 'nominal',
          title,
          sort: groups.map(({ label: group }) => group),
          axis: { labelAngle: groups.length > 8 ? -45 : 0, labelLimit: 120 },
        },
        y: { field: 'risk', type: 'quantitative', title: 'Expected match risk', scale: { zero: true } },
        color: {
          field: 'marked',
          type: 'nominal',
          scale: { domain: [true, false], range: [CHART_COLOURS.mark, CHART_COLOURS.quiet] },
          legend: null,
        },
      },
    },
  };
}

/** Expected match risk of the datasets at each radius of a sweep, after Figure 6 of Hornby & Hu (2021). */
export function sweepChart({ scenario }: AppliedIdentificationRisk, sweep: Sweep): Chart {
  const [variable] = sweep.variables;
  const groups = sweep.points.map(({ radii, expectedMatchRisk }, point) => ({
    label: radiusInWords(radii[variable!]!),
    risks: expectedMatchRisk,
    marked: point === sweep.maximum,
  }));
  const most = sweep.points[sweep.maximum]!;
  return groupsChart(
    groups,
    `Radius of ${shortened(namesInWords(sweep.variables))}`,
    `Expected match risk of ${formatQuantity(groups[0]!.risks.length, 'dataset')} at ${formatQuantity(groups.length, 'radius', 'radii')}, scenario ${shortened(scenario)}. ` +
      `The mean is largest, ${formatFigure(most.expectedMatchRiskMean)}, at ${groups[sweep.maximum]!.label}.`,
  );
}

/** Expected match risk of the datasets in each scenario, each at its own radii, after Figure 7 of Hornby & Hu (2021). */
export function scenariosChart(risks: readonly AppliedIdentificationRisk[]): Chart {
  const groups = risks.map(({ scenario, datasets }) => ({
    label: shortened(scenario),
    risks: datasets.map(({ expectedMatchRisk }) => expectedMatchRisk),
    marked: true,
  }));
  const means = risks.map(({ scenario, mean }) => `${shortened(scenario)} ${formatFigure(mean.expectedMatchRisk)}`);
  return groupsChart(
    groups,
    'Scenario',
    `Expected match risk of ${formatQuantity(risks[0]!.datasets.length, 'dataset')} in ${formatQuantity(risks.length, 'scenario')}. Means: ${means.join(', ')}.`,
  );
}

/** Records without any risk: no dataset has their own row among the matches. */
export function recordsWithoutRisk({ recordRisks }: AppliedIdentificationRisk): number {
  return recordRisks.reduce((sum, { above, records }) => sum + (above === null ? records : 0), 0);
}

/** Histogram of the risk of records, means over datasets; those without any risk are left out. */
export function recordRiskChart(risk: AppliedIdentificationRisk): Chart {
  const bars = risk.recordRisks.flatMap(({ above, upTo, records }) =>
    above === null ? [] : [{ range: `${formatSetting(above)} to ${formatSetting(upTo)}`, records }],
  );
  const last = bars.at(-1)!;
  return {
    table: { heads: ['Risk of a record, T/c', 'Records'], rows: bars.map(({ range, records }) => [range, formatCount(records)]) },
    label:
      `Histogram of the mean risk T/c of ${formatCount(risk.records)} records. ${formatFigure(recordsWithoutRisk(risk))} have no risk; ` +
      `${formatFigure(last.records)} have a risk above one half.`,
    spec: {
      data: { values: bars },
      mark: { type: 'bar', color: CHART_COLOURS.mark },
      encoding: {
        x: {
          field: 'range',
          type: 'nominal',
          sort: bars.map(({ range }) => range),
          title: 'Risk of a record, T/c',
          axis: { labelAngle: -45 },
        },
        y: { field: 'records', type: 'quantitative', title: 'Records' },
      },
    },
  };
}
