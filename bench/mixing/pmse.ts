import type { Combinations } from '../../shared/table/combinations.ts';
import { type FeatureRows, logisticProbabilities, meanSquareFromHalf } from './ridge-regression.ts';

/** A little of a ridge: without it, values that only one of the tables has would send their coefficients away. */
const RIDGE = 1;

/**
 * pMSE of a synthetic dataset (Woo et al. 2009): mean squared distance from 1/2 of the probability that a record
 * is synthetic, by a logistic regression on all variables and all their pairs, fitted to the confidential and the
 * synthetic records together. 0 where they cannot be distinguished, 1/4 where they always can.
 *
 * @param sizes number of categories of each variable
 * @param synthetic as many records as the table has
 */
export function pmse(table: Combinations, synthetic: Combinations, sizes: readonly number[]): number {
  const features = pairFeatures([table, synthetic], sizes);
  const weights = Float64Array.from([...table.counts, ...synthetic.counts]);
  const isSynthetic = Uint8Array.from(weights, (_, row) => (row < table.count ? 0 : 1));
  return meanSquareFromHalf(logisticProbabilities(features, weights, isSynthetic, RIDGE), weights);
}

/** For each row the intercept, its value of every variable and of every pair of them, as numbers of features. */
function pairFeatures(tables: readonly Combinations[], sizes: readonly number[]): FeatureRows {
  const variables = sizes.length;
  const active = 1 + variables + (variables * (variables - 1)) / 2;
  const rows = tables.reduce((sum, { count }) => sum + count, 0);
  const indices = new Uint32Array(rows * active);
  let row = 0;
  let count = 1;
  for (const { count: own, codes } of tables) {
    for (let r = 0; r < own; r++, row++) {
      const code = (k: number) => codes[r * variables + k]!;
      let at = row * active;
      let from = 1;
      indices[at++] = 0;
      for (let k = 0; k < variables; k++) {
        indices[at++] = from + code(k);
        from += sizes[k]!;
        for (let l = k + 1; l < variables; l++) {
          indices[at++] = from + code(k) * sizes[l]! + code(l);
          from += sizes[k]! * sizes[l]!;
        }
      }
      count = from;
    }
  }
  return { rows, active, count, indices };
}
