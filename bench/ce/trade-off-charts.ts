import { COLOURS, chartSvg } from '../pages/chart-svg.ts';
import { IN_WORDS, type Layer, NUMBERS, type Panel, RISK, title } from './chart-parts.ts';
import { READINGS, type Reading } from './scenarios.ts';
import { type Spread, spreadOf } from './spread.ts';
import { largestRisk, NUMBERS_OF_DATASETS, repeatedMeans, type StudyResults } from './study-results.ts';

/** Rectangles from quartile to quartile, one for each of some sets of points. */
function rectangles(title: string, sets: readonly { name: string; risk: Spread; utility: Spread }[]): Layer {
  const legend = { title, orient: 'right' as const };
  const scale = colours(sets.map(({ name }) => name));
  const values = sets.map(({ name, risk, utility }) => ({
    name,
    left: utility.lower,
    right: utility.upper,
    bottom: risk.lower,
    top: risk.upper,
  }));
  return {
    data: { values },
    mark: { type: 'rect', fillOpacity: 0.15, strokeWidth: 1.5 },
    encoding: {
      x: { field: 'left', type: 'quantitative' },
      x2: { field: 'right' },
      y: { field: 'bottom', type: 'quantitative' },
      y2: { field: 'top' },
      fill: { field: 'name', type: 'nominal', scale, legend },
      stroke: { field: 'name', type: 'nominal', scale, legend },
    },
  };
}

const utilityAxis = { title: 'U_p', axis: { format: '.1e', tickCount: 4 }, scale: { zero: false } };
const riskAxis = { title: RISK, axis: { tickCount: 5 }, scale: { zero: false } };

/** Colours of some names, shared by points and rectangles. */
const colours = (names: readonly string[]) => ({ domain: [...names], range: COLOURS });

/** Risk against utility, dataset by dataset (Hornby & Hu 2021, Figures 8 and 9), as SVG. */
export function tradeOffChart(results: StudyResults): Promise<string> {
  const panel = (reading: Reading, scenarios: readonly number[]): Panel => {
    const sets = scenarios.map((scenario) => ({
      name: NUMBERS[scenario]!,
      risks: largestRisk(results, reading, scenario, 'fixed').risks,
      utilities: results.measures[reading].scenarios[scenario]!.utility.main,
    }));
    const names = sets.map(({ name }) => name);
    const points = sets.flatMap(({ name, risks, utilities }) =>
      risks.map((risk, dataset) => ({ name, risk, utility: utilities[dataset]! })),
    );
    return {
      title: title(`${names.join(', ')}: ${IN_WORDS[reading]}`),
      width: 300,
      height: 210,
      layer: [
        rectangles(
          'Scenario',
          sets.map(({ name, risks, utilities }) => ({ name, risk: spreadOf(risks), utility: spreadOf(utilities) })),
        ),
        {
          data: { values: points },
          mark: { type: 'point', filled: true, size: 22, opacity: 0.8 },
          encoding: {
            x: { field: 'utility', type: 'quantitative', ...utilityAxis },
            y: { field: 'risk', type: 'quantitative', ...riskAxis },
            color: { field: 'name', type: 'nominal', scale: colours(names), legend: { title: 'Scenario', orient: 'right' } },
          },
        },
      ],
      resolve: { scale: { color: 'shared' } },
      encoding: {},
    };
  };
  const scenarioSets = [
    [0, 1, 3],
    [0, 2, 3],
  ];
  return chartSvg('Identification risk against propensity score utility, dataset by dataset', {
    vconcat: READINGS.map((reading) => ({
      hconcat: scenarioSets.map((scenarios) => panel(reading, scenarios)),
      resolve: { scale: { color: 'independent', fill: 'independent', stroke: 'independent' } },
    })),
    resolve: { scale: { color: 'independent', fill: 'independent', stroke: 'independent' } },
  });
}

/**
 * Means of risk and utility over m datasets, in repeated releases (Hornby & Hu 2021, Figure 10), as SVG: rectangles from quartile to
 * quartile, lines from the smallest to the largest value through the medians.
 */
export function datasetsChart(results: StudyResults): Promise<string> {
  const panel = (reading: Reading): Panel => {
    const sets = NUMBERS_OF_DATASETS.map((datasets) => {
      const { fixed, utility } = repeatedMeans(results, reading, datasets);
      return { name: `${datasets}`, risk: spreadOf(fixed), utility: spreadOf(utility) };
    });
    const names = sets.map(({ name }) => name);
    const lines = sets.map(({ name, risk, utility }) => ({
      name,
      left: utility.smallest,
      right: utility.largest,
      bottom: risk.smallest,
      top: risk.largest,
      utility: utility.median,
      risk: risk.median,
    }));
    const color = { field: 'name', type: 'nominal' as const, scale: colours(names), legend: { title: 'm', orient: 'right' as const } };
    return {
      title: title(IN_WORDS[reading]),
      width: 300,
      height: 240,
      layer: [
        rectangles('m', sets),
        {
          data: { values: lines },
          mark: { type: 'rule', strokeWidth: 1.5 },
          encoding: {
            x: { field: 'left', type: 'quantitative', ...utilityAxis },
            x2: { field: 'right' },
            y: { field: 'risk', type: 'quantitative', ...riskAxis },
            color,
          },
        },
        {
          data: { values: lines },
          mark: { type: 'rule', strokeWidth: 1.5 },
          encoding: {
            x: { field: 'utility', type: 'quantitative' },
            y: { field: 'bottom', type: 'quantitative' },
            y2: { field: 'top' },
            color,
          },
        },
      ],
    };
  };
  return chartSvg('Spread of identification risk and utility over repeated releases of 1, 10 and 20 datasets', {
    hconcat: READINGS.map(panel),
    resolve: { scale: { color: 'independent', fill: 'independent', stroke: 'independent' } },
  });
}
