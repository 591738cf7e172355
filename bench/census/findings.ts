import { quantile } from '../../shared/numeric/quantile.ts';
import type { RandomSource } from '../../shared/random/random-source.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import type { Table } from '../../shared/table/table.ts';
import type { Coefficient, JointDistribution, PairDistances, TableFacts } from './census-results.ts';
import { combineEstimates } from './combined-estimate.ts';
import { categoricalColumn, jointShares, meanOfAll, totalVariation } from './joint-shares.ts';
import { fitRegression, type Regression } from './logistic-fit.ts';

/** What a table is like, from its combinations. */
export function tableFacts({ counts, variables }: Combinations, sizes: readonly number[]): TableFacts {
  const times = (count: number) => counts.filter((value) => value === count).length;
  return {
    records: counts.reduce((sum, count) => sum + count, 0),
    variables,
    cells: sizes.reduce((product, size) => product * size, 1),
    combinations: counts.length,
    repeated: [times(1), times(2), times(3)],
    most: counts.reduce((most, count) => Math.max(most, count), 0),
    candidates: sizes.reduce((sum, size) => sum + size - 1, 1),
  };
}

/** The joint distribution of two variables in the table, and its mean over datasets (Hu et al. 2014, Figures 1 and 2). */
export function jointDistribution(table: Table, datasets: readonly Table[], names: readonly [string, string]): JointDistribution {
  const [first, second] = names;
  return {
    names,
    categories: [categoricalColumn(table, first).categories, categoricalColumn(table, second).categories],
    table: jointShares(table, first, second),
    synthetic: meanOfAll(datasets.map((dataset) => jointShares(dataset, first, second))),
  };
}

/**
 * How far the datasets are from the table in all pairs of variables, and how far as many resamples of its records are, which
 * differ from it by chance alone.
 */
export function pairDistances(table: Table, datasets: readonly Table[], random: RandomSource): PairDistances {
  const names = table.schema.variables.map(({ name }) => name);
  const pairs = names.flatMap((first, k) => names.slice(k + 1).map((second) => [first, second] as const));
  const distances = (others: readonly Table[]) =>
    Float64Array.from(pairs, ([first, second]) => {
      const shares = others.map((other) => jointShares(other, first, second));
      return totalVariation(jointShares(table, first, second), meanOfAll(shares));
    }).sort();
  const found = distances(datasets);
  const chance = distances(datasets.map(() => resampleRecords(table, random)));
  return { median: quantile(found, 0.5), largest: found.at(-1)!, chanceMedian: quantile(chance, 0.5), chanceLargest: chance.at(-1)! };
}

/** As many records of a table of categorical variables, drawn with replacement. */
function resampleRecords(table: Table, random: RandomSource): Table {
  const drawn = Uint32Array.from({ length: table.records }, () => random.below(table.records));
  const columns = table.schema.variables.map(({ name }) => {
    const { codes } = categoricalColumn(table, name);
    return { type: 'categorical' as const, codes: Uint16Array.from(drawn, (i) => codes[i]!) };
  });
  return { ...table, columns };
}

/** Coefficients of a regression in the table, and combined from the datasets (Hu et al. 2014, Table 2). */
export function regressionCoefficients(table: Table, datasets: readonly Table[], regression: Regression): Coefficient[] {
  const { coefficients } = fitRegression(table, regression);
  const fits = datasets.map((dataset) => fitRegression(dataset, regression));
  return ['intercept', ...regression.predictors].map((name, k) => ({
    name,
    original: coefficients[k]!,
    synthetic: combineEstimates(
      fits.map((fit) => fit.coefficients[k]!),
      fits.map((fit) => fit.variances[k]!),
    ),
  }));
}
