import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { runTask, taskUnits } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, mixedTable, smallConfig, smallTable, TREE_SETTINGS } from './small-run.ts';

const table = smallTable();
const elsewhere = { origin: 'elsewhere' as const, files: [smallTable({ records: 45 }), table] };
const partial = { synthesis: { synthesized: ['education', 'employment'] } };

const cases: [name: string, request: Partial<RunRequest> & Pick<RunRequest, 'config'>][] = [
  ['with a chain for each dataset', { config: smallConfig() }],
  ['with one chain for all datasets', { config: smallConfig({ synthesis: { chains: 'one' } }) }],
  ['by `parameters`', { config: smallConfig({ attributeRisk: { estimator: 'parameters' } }) }],
  ['by `importance`', { config: smallConfig({ attributeRisk: { estimator: 'importance' } }) }],
  ['over all cells', { config: smallConfig({ attributeRisk: { candidates: 'all-cells' } }) }],
  ['that keeps variables', { config: smallConfig(partial) }],
  ['of DP-areal', { config: smallConfig({ synthesis: { synthesized: ['region'] }, model: { name: 'dp-areal', clusters: 4 } }) }],
  ['of datasets made elsewhere', { config: smallConfig(), purpose: 'assess', datasets: elsewhere }],
  ['by counts', { config: configSchema.parse(COUNT_SETTINGS) }],
  ['by trees', { config: configSchema.parse(TREE_SETTINGS), table: mixedTable() }],
  ['by trees of categories', { config: configSchema.parse(CATEGORY_TREE_SETTINGS), table: mixedTable() }],
  ['that calibrates', { config: smallConfig({ calibration: { targets: 12, replicates: 2 } }), purpose: 'calibrate' }],
];

it.each(cases)('the tasks of a run %s tell each unit of work, and do nothing twice', async (_, given) => {
  const store = new MemoryStore();
  const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', table, batchSize: 25, ...given });
  const plan = await storePlannedRun(store, planned);
  const round = firstRound(plan);
  const { fit, synthesize, augment, assess } = roundTasks(plan, round);
  // A replicate's tasks are those of a run of its own.
  const unitsOf = (task: (typeof fit)[number]) =>
    taskUnits(plan.purpose === 'calibrate' ? { ...plan, purpose: 'replicate' } : plan, task, round);
  for (const task of [...fit, ...synthesize, ...augment, ...assess]) {
    const done: { units: number; keys: string[] }[] = [];
    for (let time = 0; time < 2; time++) {
      const before = await store.list('');
      let units = 0;
      await runTask(store, task, (more = 1) => {
        units += more;
      });
      const keys = (await store.list('')).filter((key) => !before.includes(key));
      done.push({ units, keys });
    }
    const [first, second] = done;
    expect(first!.units, JSON.stringify(task)).toBe(unitsOf(task));
    expect(first!.keys).not.toEqual([]);
    expect(second).toEqual({ units: 0, keys: [] });
  }
});

it('a task of a step that the model does not have is refused', async () => {
  const store = new MemoryStore();
  const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', table, config: smallConfig() });
  const { runId } = await storePlannedRun(store, planned);
  await expect(runTask(store, { step: 'grow', runId, place: 1 }, () => undefined)).rejects.toThrow('the model dpmpm has no step grow');
});
