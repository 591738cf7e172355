import type { UtilityRegression } from '../contracts/results/utility.ts';
import { associationsBefore } from './associations.ts';
import { compareDistribution } from './compare-distribution.ts';
import { compareMarginal } from './compare-marginals.ts';
import { growPropensityTree, regressionTerms } from './measure-propensity.ts';
import { comparePatterns } from './pattern-distributions.ts';
import type { PreparedUtility } from './prepare-utility.ts';
import { propensityUtility } from './propensity.ts';
import { compareRegression } from './regression/compare-regression.ts';
import { prepareRegression } from './regression/fit-regression.ts';
import { predictHeldOut } from './regression/held-out.ts';
import type { OpenedRegression } from './regression/open-regression.ts';
import { compareTable } from './table-deviations.ts';
import type { UtilityInput } from './utility-input.ts';
import { utilityWork } from './utility-work.ts';

/** One measurement that needs no other, and its units of work. */
export interface UtilityPart<Found = unknown> {
  readonly units: number;
  readonly measure: () => Found;
}

const part = <Found>(units: number, measure: () => Found): UtilityPart<Found> => ({ units, measure });

/** The parts of what is measured, by what they find: the same for the same data, in the same order. */
export function utilityParts(prepared: PreparedUtility) {
  const { opened, given, banded, fitted, split, trees, tables, regressions } = prepared;
  const { kind, patterns, synthesized } = opened;
  const { table, datasets } = given;
  const variables = [...table.columns.keys()];
  const work = utilityWork(table, datasets.length, opened, regressions);
  return {
    tables: tables.flatMap(({ sets }) => sets.map((set) => part(work.table, () => compareTable(banded.table, banded.datasets, set, kind)))),
    patterns: (patterns?.of ?? []).map((of) => part(work.pattern, () => comparePatterns(banded.table, banded.datasets, patterns!.by, of))),
    associations: [table, ...datasets].flatMap((source) =>
      variables.map((v) => part(work.association * v, () => associationsBefore(source, v))),
    ),
    scores: regressionTerms(opened).flatMap((terms) =>
      fitted.datasets.map((dataset) => part(work.score[terms], () => propensityUtility(fitted.table, dataset, terms, synthesized))),
    ),
    trees: Array.from({ length: trees === null ? 0 : datasets.length + trees.labels.length }, (_, place) =>
      part(work.score.tree, () => growPropensityTree(trees!, place)),
    ),
    regressions: regressions.map((regression) =>
      part(work.regression(regression), () => measureRegression(regression, opened.regressions !== null, fitted, split, kind)),
    ),
    distributions: opened.distributions.map((own) => part(0, () => compareDistribution(given, own))),
    marginals: synthesized
      .filter((v) => !opened.distributions.some(({ variable }) => variable === v))
      .map((variable) => part(0, () => compareMarginal(given, variable))),
  };
}

/** What the parts find, in their order. */
export type UtilityFindings = {
  -readonly [Kind in keyof ReturnType<typeof utilityParts>]: ReturnType<ReturnType<typeof utilityParts>[Kind][number]['measure']>[];
};

/** All parts, one after the other. */
export const listedParts = (prepared: PreparedUtility): UtilityPart[] => Object.values(utilityParts(prepared)).flat();

/** One regression on a table and its datasets, and what it predicts of records that it has not seen. */
export function measureRegression(
  opened: OpenedRegression,
  asked: boolean,
  { table, datasets }: UtilityInput,
  split: PreparedUtility['split'],
  kind: 'full' | 'partial',
): UtilityRegression {
  const prepared = prepareRegression(opened, table.schema);
  const original = prepared.fit(table);
  const others = datasets.map((dataset) => prepared.fit(dataset, original));
  const sizeRatio = datasets.reduce((sum, { records }) => sum + records, 0) / datasets.length / table.records;
  const { coefficients, ...figures } = compareRegression(prepared, original, others, kind, sizeRatio);
  const predicted = predictHeldOut(prepared, original, split.table, split.datasets);
  const heldOut = { records: split.table.heldOut.records, ...predicted };
  return { ...figures, asked, records: table.records, coefficients, heldOut };
}
