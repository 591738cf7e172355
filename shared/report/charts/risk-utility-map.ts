import type { ComparedRun, Comparison, RunFigure } from '../../contracts/results/comparison.ts';
import { shortened } from '../page/label.ts';
import { formatFigure } from '../words/format-number.ts';
import { measureInWords } from '../words/measures-in-words.ts';
import { CHART_COLOURS, type Chart, layer, listed, numbers } from './chart.ts';

/** From quartile to quartile of the datasets, or else a standard error to both sides; a line where neither is known. */
function sideOf({ value, se, spread }: RunFigure): [from: number, to: number] {
  if (spread) return [spread.lowerQuartile, spread.upperQuartile];
  return [value! - (se ?? 0), value! + (se ?? 0)];
}

/**
 * Risk against utility, after Hornby and Hu (2021), Figures 8 to 10: a box in both directions for each run, with its name,
 * and a point for each dataset where both measures are of datasets. Runs that another one dominates are pale.
 */
export function riskUtilityMap({ runs, dominated }: Comparison, map: NonNullable<Comparison['map']>): Chart {
  const figures = (run: ComparedRun) => ({ risk: run.risk[map.risk]!, utility: run.utility[map.utility]! });
  const isDominated = (name: string) => dominated.some(({ run }) => run === name);
  const boxes = runs.map((run) => {
    const { risk, utility } = figures(run);
    const [bottom, top] = sideOf(risk);
    const [left, right] = sideOf(utility);
    const at = { risk: risk.value!, utility: utility.value!, left, right, bottom, top };
    return { name: shortened(run.name, 24), dominated: isDominated(run.name), ...at };
  });
  const points = runs.flatMap((run) => {
    const { risk, utility } = figures(run);
    if (risk.datasets === null || utility.datasets === null) return [];
    return risk.datasets.map((one, l) => ({ risk: one, utility: utility.datasets![l]!, dominated: isDominated(run.name) }));
  });
  const tone = { condition: { test: 'datum.dominated', value: CHART_COLOURS.quiet }, value: CHART_COLOURS.mark } as const;
  const x = numbers(measureInWords(map.utility), { scale: { zero: false }, axis: { tickCount: 5 } });
  const y = numbers(measureInWords(map.risk), { scale: { zero: false } });
  const at = { x: x('utility'), y: y('risk') };
  const utilities = boxes.map(({ utility }) => utility);
  const middle = (Math.min(...utilities) + Math.max(...utilities)) / 2;
  const isRight = ({ utility }: { readonly utility: number }) => utility > middle;
  /** Names of runs, towards the middle of the map: at its edges they would be cut off. */
  const names = (of: (box: (typeof boxes)[number]) => boolean, align: 'left' | 'right', dx: number) =>
    layer(
      boxes.filter(of),
      { type: 'text', align, dx, dy: -9, fontSize: 12, fontWeight: 600 },
      { ...at, text: { field: 'name' }, color: { value: 'var(--ink)' } },
    );
  return {
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
    spec: {
      layer: [
        layer(points, { type: 'point', filled: true, size: 14, opacity: 0.55 }, { ...at, color: tone }),
        layer(
          boxes,
          { type: 'rect', fillOpacity: 0.15, strokeWidth: 1.5 },
          { x: x('left'), x2: { field: 'right' }, y: y('bottom'), y2: { field: 'top' }, fill: tone, stroke: tone },
        ),
        layer(boxes, { type: 'point', filled: true, shape: 'diamond', size: 40, opacity: 1 }, { ...at, color: tone }),
        names(isRight, 'right', -9),
        names((box) => !isRight(box), 'left', 9),
      ],
    },
  };
}
