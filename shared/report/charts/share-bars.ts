import type { UtilityMarginal } from '../../contracts/results/utility.ts';
import { type Html, html } from '../page/html.ts';
import { shortened } from '../page/label.ts';
import { formatPercent, formatPercentEstimate } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, listed } from './chart.ts';

/** In pixels: the picture, where its bars begin and end, and what a category and a bar take. */
const [WIDTH, LEFT, RIGHT, ROW, BAR] = [400, 155, 345, 34, 12];

/** Characters of a category beside its bars. */
const LABEL = 20;

const labelOf = (name: string) => {
  const characters = [...name];
  return characters.length <= LABEL ? name : `${characters.slice(0, LABEL - 1).join('')}…`;
};

interface Bars {
  readonly name: string;
  readonly original: number;
  readonly synthetic: number;
  readonly syntheticSe: number | null;
}

/** Shares of each category of a variable, in the table and in the datasets: two bars each, without the weight of a drawn chart. */
export function shareBars({ variable, categories, others }: UtilityMarginal): { readonly svg: Html; readonly table: Chart['table'] } {
  const bars: Bars[] = categories.map(({ category, ...shares }) => ({ name: category, ...shares }));
  if (others !== undefined) bars.push({ name: `${others.categories} others`, ...others });
  const most = Math.max(...bars.flatMap(({ original, synthetic }) => [original, synthetic]));
  const widthOf = (value: number) => (most === 0 ? '0' : (((RIGHT - LEFT) * value) / most).toFixed(1));
  const bar = (value: number, y: number, colour: string) =>
    html`<path d="M${String(LEFT)},${String(y)}h${widthOf(value)}v${String(BAR)}H${String(LEFT)}Z" fill="${colour}"/>`;
  const text = (words: string, [x, y]: readonly [number, number], size: number) =>
    html`<text x="${String(x)}" y="${String(y)}" text-anchor="end" font-size="${String(size)}" fill="var(--ink)">${words}</text>`;
  const category = ({ name, original, synthetic }: Bars, place: number) => {
    const [first, second] = [place * ROW + 3, place * ROW + 4 + BAR];
    const bars = html`${bar(original, first, CHART_COLOURS.quiet)}${bar(synthetic, second, CHART_COLOURS.mark)}`;
    const numbers = html`${text(formatPercent(original), [WIDTH, first + 10], 11)}${text(formatPercent(synthetic), [WIDTH, second + 10], 11)}`;
    return html`${text(labelOf(name), [LEFT - 8, second + 3], 12)}${bars}${numbers}`;
  };
  const [height, named] = [String(bars.length * ROW), `Shares of the categories of ${shortened(variable)}.`];
  const said = bars.map(
    ({ name, original, synthetic }) =>
      `${shortened(name)}: ${formatPercent(original)} in the table, ${formatPercent(synthetic)} in the datasets`,
  );
  const box = html`width="${String(WIDTH)}" height="${height}" viewBox="0 0 ${String(WIDTH)} ${height}"`;
  const svg = html`<svg role="img" aria-label="${listed(named, said)}" ${box} font-family="system-ui, sans-serif">${bars.map(category)}</svg>`;
  return {
    svg,
    table: {
      heads: ['Category', 'In the table', 'In the datasets'],
      rows: bars.map(({ name, original, synthetic, syntheticSe }) => [
        name,
        formatPercent(original),
        syntheticSe === null || syntheticSe === 0 ? formatPercent(synthetic) : formatPercentEstimate(synthetic, syntheticSe),
      ]),
    },
  };
}
