import { element, svgElement } from './elements.ts';
import { type DensityOfRows, SHAPE_LEVELS } from './record-data.ts';
import { table } from './record-tables.ts';
import { at, numberAt, type Records } from './records.ts';
import { shown, shownEstimate, shownFigure } from './words.ts';

/** Size of a picture, in units that a phone shrinks little. */
const WIDTH = 340;
const PLOT = { top: 18, bottom: 118 } as const;
/** What a mass beside the range takes, and where the two intervals and the axis are. */
const SLOT = 32;
const INTERVALS = { before: 130, after: 140 } as const;
const AXIS = 150;
const HEIGHT = 168;
/** The axis names a cell's beginning at each of these shares of the range. */
const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

const WHEN = ['before', 'after'] as const;
const STROKE = { before: 'var(--mark-quiet)', after: 'var(--mark)' } as const;

/** Where values and masses are drawn from left to right. */
class Places {
  readonly #bounds: readonly number[];
  readonly #below: readonly number[];
  readonly #above: readonly number[];

  constructor({ bounds, masses }: DensityOfRows) {
    const values = masses.map(({ value }) => value).toSorted((a, b) => a - b);
    this.#bounds = bounds;
    this.#below = values.filter((value) => value < bounds[0]!);
    this.#above = values.filter((value) => value > bounds.at(-1)!);
  }

  /** Where a cell begins, or the last one ends. */
  cell(c: number): number {
    const [left, right] = [SLOT * this.#below.length + 6, WIDTH - 6 - SLOT * this.#above.length];
    return left + ((right - left) * c) / (this.#bounds.length - 1);
  }

  /** A value, within its cell as it is between the cell's ends; a mass beside the range in its slot. */
  of(value: number): number {
    const last = this.#bounds.length - 1;
    if (value < this.#bounds[0]!) return this.cell(0) - SLOT * (this.#below.length - Math.max(0, this.#below.indexOf(value)) - 0.5);
    if (value > this.#bounds[last]!) return this.cell(last) + SLOT * (Math.max(0, this.#above.indexOf(value)) + 0.5);
    const c = Math.min(last - 1, Math.max(0, this.#bounds.findIndex((bound) => bound > value) - 1));
    const above = value === this.#bounds[last] ? last - 1 : c;
    const [from, to] = [this.#bounds[above]!, this.#bounds[above + 1]!];
    return this.cell(above) + (this.cell(above + 1) - this.cell(above)) * ((value - from) / (to - from));
  }
}

const heightOf = (share: number) => PLOT.bottom - share * (PLOT.bottom - PLOT.top);

/** The outline of cells, each as high as its share of the largest. */
function outline(shape: string, places: Places): string {
  return Array.from(shape, (level, c) => {
    const y = heightOf(SHAPE_LEVELS.indexOf(level) / (SHAPE_LEVELS.length - 1)).toFixed(1);
    return `${c === 0 ? 'M' : 'L'}${places.cell(c).toFixed(1)},${y}H${places.cell(c + 1).toFixed(1)}`;
  }).join('');
}

/** Numbers on the axis, short. */
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const axisText = (value: number) => short.format(value).replace('-', '\u2212');

function picture(own: DensityOfRows, row: number, words: string): SVGElement {
  const places = new Places(own);
  const figure = (name: string) => numberAt(own.columns, name, row)!;
  const svg = svgElement('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
  const [title, description] = [svgElement('title', {}), svgElement('desc', {})];
  title.textContent = `${own.variable} before the release and after it`;
  description.textContent = words;
  const line = (attributes: Readonly<Record<string, string | number>>) => svgElement('line', { 'stroke-width': 2, ...attributes });
  const text = (x: number, y: number, words: string, anchor = 'middle') => {
    const made = svgElement('text', { x, y, 'text-anchor': anchor, 'font-size': 11, fill: 'var(--muted)' });
    made.textContent = words;
    return made;
  };
  const [left, right] = [places.cell(0), places.cell(own.bounds.length - 1)];
  const area = `${outline(own.before[row]!, places)}V${PLOT.bottom}H${left}Z`;
  svg.append(
    title,
    description,
    svgElement('path', { d: area, fill: STROKE.before, 'fill-opacity': 0.35 }),
    svgElement('path', { d: outline(own.before[row]!, places), fill: 'none', stroke: STROKE.before, 'stroke-width': 1 }),
    svgElement('path', { d: outline(own.after[row]!, places), fill: 'none', stroke: STROKE.after, 'stroke-width': 2 }),
    line({ x1: left, x2: right, y1: PLOT.bottom, y2: PLOT.bottom, stroke: 'var(--muted)', 'stroke-width': 1 }),
  );
  for (const { value, ...probabilities } of own.masses) {
    for (const [w, when] of WHEN.entries()) {
      const height = PLOT.bottom - heightOf(at(probabilities[when], row)!);
      const x = places.of(value) - 7 + 7 * w;
      svg.append(svgElement('rect', { x, y: PLOT.bottom - height, width: 7, height, fill: STROKE[when] }));
    }
    if (value < own.bounds[0]! || value > own.bounds.at(-1)!) svg.append(text(places.of(value), AXIS + 14, axisText(value)));
  }
  for (const when of WHEN) {
    const [low, middle, high] = ['interval_low', 'median', 'interval_high'].map((name) => places.of(figure(`${name}_${when}`))) as [
      number,
      number,
      number,
    ];
    const y = INTERVALS[when];
    svg.append(line({ x1: low, x2: high, y1: y, y2: y, stroke: STROKE[when] }));
    svg.append(line({ x1: middle, x2: middle, y1: y - 4, y2: y + 4, stroke: STROKE[when] }));
  }
  const truth = places.of(figure('value'));
  svg.append(
    line({ x1: truth, x2: truth, y1: PLOT.top - 4, y2: AXIS, stroke: 'var(--ink)', 'stroke-dasharray': '4 2', 'stroke-width': 1.5 }),
    svgElement('path', { fill: 'var(--ink)', d: `M${truth - 5},${PLOT.top - 13}h10l-5,9z` }),
  );
  for (const share of TICKS) {
    const c = Math.round(share * (own.bounds.length - 1));
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
    svg.append(
      line({ x1: places.cell(c), x2: places.cell(c), y1: AXIS - 2, y2: AXIS + 2, stroke: 'var(--muted)', 'stroke-width': 1 }),
      text(places.cell(c), AXIS + 14, axisText(own.bounds[c]!), anchor),
    );
  }
  return svg;
}

/** What is known of each continuous variable of a row: a picture of what an intruder believes, with the figures. */
export function densityFigures(records: Records, row: number): HTMLElement[] {
  return records.data.densities.flatMap((own, j) => {
    const figure = (name: string) => numberAt(own.columns, name, row);
    const value = figure('value');
    if (value === null) return [];
    const within = (when: 'before' | 'after') =>
      when === 'before' ? shownFigure(figure('within_before')) : shownEstimate(figure('within_after'), figure('within_se'));
    const interval = (when: string) => `${shown(figure(`interval_low_${when}`))} to ${shown(figure(`interval_high_${when}`))}`;
    const rows: readonly (readonly [name: string, before: string, after: string])[] = [
      [`Probability ${own.near}`, within('before'), within('after')],
      ...own.masses.map(
        (mass) => [`Probability of ${shown(mass.value)}`, shownFigure(at(mass.before, row)), shownFigure(at(mass.after, row))] as const,
      ),
      ['Median', shown(figure('median_before')), shown(figure('median_after'))],
      ['90\u00a0% interval', interval('before'), interval('after')],
      ['Gain at the truth, bits', '', shownFigure(figure('gain_bits'))],
      ['Gain claimed, bits', '', shownFigure(figure('claimed_bits'))],
    ];
    const words = `The true value is ${shown(value)}. The probability ${own.near} of it is ${within('before')} before the release and ${within('after')} after it.`;
    const body = rows.map(([name, before, after]) =>
      element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, before), element('td', {}, after)),
    );
    return [
      element(
        'figure',
        {},
        element('figcaption', {}, element('strong', {}, `${own.variable} = `, element('bdi', {}, shown(value)))),
        element('div', { class: 'chart' }, picture(own, row, words)),
        element(
          'ul',
          { class: 'legend' },
          element('li', {}, element('span', { class: 'swatch swatch-quiet' }), 'before the release'),
          element('li', {}, element('span', { class: 'swatch swatch-mark' }), 'after it'),
        ),
        table(`record-density-${j}`, `${own.variable}, before the release and after it`, ['Figure', 'Before', 'After'], body),
        element(
          'p',
          { class: 'note' },
          `The dashed line is the true value. The curve is the probability of each cell, ${shownFigure(figure('largest'))} at its highest${own.masses.length > 0 ? '; bars are masses, and the full height is 1' : ''}. Lines below are 90\u00a0% intervals with their medians.`,
        ),
      ),
    ];
  });
}
