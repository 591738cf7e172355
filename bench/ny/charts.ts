import type { TopLevelSpec } from 'vega-lite';
import type { ReleasePosition } from '../../shared/contracts/results/bounds.ts';
import { boundsBars } from '../../shared/report/charts/bounds-histogram.ts';
import { formatCount } from '../../shared/report/words/format-number.ts';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import type { StudyRuns } from './runs.ts';
import { SYNTHESIZERS } from './setting.ts';

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

const SYNTHESIZER_NAMES = Object.values(SYNTHESIZERS).map(({ name }) => name);
const BOUND_NAMES = { minimum: 'Min', maximum: 'Max' } as const;

/** Dashes of the lines of the synthesizers, so that colour is not all that tells them apart. */
const DASHES = [
  [6, 3],
  [2, 2],
];

const heading = (text: string) => ({ text, anchor: 'start' as const, fontSize: 12, fontWeight: 600 as const });

/** The figures of the study in docs/studies/many-categories.md, by file name. */
export async function studyCharts(runs: StudyRuns): Promise<Record<string, string>> {
  return {
    'matching-bounds.svg': await boundsChart(runs),
    'matching-held-out.svg': await heldOutChart(runs),
    'matching-patterns.svg': await patternsChart(runs),
  };
}

/** Hu & Savitsky (2018), Figure 4: resamples of both bounds, and the smallest, mean and largest of each release as lines. */
function boundsChart(runs: StudyRuns): Promise<string> {
  const found = runs.map(({ inherent }) => inherent);
  const { resamples } = runs[0]!;
  const measured = (scenario: string, column: string) =>
    Object.fromEntries(
      (['minimum', 'maximum'] as const).map((bound) => [
        bound,
        resamples.filter((row) => row.bound === bound && row.scenario === scenario).map((row) => Number(row[column])),
      ]),
    ) as Record<'minimum' | 'maximum', number[]>;
  const scenarios = found[0]!.identificationRisk.map(({ scenario }) => scenario);
  const panels = [
    boundsPanel(
      'Exact attribute disclosures',
      measured(scenarios[0]!, 'exact_disclosures'),
      found.map(({ attributeDisclosures }) => attributeDisclosures.all.release!),
    ),
    ...scenarios.map((scenario, s) =>
      boundsPanel(
        `Expected match risk, known: ${scenario}`,
        measured(scenario, 'expected_match_risk'),
        found.map(({ identificationRisk }) => identificationRisk[s]!.expectedMatchRisk.release!),
      ),
    ),
  ];
  return chartSvg('Histograms of both bounds with the releases of the DPMPM and of DP-areal as lines between them', {
    vconcat: [{ hconcat: panels.slice(0, 2) }, { hconcat: panels.slice(2) }],
    resolve: { scale: { color: 'shared' } },
  });
}

function boundsPanel(
  title: string,
  { minimum, maximum }: Readonly<Record<'minimum' | 'maximum', readonly number[]>>,
  releases: readonly ReleasePosition[],
): Panel {
  const span = {
    mean: releases[0]!.mean,
    smallest: Math.min(...releases.map(({ smallest }) => smallest!)),
    largest: Math.max(...releases.map(({ largest }) => largest!)),
  };
  const bars = boundsBars({ title, minimum, maximum, release: span });
  const lines = releases.flatMap(({ smallest, mean, largest }, s) =>
    [smallest, mean, largest].map((at, place) => ({ at, of: SYNTHESIZER_NAMES[s]!, dash: DASHES[s]!, width: place === 1 ? 2.5 : 1.2 })),
  );
  const x = { type: 'quantitative', title: null, scale: { zero: false, nice: true }, axis: { tickCount: 6, grid: false } } as const;
  const names = [BOUND_NAMES.minimum, ...SYNTHESIZER_NAMES, BOUND_NAMES.maximum];
  const color = {
    type: 'nominal',
    scale: { domain: names, range: ['#b8b8b8', COLOURS[1]!, COLOURS[0]!, COLOURS[2]!] },
    legend: { title: null, orient: 'bottom' },
  } as const;
  return {
    title: heading(title),
    width: 330,
    height: 150,
    layer: [
      {
        data: { values: bars.map((bar) => ({ ...bar, of: BOUND_NAMES[bar.bound] })) },
        mark: { type: 'rect', stroke: 'white', strokeWidth: 0.5 },
        encoding: {
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          y: { field: 'resamples', type: 'quantitative', title: 'Resamples', axis: { tickCount: 4 } },
          y2: { datum: 0 },
          color: { ...color, field: 'of' },
        },
      },
      {
        data: { values: lines },
        mark: 'rule',
        encoding: {
          x: { ...x, field: 'at' },
          color: { ...color, field: 'of' },
          strokeDash: { field: 'dash', type: 'nominal', scale: null },
          strokeWidth: { field: 'width', type: 'quantitative', scale: null },
        },
      },
    ],
  };
}

/** A line for the table and one for each synthesizer: values by their place. */
function linesPanel(
  title: string,
  axes: { readonly x: object; readonly y: object },
  values: readonly { readonly of: string; readonly x: number; readonly y: number }[],
  interpolate: 'step' | 'linear',
): Panel {
  const sources = ['table', ...SYNTHESIZER_NAMES];
  const dashes = [[1, 0], ...DASHES];
  return {
    title: heading(title),
    width: 330,
    height: 150,
    data: { values: values.map((value) => ({ ...value, dash: dashes[sources.indexOf(value.of)] })) },
    mark: { type: 'line', interpolate, strokeWidth: 1.8 },
    encoding: {
      x: { field: 'x', type: 'quantitative', ...axes.x },
      y: { field: 'y', type: 'quantitative', ...axes.y },
      color: {
        field: 'of',
        type: 'nominal',
        scale: { domain: sources, range: ['#8a8a8a', COLOURS[1]!, COLOURS[0]!] },
        legend: { title: null, orient: 'bottom', symbolType: 'stroke' },
      },
      strokeDash: { field: 'dash', type: 'nominal', scale: null },
    },
  };
}

/** Hu & Savitsky (2018), Figure 2: what regressions on each source say of its own held-out records, by their quantiles. */
function heldOutChart(runs: StudyRuns): Promise<string> {
  const heldOut = runs.map(({ utility }) => utility.regressions[0]!.heldOut);
  const sources = [
    { of: 'table', quantiles: heldOut[0]!.original!.quantiles },
    ...heldOut.map(({ datasets }, s) => ({ of: SYNTHESIZER_NAMES[s]!, quantiles: datasets[0]!.quantiles })),
  ];
  const values = sources.flatMap(({ of, quantiles }) => quantiles.map((x, place) => ({ of, x, y: place / (quantiles.length - 1) })));
  const axes = {
    x: { title: 'Expected number of the age group', scale: { zero: false } },
    y: { title: 'Share of held-out records', axis: { format: '~%', tickCount: 4 } },
  };
  return chartSvg('Distribution of the expected age group of held-out records, in the table and in a dataset of each synthesizer', {
    hconcat: [linesPanel('Expected age group', axes, values, 'linear')],
  });
}

/** Hu & Savitsky (2018), Figure 3: shares of the commonest values within patterns of several sizes, as the command shows them. */
function patternsChart(runs: StudyRuns): Promise<string> {
  const shown = runs.map(({ utility }) => utility.patterns!.variables[0]!.shown);
  const panels = shown[0]!.map(({ records, values }, pattern) => {
    const points = values.flatMap(({ original }, place) => [
      { of: 'table', x: place + 1, y: original },
      ...shown.map((of, s) => ({ of: SYNTHESIZER_NAMES[s]!, x: place + 1, y: of[pattern]!.values[place]!.synthetic })),
    ]);
    const axes = {
      x: { title: 'Values, by their frequency in the table', scale: { domain: [1, values.length] }, axis: { grid: false } },
      y: { title: 'Share of the records', axis: { format: '~%', tickCount: 4 } },
    };
    return linesPanel(`A pattern of ${formatCount(records)} records`, axes, points, 'step');
  });
  return chartSvg('Shares of the values within four patterns, in the table and in the datasets of each synthesizer', {
    vconcat: [{ hconcat: panels.slice(0, 2) }, { hconcat: panels.slice(2) }],
    resolve: { scale: { color: 'shared' } },
  });
}
