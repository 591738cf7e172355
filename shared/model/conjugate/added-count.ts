import { expm1 } from '../../numeric/portable-math.ts';

/**
 * Count added to every cell so that synthesizing `draws` records one after the other from the cells' smoothed shares is
 * epsilon-differentially private: alpha = 1 / (exp(epsilon / draws) - 1), 003 Appendix A. The proof for any number of
 * cells is in `docs/explanation/estimators.md`, under differential privacy.
 *
 * @param epsilon in nats, for all draws together
 * @param draws records that are synthesized from one table, over all datasets
 * @throws RangeError where epsilon is not positive and finite, `draws` not a whole number from 1, or the count neither
 *   positive nor finite in double precision
 */
export function addedCount(epsilon: number, draws: number): number {
  if (!(epsilon > 0 && epsilon < Infinity)) throw new RangeError('epsilon must be positive and finite');
  if (!(Number.isSafeInteger(draws) && draws >= 1)) throw new RangeError('draws must be a whole number from 1');
  const alpha = 1 / expm1(epsilon / draws);
  if (!(alpha > 0 && alpha < Infinity)) {
    throw new RangeError('epsilon over the number of draws is beyond double precision');
  }
  return alpha;
}
