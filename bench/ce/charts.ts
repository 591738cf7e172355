import type { TopLevelSpec } from 'vega-lite';
import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/identification.ts';
import { COLOURS, chartSvg } from '../chart-svg.ts';
import { READINGS, type Reading, SCENARIOS } from './scenarios.ts';
import { meanOf, type Spread, spreadOf } from './spread.ts';
import { largestRisk, NUMBERS_OF_DATASETS, repeatedMeans, type StudyResults } from './study-results.ts';

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];
type Layer = Extract<TopLevelSpec, { layer: unknown }>['layer'][number];

const RISK = 'Mean risk of a record';
const RADII = DEFAULT_SWEEP_RADII.map((radius) => `${100 * radius}`);
const NUMBERS = SCENARIOS.map((_, scenario) => `(${scenario + 1})`);

const IN_WORDS: Record<Reading, string> = {
  none: 'no kept variable predicts',
  kept: 'kept variables predict',
};

const title = (text: string) => ({ text, anchor: 'start' as const, fontSize: 12, fontWeight: 600 as const });

/** The figures of docs/matching.md, by file name. */
export async function studyCharts(results: StudyResults): Promise<Record<string, string>> {
  return {
    'matching-radius.svg': await radiusChart(results),
    'matching-scenarios.svg': await scenarioChart(results),
    'matching-trade-off.svg': await tradeOffChart(results),
    'matching-datasets.svg': await datasetsChart(results),
    'matching-jointly.svg': await jointChart(results),
  };
}

/** Box plots from the smallest to the largest value. */
function boxes(
  heading: string,
  size: number,
  axis: string,
  order: string[],
  values: readonly object[],
): Panel {
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

/** 004, Figure 6. */
function radiusChart({ measures }: StudyResults): Promise<string> {
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

/** 004, Figure 7. */
function scenarioChart(results: StudyResults): Promise<string> {
  return chartSvg('Box plots of identification risk by scenario, at the radius of most risk', {
    hconcat: READINGS.map((reading) => {
      const values = NUMBERS.flatMap((x, scenario) =>
        largestRisk(results, reading, scenario, 'fixed').risks.map((risk) => ({ x, risk })),
      );
      return boxes(IN_WORDS[reading], 300, 'Scenario', NUMBERS, values);
    }),
  });
}

/** Rectangles from quartile to quartile, one for each of some sets of points. */
function rectangles(sets: readonly { name: string; risk: Spread; utility: Spread }[]): Layer {
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
      fill: { field: 'name', type: 'nominal', legend: null },
      stroke: { field: 'name', type: 'nominal', legend: null },
    },
  };
}

const utilityAxis = { title: 'U_p', axis: { format: '.0e', tickCount: 4 }, scale: { zero: false } };
const riskAxis = { title: RISK, axis: { tickCount: 5 }, scale: { zero: false } };

/** Colours of some names, shared by points and rectangles. */
const colours = (names: readonly string[]) => ({ domain: [...names], range: COLOURS });

/** 004, Figures 8 and 9. */
function tradeOffChart(results: StudyResults): Promise<string> {
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
          sets.map(({ name, risks, utilities }) => ({
            name,
            risk: spreadOf(risks),
            utility: spreadOf(utilities),
          })),
        ),
        {
          data: { values: points },
          mark: { type: 'point', filled: true, size: 22, opacity: 0.8 },
          encoding: {
            x: { field: 'utility', type: 'quantitative', ...utilityAxis },
            y: { field: 'risk', type: 'quantitative', ...riskAxis },
            color: {
              field: 'name',
              type: 'nominal',
              scale: colours(names),
              legend: { title: 'Scenario', orient: 'right' },
            },
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

/** 004, Figure 10: rectangles from quartile to quartile, lines from the smallest to the largest value through the medians. */
function datasetsChart(results: StudyResults): Promise<string> {
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
    const color = {
      field: 'name',
      type: 'nominal' as const,
      scale: colours(names),
      legend: { title: 'm', orient: 'right' as const },
    };
    return {
      title: title(IN_WORDS[reading]),
      width: 300,
      height: 240,
      layer: [
        rectangles(sets),
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
  return chartSvg(
    'Spread of identification risk and utility over repeated releases of 1, 10 and 20 datasets',
    {
      hconcat: READINGS.map(panel),
      resolve: { scale: { color: 'independent', fill: 'independent', stroke: 'independent' } },
    },
  );
}

/** Mean risk when the radii of expenditure and income are swept apart. */
function jointChart({ measures }: StudyResults): Promise<string> {
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
        x: {
          field: 'income',
          type: 'ordinal',
          sort: RADII,
          title: 'Radius of income (%)',
          axis: { labelAngle: 0 },
        },
        y: {
          field: 'expenditure',
          type: 'ordinal',
          sort: RADII.toReversed(),
          title: 'Radius of expenditure (%)',
        },
      },
      layer: [
        {
          mark: 'rect',
          encoding: {
            color: {
              field: 'risk',
              type: 'quantitative',
              scale: { range: ['#eef3f7', COLOURS[0]!], zero: true },
              legend: null,
            },
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
