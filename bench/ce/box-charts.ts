import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { IN_WORDS, NUMBERS, type Panel, RADII, RISK, title } from './chart-parts.ts';
import { READINGS, SCENARIOS } from './scenarios.ts';
import { largestRisk, type StudyResults } from './study-results.ts';

/** Box plots from the smallest to the largest value. */
function boxes(heading: string, size: number, axis: string, order: string[], values: readonly object[]): Panel {
  return {
    title: title(heading),
    width: size,
    height: 150,
    data: { values: [...values] },
    mark: { type: 'boxplot', extent: 'min-max', size: 14, color: COLOURS[0]!, median: { color: 'white' } },
    encoding: {
      x: { field: 'x', type: 'ordinal', sort: order, title: axis, axis: { labelAngle: 0 } },
      y: { field: 'risk', type: 'quantitative', title: RISK, axis: { tickCount: 5 } },
    },
  };
}

/** File-level risk by radius (Hornby & Hu 2021, Figure 6), as SVG. */
export function radiusChart({ measures }: StudyResults): Promise<string> {
  return chartSvg('Box plots of identification risk by radius, for four scenarios and two readings', {
    vconcat: READINGS.map((reading) => ({
      hconcat: SCENARIOS.map((_, scenario) => {
        const { fixed } = measures[reading].scenarios[scenario]!.risks;
        const values = fixed.flatMap((risks, point) => risks.map((risk) => ({ x: RADII[point]!, risk })));
        return boxes(`${NUMBERS[scenario]} ${IN_WORDS[reading]}`, 190, 'Radius (%)', RADII, values);
      }),
    })),
  });
}

/** File-level risk at the radius of most risk (Hornby & Hu 2021, Figure 7), as SVG. */
export function scenarioChart(results: StudyResults): Promise<string> {
  return chartSvg('Box plots of identification risk by scenario, at the radius of most risk', {
    hconcat: READINGS.map((reading) => {
      const values = NUMBERS.flatMap((x, scenario) => largestRisk(results, reading, scenario, 'fixed').risks.map((risk) => ({ x, risk })));
      return boxes(IN_WORDS[reading], 300, 'Scenario', NUMBERS, values);
    }),
  });
}
