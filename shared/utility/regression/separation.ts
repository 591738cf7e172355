import { dependenceOf, type SemidefiniteFactor } from '../../numeric/semidefinite.ts';

/** An estimate that would still move by this much when the deviance has come to rest is infinite: each step adds about 1. */
const DIVERGING = 0.01;

/** A column takes part in a direction without curvature from this share of it on. */
const TAKES_PART = 1e-3;

/**
 * Which estimates are infinite, since some values of the predictors decide the response (separation). Newton's method goes
 * on for ever along such a direction, by about 1 a step, until rounding leaves no curvature there: then its columns
 * depend on each other in the information, though not in the design.
 *
 * @param move that Newton's method would make from where the deviance came to rest
 * @param information as it is there, and its factor
 * @param aliased columns that depend on others in the design
 * @param sizes by which the columns are measured: 1 of an indicator
 */
export function separatedColumns(
  move: Float64Array,
  information: Float64Array,
  system: SemidefiniteFactor,
  aliased: Uint8Array,
  sizes: Float64Array,
): Uint8Array {
  const separated = Uint8Array.from(move, (value, f) => (Math.abs(value) * sizes[f]! > DIVERGING ? 1 : 0));
  for (let column = 0; column < system.n; column++) {
    if (system.aliased[column] === 0 || aliased[column] === 1) continue;
    separated[column] = 1;
    const shares = dependenceOf(system, information, column);
    for (let f = 0; f < column; f++) {
      if (Math.abs(shares[f]!) * sizes[f]! > TAKES_PART * sizes[column]!) separated[f] = 1;
    }
  }
  return separated;
}
