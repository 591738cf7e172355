import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import { formatCount, formatFigure, formatSetting } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

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
