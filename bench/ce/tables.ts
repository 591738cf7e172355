import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/config/identification-scenario.ts';
import type { RuleName } from './measures.ts';
import { READINGS, SCENARIOS } from './scenarios.ts';
import { indexOfLargest, meanOf, spreadOf } from './spread.ts';
import { largestRisk, NUMBERS_OF_DATASETS, repeatedMeans, type StudyResults } from './study-results.ts';

const percent = (share: number) => `${Number((100 * share).toFixed(6))} %`;
/** Risks, to the fourth digit that Hornby & Hu (2021) give and one more. */
const risk = (value: number) => value.toFixed(5);
const utility = (value: number) => value.toExponential(2);
const nameOf = (scenario: number) => `(${scenario + 1}) ${SCENARIOS[scenario]!.join(', ')}`;

/** Every reading with every scenario. */
const ROWS = READINGS.flatMap((reading) => SCENARIOS.map((_, scenario) => ({ reading, scenario })));

const RULES_OF_PAGE: readonly RuleName[] = ['fixed', 'swept'];

/** The tables of docs/studies/amounts-within-a-radius.md, by name. */
export function studyTables(results: StudyResults): Record<string, string> {
  return {
    radius: byRadius(results),
    rules: byRule(results),
    utility: utilities(results),
    datasets: byDatasets(results),
    jointly: joint(results),
  };
}

/** Mean risk at every radius, the largest in bold. */
function byRadius({ measures, independent }: StudyResults): string {
  const bold = (values: readonly number[]) => {
    const largest = indexOfLargest(values);
    return values.map((value, point) => (point === largest ? `**${risk(value)}**` : risk(value)));
  };
  return markdownTable(
    ['predictors', 'scenario', ...DEFAULT_SWEEP_RADII.map(percent)],
    [
      ['none', '(1), expectation', ...bold([...independent.fixed])],
      ...ROWS.map(({ reading, scenario }) => [
        reading,
        nameOf(scenario),
        ...bold(measures[reading].scenarios[scenario]!.risks.fixed.map(meanOf)),
      ]),
    ],
  );
}

/** The radius of most risk, and that risk, under every rule of counting. */
function byRule(results: StudyResults): string {
  const published = ['2.5 %', '2.5 %', '10 %', '10 %'];
  return markdownTable(
    ['predictors', 'scenario', 'the paper', 'age 10 %', 'age swept'],
    ROWS.map(({ reading, scenario }) => [
      reading,
      nameOf(scenario),
      published[scenario]!,
      ...RULES_OF_PAGE.map((rule) => {
        const { point, risks } = largestRisk(results, reading, scenario, rule);
        return `${percent(DEFAULT_SWEEP_RADII[point]!)}: ${risk(meanOf(risks))}`;
      }),
    ]),
  );
}

/** Risk at the radius of most risk, and utility. */
function utilities(results: StudyResults): string {
  return markdownTable(
    ['predictors', 'scenario', 'radius', 'risk, mean', 'quartiles', 'U_p, mean', 'quartiles', 'U_p of pairs, mean'],
    ROWS.map(({ reading, scenario }) => {
      const { point, risks } = largestRisk(results, reading, scenario, 'fixed');
      const { main, pairs } = results.measures[reading].scenarios[scenario]!.utility;
      const [ofRisk, ofUtility] = [spreadOf(risks), spreadOf(main)];
      return [
        reading,
        nameOf(scenario),
        percent(DEFAULT_SWEEP_RADII[point]!),
        risk(ofRisk.mean),
        `${risk(ofRisk.lower)} to ${risk(ofRisk.upper)}`,
        utility(ofUtility.mean),
        `${utility(ofUtility.lower)} to ${utility(ofUtility.upper)}`,
        utility(meanOf(pairs)),
      ];
    }),
  );
}

/** Means over m datasets, in repeated releases: risk with either rule for age, and utility. */
function byDatasets(results: StudyResults): string {
  const figures = [
    ['fixed', 'risk, age 10 %', risk],
    ['swept', 'risk, age swept', risk],
    ['utility', 'U_p', utility],
  ] as const;
  return markdownTable(
    ['predictors', 'figure', 'm', 'mean', 'smallest', 'lower quartile', 'median', 'upper quartile', 'largest'],
    READINGS.flatMap((reading) =>
      figures.flatMap(([figure, name, text]) =>
        NUMBERS_OF_DATASETS.map((datasets) => {
          const spread = spreadOf(repeatedMeans(results, reading, datasets)[figure]);
          const { mean, smallest, lower, median, upper, largest } = spread;
          return [reading, name, `${datasets}`, ...[mean, smallest, lower, median, upper, largest].map(text)];
        }),
      ),
    ),
  );
}

/** Radii of most risk when that of expenditure and that of income are swept apart. */
function joint(results: StudyResults): string {
  const radii = DEFAULT_SWEEP_RADII;
  const scenarios = SCENARIOS.flatMap((names, scenario) => (names.includes('Expenditure') ? [scenario] : []));
  return markdownTable(
    ['predictors', 'scenario', 'expenditure', 'income', 'risk, mean', 'equal radii', 'risk, mean'],
    READINGS.flatMap((reading) =>
      scenarios.map((scenario) => {
        const apart = largestRisk(results, reading, scenario, 'jointly');
        const equal = largestRisk(results, reading, scenario, 'fixed');
        return [
          reading,
          nameOf(scenario),
          percent(radii[Math.floor(apart.point / radii.length)]!),
          percent(radii[apart.point % radii.length]!),
          risk(meanOf(apart.risks)),
          percent(radii[equal.point]!),
          risk(meanOf(equal.risks)),
        ];
      }),
    ),
  );
}
