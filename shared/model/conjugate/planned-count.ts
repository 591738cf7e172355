import type { Config } from '../../contracts/config/config.ts';
import { settingsOf } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { addedCount } from './added-count.ts';

/** The epsilon of a run by a model of counts, for all datasets together. Throws RangeError for another model. */
export const plannedEpsilon = ({ model }: Config): number =>
  settingsOf(model, 'beta-binomial', 'dirichlet-multinomial').epsilon;

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
  return addedCount(plannedEpsilon(config), datasets.count * table.records);
}
