import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { IN_WORDS, NUMBERS, type Panel, RADII, title } from './chart-parts.ts';
import { READINGS, type Reading, SCENARIOS } from './scenarios.ts';
import { meanOf } from './spread.ts';
import type { StudyResults } from './study-results.ts';

/** Mean risk of a thousand records where the radii of expenditure and income are swept apart, as SVG. */
export function jointChart({ measures }: StudyResults): Promise<string> {
  const panel = (reading: Reading, scenario: number): Panel => {
    const { jointly } = measures[reading].scenarios[scenario]!.risks;
    const values = jointly.map((risks, point) => ({
      expenditure: RADII[Math.floor(point / RADII.length)]!,
      income: RADII[point % RADII.length]!,
      risk: 1000 * meanOf(risks),
    }));
    const middle = Math.max(...values.map(({ risk }) => risk)) / 2;
    return {
      title: title(`${NUMBERS[scenario]} ${IN_WORDS[reading]}`),
      width: 250,
      height: 190,
      data: { values },
      encoding: {
        x: { field: 'income', type: 'ordinal', sort: RADII, title: 'Radius of income (%)', axis: { labelAngle: 0 } },
        y: { field: 'expenditure', type: 'ordinal', sort: RADII.toReversed(), title: 'Radius of expenditure (%)' },
      },
      layer: [
        {
          mark: 'rect',
          encoding: {
            color: { field: 'risk', type: 'quantitative', scale: { range: ['#eef3f7', COLOURS[0]!], zero: true }, legend: null },
          },
        },
        {
          mark: { type: 'text', fontSize: 11 },
          encoding: {
            text: { field: 'risk', type: 'quantitative', format: '.2f' },
            color: { condition: { test: `datum.risk > ${middle}`, value: 'white' }, value: '#222222' },
          },
        },
      ],
    };
  };
  const scenarios = SCENARIOS.flatMap((names, scenario) => (names.includes('Expenditure') ? [scenario] : []));
  return chartSvg('Mean identification risk of a thousand records by the radii of expenditure and income', {
    vconcat: READINGS.map((reading) => ({
      hconcat: scenarios.map((scenario) => panel(reading, scenario)),
      resolve: { scale: { color: 'independent' } },
    })),
    resolve: { scale: { color: 'independent' } },
  });
}
