import { expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import type { Plan, Task } from '../../../shared/contracts/run/plan.ts';
import { runTask } from '../../../shared/pipeline/tasks/run-task.ts';
import { missingTasks, readRoundTasks } from '../../../shared/pipeline/tasks/stored-tasks.ts';
import { isDone, releasedBy } from '../../../shared/pipeline/tasks/task-objects.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import {
  CATEGORY_TREE_SETTINGS,
  COUNT_SETTINGS,
  MIXED_SETTINGS,
  mixedTable,
  runFigures,
  SMALL_SETTINGS,
  smallTable,
} from '../small-run.ts';

const scenarios = [{ name: 'all' }, { name: 'cells', candidates: 'all-cells' }, { name: 'less', knows: 'nothing' }];
const oneChain = { ...SMALL_SETTINGS, synthesis: { datasets: 2, chains: 'one' } };
const missing = new TextEncoder().encode(new TextDecoder().decode(mixedTable()).replace(/\n([^,]*),\d+,/, '\n$1,,'));
const RUNS: Record<string, { settings: object; table: Uint8Array }> = {
  scenarios: { settings: { ...SMALL_SETTINGS, attributeRisk: { scenarios } }, table: smallTable({ records: 30 }) },
  importance: { settings: { ...oneChain, attributeRisk: { estimator: 'importance' } }, table: smallTable({ records: 30 }) },
  partial: { settings: { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } }, table: smallTable({ records: 30 }) },
  mixed: { settings: MIXED_SETTINGS, table: mixedTable() },
  imputed: { settings: { ...MIXED_SETTINGS, synthesis: { datasets: 2, missing: 'impute' } }, table: missing },
  trees: { settings: CATEGORY_TREE_SETTINGS, table: mixedTable() },
  counts: { settings: COUNT_SETTINGS, table: smallTable({ records: 30 }) },
};

/** Arrays of continuous variables, of which a plan says nothing. */
const UNNAMED = /\/(intervals|densities)\.npy$/;

async function tasksOf(store: Store, { runId }: Plan): Promise<Task[]> {
  const { fit, synthesize, augment, assess } = await readRoundTasks(store, { runId, round: 1 });
  return [...fit, ...synthesize, ...augment, ...assess];
}

it.each(Object.keys(RUNS))('a task is missing of which any object was removed, and makes the same bytes again: %s', async (name) => {
  const { settings, table } = RUNS[name]!;
  const { store, plan } = await runFigures({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: configSchema.parse({ ...settings, utility: 'off' }),
    table,
  });
  const tasks = await tasksOf(store, plan);
  const keys = runKeys(plan.runId);
  expect(await (await missingTasks(store, plan))(tasks)).toEqual([]);
  for (const task of tasks) expect(await isDone(store, plan, task)).toBe(true);

  const folders = [keys.allDraws, keys.allTrees, keys.synthesis, keys.parts];
  const objects = (await Promise.all(folders.map((folder) => store.list(folder)))).flat();
  // Of each task there is still what it writes last.
  const lasts = /\/(draws\/(base|stacked|alone|weak)\/.*\.npz|source\.json|nodes\.npy|columns\.npy)$/;
  for (const key of objects.filter((one) => !UNNAMED.test(one))) {
    const list = async (prefix: string) => (await store.list(prefix)).filter((one) => one !== key);
    const left = await missingTasks({ get: (one) => store.get(one), list } as Store, plan);
    expect(await left(tasks), key).toHaveLength(1);
  }
  const released = new Set(tasks.flatMap((task) => releasedBy(plan, task)));
  const removed = new Set([...released, ...objects.filter((key) => !lasts.test(key))]);
  const again = new MemoryStore();
  for (const key of await store.list('')) if (!removed.has(key)) await again.put(key, await store.get(key));
  for (const task of tasks) await runTask(again, task, () => undefined);
  for (const key of [...objects, ...released]) expect(await again.get(key), key).toEqual(await store.get(key));
});
