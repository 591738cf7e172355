import type { Prior } from '../../contracts/config/config.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { Combinations } from '../../table/combinations.ts';
import { type CellOrder, cellOf } from '../intruder/cell-order.ts';
import type { PriorWeights } from './prior-weights.ts';
import { logsByCell, logWeightOf } from './weight-by-cell.ts';

/**
 * Stands for a weight of zero, of which the logarithm is no number: a likelihood ratio of e^690 would have to make up for it,
 * and no release of a table that fits into memory has one.
 */
const LEAST_WEIGHT = 1e-300;

/** What a prior that is no estimate gives the cells of a table, up to a constant; above zero. */
export interface CellWeights {
  /** Of a cell (in column order) that is not the combination's own. */
  readonly of: (codes: Uint16Array) => number;
  /** Of the own cell of a combination (from 0): its record is not counted. */
  readonly ofTruth: (combination: number) => number;
}

/**
 * The weights of the priors `empirical` and from files over all cells.
 *
 * @param weights of a prior from files
 * @throws RangeError for the priors `uniform` and `model`, which have none
 */
export function cellWeights(
  prior: Prior,
  order: CellOrder,
  { codes, counts, variables }: Combinations,
  weights: readonly PriorWeights[],
  sizes: readonly number[],
): CellWeights {
  const codesOf = (combination: number) => codes.subarray(combination * variables, (combination + 1) * variables);
  if (prior === 'empirical') {
    const countOf = new Map<number, number>();
    for (const [c, count] of counts.entries()) countOf.set(cellOf(order, codesOf(c)), count);
    const spread = 1 / order.cells;
    return { of: (own) => (countOf.get(cellOf(order, own)) ?? 0) + spread, ofTruth: (c) => counts[c]! - 1 + spread };
  }
  if (typeof prior === 'string') throw new RangeError(`the prior ${prior} has no weights`);
  const logOf = logWeightOf(weights, sizes);
  // Against the most that a cell could have, so that none is above 1.
  const most = weights
    .map((file) => [...logsByCell(file, sizes).values()].reduce((a, b) => Math.max(a, b), -Infinity))
    .reduce((sum, value) => sum + value, 0);
  const of = (own: Uint16Array) => {
    const value = logOf(own);
    return value === undefined ? LEAST_WEIGHT : Math.max(LEAST_WEIGHT, exp(value - most));
  };
  return { of, ofTruth: (c) => of(codesOf(c)) };
}
