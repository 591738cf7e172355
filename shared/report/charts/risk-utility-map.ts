import type { ComparedRun, Comparison, RunFigure } from '../../contracts/results/comparison.ts';
import { formatFigure } from '../words/format-number.ts';
import { measureInWords } from '../words/measures-in-words.ts';
import { CHART_COLOURS, type Chart, type DrawnScale, drawChart, layer, listed, numbers, rule } from './chart.ts';
import { NAME_SIZE, placeNames } from './place-names.ts';

/** From quartile to quartile of the datasets, or else a standard error to both sides; a line where neither is known. */
function sideOf({ value, se, spread }: RunFigure): [from: number, to: number] {
  if (spread) return [spread.lowerQuartile, spread.upperQuartile];
  return [value! - (se ?? 0), value! + (se ?? 0)];
}

/** Characters of a name on the map, of which half are those of its end. */
const NAME_CHARACTERS = 24;

/** A name that is short enough for the map, with both of its ends: runs of a sweep often differ at the last. */
function shortName(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARACTERS) return name;
  const end = NAME_CHARACTERS / 2;
  return `${characters.slice(0, end - 1).join('')}…${characters.slice(-end).join('')}`;
}

/** Characters of a line of the title beside the map: where it is longer than the plot is high, it makes that smaller. */
const TITLE_CHARACTERS = 40;

/** A title in as many lines as it takes. */
function inLines(title: string): string[] {
  const lines = [''];
  for (const word of title.split(' ')) {
    const longer = `${lines.at(-1)!} ${word}`.trimStart();
    if (longer.length > TITLE_CHARACTERS && lines.at(-1) !== '') lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A run on the map. */
interface MappedRun {
  readonly name: string;
  readonly dominated: boolean;
  readonly risk: number;
  readonly utility: number;
}

/** Where a value is; in the middle where the scale has one value alone. */
const atScale = ({ domain: [from, to], range: [start, end] }: DrawnScale, value: number) =>
  start! + (from === to ? 0.5 : (value - Number(from)) / (Number(to) - Number(from))) * (end! - start!);

const sizeOf = ({ range: [start, end] }: DrawnScale) => Math.abs(end! - start!);

/** The names of runs on a map that has been drawn without them, and lines to those that are far from their points. */
function namesOf(runs: readonly MappedRun[], scales: { readonly x: DrawnScale; readonly y: DrawnScale }) {
  // Runs to choose from first: names of the others give way.
  const inOrder = [...runs.filter(({ dominated }) => !dominated), ...runs.filter(({ dominated }) => dominated)];
  const points = inOrder.map(({ name, risk, utility }) => ({ name, x: atScale(scales.x, utility), y: atScale(scales.y, risk) }));
  const placed = placeNames(points, { width: sizeOf(scales.x), height: sizeOf(scales.y) });
  const layers = placed.flatMap((place, index) => {
    if (place === null) return [];
    const { name, x, y } = points[index]!;
    const text = layer(
      [{ name }],
      { type: 'text', align: place.align, fontSize: NAME_SIZE, fontWeight: 600 },
      { x: { value: place.x }, y: { value: place.y }, text: { field: 'name' }, color: { value: 'var(--ink)' } },
    );
    if (!place.isFar) return [text];
    const lead = layer([{}], rule('var(--muted)', 0.75), {
      ...{ x: { value: x }, y: { value: y } },
      ...{ x2: { value: place.x }, y2: { value: place.y - NAME_SIZE / 3 } },
    });
    return [lead, text];
  });
  return { layers, unnamed: placed.filter((place) => place === null).length };
}

/**
 * Risk against utility, after Hornby and Hu (2021), Figures 8 to 10: a box in both directions for each run, with its name,
 * and a point for each dataset where both measures are of datasets. Runs that another one dominates are pale.
 *
 * @returns the chart, and how many names there is no room for
 */
export async function riskUtilityMap(
  { runs, dominated }: Comparison,
  map: NonNullable<Comparison['map']>,
): Promise<{ readonly chart: Chart; readonly unnamed: number }> {
  const figures = (run: ComparedRun) => ({ risk: run.risk[map.risk]!, utility: run.utility[map.utility]! });
  const isDominated = (name: string) => dominated.some(({ run }) => run === name);
  const boxes = runs.map((run) => {
    const { risk, utility } = figures(run);
    const [bottom, top] = sideOf(risk);
    const [left, right] = sideOf(utility);
    const at = { risk: risk.value!, utility: utility.value!, left, right, bottom, top };
    return { name: shortName(run.name), dominated: isDominated(run.name), ...at };
  });
  const points = runs.flatMap((run) => {
    const { risk, utility } = figures(run);
    if (risk.datasets === null || utility.datasets === null) return [];
    return risk.datasets.map((one, l) => ({ risk: one, utility: utility.datasets![l]!, dominated: isDominated(run.name) }));
  });
  const tone = { condition: { test: 'datum.dominated', value: CHART_COLOURS.quiet }, value: CHART_COLOURS.mark } as const;
  const x = numbers(measureInWords(map.utility), { scale: { zero: false }, axis: { tickCount: 5 } });
  const y = numbers(inLines(measureInWords(map.risk)), { scale: { zero: false } });
  const at = { x: x('utility'), y: y('risk') };
  const marks = [
    layer(points, { type: 'point', filled: true, size: 14, opacity: 0.55 }, { ...at, color: tone }),
    layer(
      boxes,
      { type: 'rect', fillOpacity: 0.15, strokeWidth: 1.5 },
      { x: x('left'), x2: { field: 'right' }, y: y('bottom'), y2: { field: 'top' }, fill: tone, stroke: tone },
    ),
    layer(boxes, { type: 'point', filled: true, shape: 'diamond', size: 40, opacity: 1 }, { ...at, color: tone }),
  ];
  const chart: Chart = {
    height: 360,
    table: {
      heads: ['Run', 'Risk', 'Utility'],
      rows: boxes.map((box, index) => [runs[index]!.name, formatFigure(box.risk), formatFigure(box.utility)]),
    },
    label: listed(
      `Risk against utility of ${runs.length} runs.`,
      boxes.map(
        (box, index) =>
          `${runs[index]!.name}: risk ${formatFigure(box.risk)}, utility ${formatFigure(box.utility)}${box.dominated ? ', dominated' : ''}`,
      ),
    ),
    spec: { layer: marks },
  };
  const drawn = await drawChart(chart);
  const { layers, unnamed } = namesOf(boxes, { x: drawn.x!, y: drawn.y! });
  return { chart: { ...chart, spec: { layer: [...marks, ...layers] } }, unnamed };
}
