import type { TopLevelSpec } from 'vega-lite';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { type CensusResults, type JointDistribution, type NamedEvaluations, namedEvaluations } from './census-results.ts';

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

/** Panels of the histograms: evaluations on the user's table, each estimator once, then the simulated one. */
const PANELS = [0, 1, 3, 4];

/** Probabilities of the histogram go up to so many times that of guessing; what is above stands in the last bar. */
const MOST_RATIO = 4;
const RATIO_WIDTH = 0.1;

const heading = (text: string) => ({ text, anchor: 'start' as const, fontSize: 12, fontWeight: 600 as const });

/** The figures of docs/studies/census.md, by file name. */
export async function studyCharts(results: CensusResults): Promise<Record<string, string>> {
  const [first, second] = results.pairs;
  return {
    'census-first-pair.svg': await jointChart(first!),
    'census-second-pair.svg': await jointChart(second!),
    'census-ranks.svg': await ranksChart(results),
    'census-probabilities.svg': await probabilitiesChart(results),
  };
}

/** Hu et al. (2014), Figures 1 and 2: joint probabilities of two variables in the table and in the datasets. */
function jointChart({ names, categories, table, synthetic }: JointDistribution): Promise<string> {
  const [rows, columns] = categories;
  const values = rows.flatMap((row, r) =>
    columns.flatMap((column, c) => {
      const cell = `${row}, ${column}`;
      const at = r * columns.length + c;
      return [
        { cell, of: 'table', share: table[at]! },
        { cell, of: 'datasets', share: synthetic[at]! },
      ];
    }),
  );
  const order = rows.flatMap((row) => columns.map((column) => `${row}, ${column}`));
  return chartSvg(`Joint shares of ${names.join(' and ')} in the table and on average over five datasets`, {
    width: 640,
    height: 170,
    data: { values },
    mark: 'bar',
    encoding: {
      x: { field: 'cell', type: 'nominal', sort: order, title: names.join(', '), axis: { labelAngle: -90 } },
      xOffset: { field: 'of', type: 'nominal', sort: ['table', 'datasets'] },
      y: { field: 'share', type: 'quantitative', title: 'Share of the records', axis: { format: '~%', tickCount: 4 } },
      color: {
        field: 'of',
        type: 'nominal',
        scale: { domain: ['table', 'datasets'], range: ['#8a8a8a', COLOURS[0]!] },
        legend: { title: null, orient: 'top' },
      },
    },
  });
}

const named = (results: CensusResults) => {
  const all = namedEvaluations(results);
  return PANELS.map((place) => ({ ...all[place]!, name: all[place]!.name.replaceAll('`', '') }));
};

/** Hu et al. (2014), Figure 3: ranks of the truths in the first evaluation by each estimator. */
function ranksChart(results: CensusResults): Promise<string> {
  return panels(
    'Histograms of the rank of the truth, one element a combination, by estimator and table',
    named(results).map(({ name, candidates, evaluations }) =>
      histogram(name, {
        bars: bars(evaluations[0]!.rank, 0.5, 1, candidates),
        axis: `Rank of the truth among ${candidates}`,
        guessing: null,
      }),
    ),
  );
}

/** Hu et al. (2014), Figure 4: probabilities of the truths, as multiples of the uniform one, since candidates differ in number. */
function probabilitiesChart(results: CensusResults): Promise<string> {
  const ratios = ({ candidates, evaluations }: NamedEvaluations) =>
    evaluations[0]!.probability.map((value) => Math.min(value * candidates, MOST_RATIO - RATIO_WIDTH / 2));
  return panels(
    'Histograms of the probability of the truth over that of guessing, by estimator and table',
    named(results).map((one) =>
      histogram(one.name, {
        bars: bars(ratios(one), 0, RATIO_WIDTH, MOST_RATIO / RATIO_WIDTH),
        axis: `Probability of the truth over the uniform one (${MOST_RATIO}: or more)`,
        guessing: 1,
      }),
    ),
  );
}

function panels(title: string, all: readonly Panel[]): Promise<string> {
  return chartSvg(title, { vconcat: [{ hconcat: all.slice(0, 2) }, { hconcat: all.slice(2) }] });
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly combinations: number;
}

/** Counts of values in bins of equal width. */
function bars(values: Float64Array, start: number, width: number, count: number): Bar[] {
  const combinations = new Array<number>(Math.round(count)).fill(0);
  for (const value of values) combinations[Math.floor((value - start) / width)]!++;
  return combinations.map((found, b) => ({ from: start + b * width, to: start + (b + 1) * width, combinations: found }));
}

function histogram(name: string, { bars: values, axis, guessing }: { bars: readonly Bar[]; axis: string; guessing: number | null }): Panel {
  const x = { type: 'quantitative', title: axis, axis: { grid: false, tickCount: 8 } } as const;
  return {
    title: heading(name),
    width: 330,
    height: 140,
    layer: [
      {
        data: { values: [...values] },
        mark: { type: 'rect', color: COLOURS[0]!, stroke: 'white', strokeWidth: 0.5 },
        encoding: {
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          y: { field: 'combinations', type: 'quantitative', title: 'Combinations', axis: { tickCount: 4 } },
          y2: { datum: 0 },
        },
      },
      ...(guessing === null
        ? []
        : [
            {
              mark: { type: 'rule' as const, color: COLOURS[1]!, strokeWidth: 1.5, strokeDash: [4, 3] },
              encoding: { x: { ...x, datum: guessing } },
            },
          ]),
    ],
  };
}
