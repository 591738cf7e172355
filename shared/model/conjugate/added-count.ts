import type { Config } from '../../contracts/config/config.ts';
import { epsilonOf } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { expm1, log1p } from '../../numeric/portable-math.ts';

/**
 * Count added to every cell so that synthesizing `draws` records, over all datasets, from the cells' smoothed shares is
 * epsilon-differentially private: alpha = 1 / (exp(epsilon / draws) - 1), McClure & Reiter (2012), Appendix A. The proof for any number of
 * cells is in `docs/explanation/estimators.md`.
 *
 * @param epsilon in nats, for all draws together
 * @throws RangeError where epsilon is not positive and finite, `draws` no whole number from 1, or the count beyond double
 * precision
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

/**
 * What a record in a cell adds to the log-likelihood of a release, in nats, up to what is the same for all cells: `drawn`
 * times log((count + 1 + alpha) / (count + alpha)), of `count` records without this one and `drawn` synthetic ones over
 * all datasets.
 */
export function recordGain(count: number, drawn: number, alpha: number): number {
  return drawn === 0 ? 0 : drawn * log1p(1 / (count + alpha));
}

/** The epsilon of a run by a model of counts, for all datasets together. Throws RangeError for another model. */
export function plannedEpsilon({ model }: Config): number {
  const epsilon = epsilonOf(model);
  if (epsilon === null) throw new RangeError(`the model ${model.name} adds no counts`);
  return epsilon;
}

/**
 * The count that a run by a model of counts adds to every cell: its epsilon is for the records of all datasets together.
 *
 * @throws RangeError for another model, and from `addedCount`
 */
export function plannedCount({ config, table, datasets }: Pick<Plan, 'config' | 'table' | 'datasets'>): number {
  return addedCount(plannedEpsilon(config), datasets.count * table.records);
}
