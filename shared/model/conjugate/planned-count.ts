import { isCountModel } from '../../contracts/config/model.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { addedCount } from './added-count.ts';

/**
 * The count that a run by a model of counts adds to every cell: its epsilon is for the records of all datasets together.
 *
 * @throws RangeError for another model, and from `addedCount`
 */
export function plannedCount({
  config,
  table,
  datasets,
}: Pick<Plan, 'config' | 'table' | 'datasets'>): number {
  if (!isCountModel(config.model)) throw new RangeError(`the model ${config.model.name} adds no counts`);
  return addedCount(config.model.epsilon, datasets.count * table.records);
}
