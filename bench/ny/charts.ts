import type { TopLevelSpec } from 'vega-lite';
import type { ReleasePosition } from '../../shared/contracts/results/bounds.ts';
import { boundsBars } from '../../shared/report/charts/bounds-histogram.ts';
import { formatCount } from '../../shared/report/words/format-number.ts';
import { BOUNDS, type DisclosureMeasures } from '../../shared/risk/bounds/measure-disclosure.ts';
import { countedRows } from '../../shared/table/counted-rows.ts';
import { countPatterns, type Patterns } from '../../shared/utility/pattern-distributions.ts';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import type { Findings } from './findings.ts';
import { SYNTHESIZERS } from './sample-releases.ts';

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

const SYNTHESIZER_NAMES = Object.values(SYNTHESIZERS).map(({ name }) => name);
const BOUND_NAMES = { minimum: 'Min', maximum: 'Max' } as const;

/** Dashes of the lines of the synthesizers, so that colour is not all that tells them apart. */
const DASHES = [
  [6, 3],
  [2, 2],
];

/** Shares of the table from the largest pattern on, at which the patterns of the figure stand. */
const PATTERN_RANKS = [0, 1 / 8, 1 / 3, 2 / 3];

/** Values shown of each pattern, the most frequent ones. */
const VALUES = 30;

const heading = (text: string) => ({
  text,
  anchor: 'start' as const,
  fontSize: 12,
  fontWeight: 600 as const,
});

/** The figures of the study in docs/matching.md, by file name. */
export async function studyCharts(findings: Findings, patterns: Patterns): Promise<Record<string, string>> {
  return {
    'matching-bounds.svg': await boundsChart(findings),
    'matching-patterns.svg': await patternsChart(findings, patterns),
  };
}

/** 001, Figure 4: resamples of both bounds, and the smallest, mean and largest of each release as lines. */
function boundsChart({ measures, synthesizers }: Findings): Promise<string> {
  const found = synthesizers.map(({ inherent }) => inherent);
  const panels = [
    boundsPanel(
      'Exact attribute disclosures',
      measures,
      ({ disclosures }) => disclosures.count,
      found.map(({ attributeDisclosures }) => attributeDisclosures.all.release!),
    ),
    ...found[0]!.identificationRisk.map(({ known }, scenario) =>
      boundsPanel(
        `Expected match risk, known: ${known.join(', ')}`,
        measures,
        ({ matchFigures }) => matchFigures[scenario]!.expectedMatchRisk,
        found.map(({ identificationRisk }) => identificationRisk[scenario]!.expectedMatchRisk.release!),
      ),
    ),
  ];
  return chartSvg(
    'Histograms of both bounds with the releases of the DPMPM and of DP-areal as lines between them',
    {
      vconcat: [{ hconcat: panels.slice(0, 2) }, { hconcat: panels.slice(2) }],
      resolve: { scale: { color: 'shared' } },
    },
  );
}

function boundsPanel(
  title: string,
  measures: Findings['measures'],
  measure: (of: DisclosureMeasures) => number,
  releases: readonly ReleasePosition[],
): Panel {
  const [minimum, maximum] = BOUNDS.map((bound) => measures[bound].map(measure));
  const span = {
    mean: releases[0]!.mean,
    smallest: Math.min(...releases.map(({ smallest }) => smallest!)),
    largest: Math.max(...releases.map(({ largest }) => largest!)),
  };
  const bars = boundsBars({ title, minimum: minimum!, maximum: maximum!, release: span });
  const lines = releases.flatMap(({ smallest, mean, largest }, s) =>
    [smallest, mean, largest].map((at, place) => ({
      at,
      of: SYNTHESIZER_NAMES[s]!,
      dash: DASHES[s]!,
      width: place === 1 ? 2.5 : 1.2,
    })),
  );
  const x = {
    type: 'quantitative',
    title: null,
    scale: { zero: false, nice: true },
    axis: { tickCount: 6, grid: false },
  } as const;
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

/** 001, Figure 3: shares of the values within patterns of several sizes, in the table and in the first dataset. */
function patternsChart({ synthesizers }: Findings, patterns: Patterns): Promise<string> {
  const { records, counts, categories } = patterns;
  const order = [...records.keys()].sort((a, b) => records[b]! - records[a]! || a - b);
  const drawn = synthesizers.map(({ datasets }) => countPatterns(patterns, countedRows(datasets[0]!)).counts);
  const sources = [
    { of: 'table', dash: [1, 0], counts },
    ...drawn.map((of, s) => ({ of: SYNTHESIZER_NAMES[s]!, dash: DASHES[s]!, counts: of })),
  ];
  const panels = PATTERN_RANKS.map((rank): Panel => {
    const pattern = order[Math.floor(rank * order.length)]!;
    const at = (of: Float64Array, value: number) => of[pattern * categories + value]!;
    const values = Array.from({ length: categories }, (_, value) => value).sort(
      (a, b) => at(counts, b) - at(counts, a) || a - b,
    );
    const points = sources.flatMap((source) =>
      values.slice(0, VALUES).map((value, place) => ({
        place: place + 1,
        share: at(source.counts, value) / records[pattern]!,
        of: source.of,
        dash: source.dash,
      })),
    );
    return {
      title: heading(`A pattern of ${formatCount(records[pattern]!)} records`),
      width: 330,
      height: 150,
      data: { values: points },
      mark: { type: 'line', interpolate: 'step', strokeWidth: 1.8 },
      encoding: {
        x: {
          field: 'place',
          type: 'quantitative',
          title: 'Values, by their frequency in the table',
          scale: { domain: [1, VALUES] },
          axis: { grid: false },
        },
        y: {
          field: 'share',
          type: 'quantitative',
          title: 'Share of the records',
          axis: { format: '~%', tickCount: 4 },
        },
        color: {
          field: 'of',
          type: 'nominal',
          scale: { domain: sources.map(({ of }) => of), range: ['#8a8a8a', COLOURS[1]!, COLOURS[0]!] },
          legend: { title: null, orient: 'bottom', symbolType: 'stroke' },
        },
        strokeDash: { field: 'dash', type: 'nominal', scale: null },
      },
    };
  });
  return chartSvg(
    'Shares of the values within four patterns, in the table and in a dataset of each synthesizer',
    {
      vconcat: [{ hconcat: panels.slice(0, 2) }, { hconcat: panels.slice(2) }],
      resolve: { scale: { color: 'shared' } },
    },
  );
}
