import type { ArrayName } from '../../artifacts/stored-part.ts';
import { ownVariables } from '../../artifacts/stored-table.ts';
import { earlySchedule, integratesPhi, keepsRecords } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import { chainsNeeded, lesserChain, numbered } from '../rounds/chains-needed.ts';

/** The datasets (from 1) that a task makes. */
function datasetsOf({ config: { synthesis } }: Plan, task: Task): number[] {
  if (task.step === 'drop' || task.step === 'draw') return [task.dataset];
  if (task.step !== 'synthesize') return [];
  return synthesis.chains === 'own' ? [task.chain] : numbered(synthesis.datasets);
}

/** The arrays that every part has, whatever the method, in the order in which they are written. */
const RISK_ARRAYS = [
  'halfRanks',
  'halfProbabilities',
  'halfInformationBits',
  'halfLosses',
  'recordSums',
  'columns',
] as const satisfies readonly ArrayName[];

/** The arrays that the part of a batch has; those of continuous variables, which a plan does not name, may stand beside them. */
function partArrays(plan: Plan, batch: number): ArrayName[] {
  const scenario = plan.config.attributeRisk.scenarios[plan.batches[batch - 1]!.scenario - 1]!;
  const { arrays, membershipReason, readBeside } = methodOf(plan.config, scenario);
  const ofMembership = membershipReason(plan.config) === null ? (['members', 'others'] as const) : [];
  return [
    ...(scenario.knows ? (['datasetSums'] as const) : []),
    ...[...arrays, ...ofMembership, ...(readBeside ? (['beside'] as const) : []), ...RISK_ARRAYS],
  ];
}

/**
 * The objects that a task makes, but for the files to release, in the order in which it writes them: where the last is there, so are all,
 * unless somebody has removed some.
 *
 * @param variables that a dataset has columns of, where records are kept: see `ownVariables`
 */
function objectsOf(plan: Plan, task: Task, variables: readonly number[]): string[] {
  const keys = runKeys(plan.runId);
  const { config } = plan;
  const chain = (name: string, hasClasses: boolean) => [...(hasClasses ? [keys.classes(name)] : []), keys.draws(name)];
  switch (task.step) {
    case 'fit': {
      const early = earlySchedule(config) ? [`early/${task.chain}`] : [];
      return [...early, `base/${task.chain}`].flatMap((name) => chain(name, integratesPhi(config)));
    }
    case 'pair':
      return chainsNeeded(plan).sides.flatMap((side) => chain(`${side}/${task.dataset}/${task.chain}`, integratesPhi(config)));
    case 'learn':
      return chain(lesserChain(config.attributeRisk.scenarios[task.scenario - 1]!.knows!, task.dataset, task.chain), false);
    case 'weigh':
      return [keys.logWeights(task.chain)];
    case 'grow': {
      const { donors, sides, nodes } = keys.tree(task.place);
      return [donors, sides, nodes];
    }
    case 'synthesize':
    case 'drop':
    case 'draw': {
      const datasets = datasetsOf(plan, task).flatMap((l) => {
        const { combinations, counts, records, source } = keys.dataset(l);
        const rows = keepsRecords(config) ? variables.map((v) => records(v + 1)) : [combinations, counts];
        return [...rows, source];
      });
      return task.step === 'synthesize' ? [...chain(`synthesis/${task.chain}`, false), ...datasets] : datasets;
    }
    case 'assess': {
      const part = keys.part(task.round, task.batch);
      return partArrays(plan, task.batch).map((name) => part[name]);
    }
    case 'score':
      return [keys.scores(task.batch)];
    case 'measure':
      return [keys.confidential.measuredUtility];
  }
}

/** Of each task of a run the objects that it makes, as {@link objectsOf} has them; what is to be read for that is read once at most. */
export function objectsOfTasks(store: Store, plan: Plan): (task: Task) => Promise<string[]> {
  let variables: Promise<readonly number[]> | undefined;
  return async (task) => {
    if (datasetsOf(plan, task).length > 0 && keepsRecords(plan.config)) variables ??= ownVariables(store, plan);
    return objectsOf(plan, task, (await variables) ?? []);
  };
}

/** The files to release that a task makes: what a replicate synthesizes comes from an altered table, and is nothing to release. */
export const releasedBy = (plan: Plan, task: Task): string[] =>
  plan.purpose === 'replicate' ? [] : datasetsOf(plan, task).map((l) => runKeys(plan.runId).release.dataset(l));

/** Whether all is there that a task makes. Of a task that has not been carried out one object is asked for. */
export async function isDone(store: Store, plan: Plan, task: Task): Promise<boolean> {
  const last = objectsOf(plan, task, []).at(-1)!;
  if ((await store.head(last)) === null) return false;
  const others = [...releasedBy(plan, task), ...(await objectsOfTasks(store, plan)(task))].filter((key) => key !== last);
  for (const key of others) if ((await store.head(key)) === null) return false;
  return true;
}
