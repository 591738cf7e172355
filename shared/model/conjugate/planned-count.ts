import type { Config } from '../../contracts/config/config.ts';
import { epsilonOf } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { addedCount } from './added-count.ts';

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
