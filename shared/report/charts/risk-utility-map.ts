import type { ComparedRun, Comparison, RunFigure } from '../../contracts/results/comparison.ts';
import { formatFigure } from '../words/format-number.ts';
import { measureInWords } from '../words/measures-in-words.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** Height in pixels. */
export const MAP_HEIGHT = 360;

/** From quartile to quartile of the datasets, or else a standard error to both sides; a line where neither is known. */
function sideOf({ value, se, spread }: RunFigure): [from: number, to: number] {
  if (spread) return [spread.lowerQuartile, spread.upperQuartile];
  return [value! - (se ?? 0), value! + (se ?? 0)];
}

/**
 * Risk against utility, after Figures 8 to 10 of 004: a box in both directions for each run, with its number in the order of
 * the runs, and a point for each dataset where both measures are of datasets. Runs that another one dominates are pale.
 */
export function riskUtilityMap({ runs, dominated }: Comparison, map: NonNullable<Comparison['map']>): Chart {
  const figures = (run: ComparedRun) => ({ risk: run.risk[map.risk]!, utility: run.utility[map.utility]! });
  const isDominated = (name: string) => dominated.some(({ run }) => run === name);
  const boxes = runs.map((run, index) => {
    const { risk, utility } = figures(run);
    const [bottom, top] = sideOf(risk);
    const [left, right] = sideOf(utility);
    return {
      number: String(index + 1),
      dominated: isDominated(run.name),
      left,
      right,
      bottom,
      top,
      risk: risk.value!,
      utility: utility.value!,
    };
  });
  const points = runs.flatMap((run) => {
    const { risk, utility } = figures(run);
    if (risk.datasets === null || utility.datasets === null) return [];
    return risk.datasets.map((one, l) => ({ risk: one, utility: utility.datasets![l]!, dominated: isDominated(run.name) }));
  });
  const tone = { condition: { test: 'datum.dominated', value: CHART_COLOURS.quiet }, value: CHART_COLOURS.mark } as const;
  const x = (field: string) =>
    ({ field, type: 'quantitative', title: measureInWords(map.utility), scale: { zero: false }, axis: { tickCount: 5 } }) as const;
  const y = (field: string) => ({ field, type: 'quantitative', title: measureInWords(map.risk), scale: { zero: false } }) as const;
  return {
    table: {
      heads: ['Run', 'Risk', 'Utility'],
      rows: boxes.map((box, index) => [`${box.number} ${runs[index]!.name}`, formatFigure(box.risk), formatFigure(box.utility)]),
    },
    label:
      `Risk against utility of ${runs.length} runs. ` +
      boxes
        .map(
          (box, index) =>
            `${runs[index]!.name}: risk ${formatFigure(box.risk)}, utility ${formatFigure(box.utility)}${box.dominated ? ', dominated' : ''}`,
        )
        .join('; ') +
      '.',
    spec: {
      layer: [
        {
          data: { values: points },
          mark: { type: 'point', filled: true, size: 14, opacity: 0.55 },
          encoding: { x: x('utility'), y: y('risk'), color: tone },
        },
        {
          data: { values: boxes },
          mark: { type: 'rect', fillOpacity: 0.15, strokeWidth: 1.5 },
          encoding: { x: x('left'), x2: { field: 'right' }, y: y('bottom'), y2: { field: 'top' }, fill: tone, stroke: tone },
        },
        {
          data: { values: boxes },
          mark: { type: 'point', filled: true, shape: 'diamond', size: 40, opacity: 1 },
          encoding: { x: x('utility'), y: y('risk'), color: tone },
        },
        {
          data: { values: boxes },
          mark: { type: 'text', dx: 9, dy: -9, fontSize: 13, fontWeight: 600 },
          encoding: { x: x('utility'), y: y('risk'), text: { field: 'number' }, color: { value: 'var(--ink)' } },
        },
      ],
    },
  };
}
