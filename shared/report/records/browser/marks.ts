import { element, svgElement } from './elements.ts';
import type { ChartScale, MarkedChart } from './record-data.ts';
import type { Records } from './records.ts';
import { capital, shown } from './words.ts';

/** Weights of the truth beforehand at which a curve is drawn. */
const WEIGHTS = Array.from({ length: 101 }, (_, i) => Math.min(0.999, Math.max(0.001, i / 100)));

/** Where a number is drawn, at the ends of the scale if it is beyond them. */
export function position({ type, domain, range }: ChartScale, value: number): number {
  const of = type === 'log' ? Math.log : (x: number) => x;
  const [low, high] = domain.map(Number) as [number, number];
  const share = (of(Math.min(Math.max(value, low), high)) - of(low)) / (of(high) - of(low));
  return range[0]! + share * (range[1]! - range[0]!);
}

/** Where the group of a count is drawn, its name beginning with the counts: `1`, `3–5` or `101+`. */
export function groupPosition({ domain, range }: ChartScale, count: number): number | null {
  const group = domain.findIndex((name) => {
    const [, low, high, open] = /^(\d+)(?:–(\d+)|(\+))?/.exec(String(name)) ?? [];
    if (low === undefined) return false;
    const last = open ? Number.POSITIVE_INFINITY : Number(high ?? low);
    return count >= Number(low) && count <= last;
  });
  return group < 0 ? null : range[group]!;
}

/** A mark, and where it is in words. */
interface Mark {
  readonly shapes: readonly SVGElement[];
  readonly words: string;
}

const LINE = { stroke: 'var(--ink)', 'stroke-width': 2, fill: 'none' } as const;

function verticalMark(chart: MarkedChart, value: number, words: string): Mark {
  const x = position(chart.x, value);
  const [bottom, top] = [Math.max(...chart.y.range), Math.min(...chart.y.range)];
  return {
    shapes: [
      svgElement('line', { ...LINE, x1: x, x2: x, y1: bottom, y2: top, 'stroke-dasharray': '4 2' }),
      svgElement('path', { fill: 'var(--ink)', d: `M${x - 6},${top - 4}h12l-6,9z` }),
    ],
    words,
  };
}

/** The curve of a Bayes factor, written so that the largest does not overflow. */
function curveMark(chart: MarkedChart, factor: number, words: string): Mark {
  const points = WEIGHTS.map((weight) => {
    const relative = 1 / ((1 - weight) / factor + weight);
    const value = chart.kind === 'R' ? weight * relative : relative;
    return `${position(chart.x, weight).toFixed(1)},${position(chart.y, value).toFixed(1)}`;
  });
  return { shapes: [svgElement('polyline', { ...LINE, points: points.join(' '), 'stroke-dasharray': '6 3' })], words };
}

/** What a chart marks of a row; null where the row has no such figure. */
function markOf(chart: MarkedChart, records: Records, row: number): Mark | null {
  const figure = (name: string) => records.figure(name, row);
  if (chart.kind === 'ratio') {
    const ratio = figure('ratio_to_uniform');
    return ratio === null ? null : verticalMark(chart, Math.log2(ratio), `${shown(ratio)} times uniform`);
  }
  if (chart.kind === 'rank') {
    const rank = figure('rank');
    return rank === null ? null : verticalMark(chart, rank, `rank ${shown(rank)}`);
  }
  if (chart.kind === 'information') {
    const bits = figure('information_bits');
    const x = groupPosition(chart.x, figure('shared') ?? figure('count') ?? 1);
    if (bits === null || x === null) return null;
    const y = position(chart.y, bits);
    const circle = svgElement('circle', { ...LINE, cx: x, cy: y, r: 6, 'stroke-width': 2.5 });
    return { shapes: [circle], words: `${shown(bits)} bits` };
  }
  const factor = figure('bayes_factor');
  return factor === null || factor <= 0
    ? null
    : curveMark(chart, factor, `Bayes factor ${shown(factor)}, the dashed curve; the other is that of the largest of all`);
}

/** The charts of a page with a row marked in each. */
export function markedFigures(records: Records, row: number): HTMLElement[] {
  const { noun, charts } = records.data;
  return charts.flatMap((chart) => {
    const mark = markOf(chart, records, row);
    const template = document.getElementById(chart.template) as HTMLTemplateElement | null;
    const drawn = template?.content.firstElementChild?.cloneNode(true) as SVGElement | undefined;
    const plot = drawn?.querySelector('g');
    if (mark === null || !drawn || !plot) return [];
    plot.append(...mark.shapes);
    drawn.setAttribute('aria-label', `${chart.title}: this ${noun} at ${mark.words}.`);
    return [
      element(
        'figure',
        {},
        element('figcaption', {}, element('strong', {}, chart.title)),
        element('div', { class: 'chart' }, drawn),
        element('p', { class: 'note' }, `${capital(`this ${noun}`)}: ${mark.words}.`),
      ),
    ];
  });
}
