import type { TopLevelSpec } from 'vega-lite';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { studiedEstimate } from './cost-study.ts';

/** The last line is dashed, since it lies on the one before where both are the same. */
const DASHES = [
  [1, 0],
  [1, 0],
  [6, 3],
];

/** Combinations from a thousand to ten million, three to each factor of ten. */
const COMBINATIONS = Array.from({ length: 13 }, (_, i) => Math.round(10 ** (3 + i / 3)));

/** Where the lines of the grid are, in minutes or dollars. */
const DECADES = Array.from({ length: 8 }, (_, i) => 10 ** (i - 3));

const TITLE = 'Minutes and dollars of the chains and of the map over the number of combinations';

/** Batches at once in a run that keeps S3 from being the bottleneck. */
const FEWER = 200;

interface Point {
  readonly combinations: number;
  readonly value: number;
  readonly line: string;
}

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

/** One of the two charts: lines over the number of combinations, both axes logarithmic. */
function panel(title: string, unit: string, format: string, lines: string[], points: Point[]): Panel {
  return {
    title: { text: title, anchor: 'start', fontSize: 13, fontWeight: 600 },
    width: 320,
    height: 260,
    data: { values: points },
    mark: { type: 'line', point: { size: 18 }, strokeWidth: 2 },
    encoding: {
      x: {
        field: 'combinations',
        type: 'quantitative',
        scale: { type: 'log' },
        title: 'Combinations',
        axis: { values: [1e3, 1e4, 1e5, 1e6, 1e7], format: '~s', grid: false },
      },
      y: { field: 'value', type: 'quantitative', scale: { type: 'log' }, title: unit, axis: { format, values: DECADES } },
      strokeDash: { field: 'line', type: 'nominal', scale: { domain: lines, range: DASHES }, legend: null },
      color: {
        field: 'line',
        type: 'nominal',
        scale: { domain: lines, range: COLOURS },
        legend: { title: null, orient: 'bottom', direction: 'vertical', symbolType: 'stroke', labelLimit: 0 },
      },
    },
  };
}

/** The figure of docs/explanation/cost.md: minutes and dollars over the number of combinations, as SVG. Always the same bytes. */
export async function costChart(): Promise<string> {
  const all = COMBINATIONS.map((combinations) => ({ combinations, estimate: studiedEstimate(combinations) }));
  const fewer = COMBINATIONS.map((combinations) => ({ combinations, estimate: studiedEstimate(combinations, { concurrency: FEWER }) }));
  const line = (name: string, from: typeof all, value: (estimate: (typeof all)[0]['estimate']) => number) =>
    from.map(({ combinations, estimate }): Point => ({ combinations, value: value(estimate), line: name }));
  const lines = ['chains, 4 vCPU', 'map, 400 batches at once', `map, ${FEWER} at once`];
  const cost = (step: string) => (estimate: (typeof all)[0]['estimate']) =>
    estimate.items.reduce((sum, item) => sum + (item.step === step ? item.dollars : 0), 0);
  return chartSvg(TITLE, {
    hconcat: [
      panel('How long the steps take', 'Minutes', '~g', lines, [
        ...line(lines[0]!, all, ({ minutes }) => minutes.fit),
        ...line(lines[1]!, all, ({ minutes }) => minutes.assess),
        ...line(lines[2]!, fewer, ({ minutes }) => minutes.assess),
      ]),
      panel('What they cost', 'Dollars', '$~g', lines, [
        ...line(lines[0]!, all, cost('fit')),
        ...line(lines[1]!, all, cost('assess')),
        ...line(lines[2]!, fewer, cost('assess')),
      ]),
    ],
    resolve: { scale: { color: 'independent' } },
  });
}
