import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan, Task } from '../../shared/contracts/run/plan.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { predictStepMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { judgeRound } from '../../shared/pipeline/tasks/judge-round.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { largeTable } from './large-table.ts';

/** So few draws that the chains take little; every value of every variable is guessed at. */
const CONFIG = configSchema.parse({
  mcmc: { chains: 2, burnIn: 2, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' },
  model: { name: 'dpmpm', classes: 6 },
  synthesis: { datasets: 5 },
  utility: 'off',
});

const MIB = 1024 * 1024;

/** Assesses the first batch of each size, which then stands for all others of that size: what their numbers are is of no matter. */
async function assessOnce(store: Store, plan: Plan, tasks: readonly Task[]): Promise<void> {
  const assessed = new Map<number, number>();
  for (const task of tasks) {
    if (task.step !== 'assess') throw new RangeError(`${task.step} assesses nothing`);
    const { from, to } = plan.batches[task.batch - 1]!;
    const like = assessed.get(to - from);
    if (like === undefined) {
      await runTask(store, task, () => undefined);
      assessed.set(to - from, task.batch);
      continue;
    }
    const [own, other] = [task.batch, like].map((batch) => Object.values(runKeys(plan.runId).part(1, batch)));
    for (const [k, key] of other!.entries()) if ((await store.head(key)) !== null) await store.put(own![k]!, await store.get(key));
  }
}

/** A step of a process of its own: CPU seconds, and MiB at most. */
export interface OwnStep {
  readonly seconds: number;
  readonly peakMemoryMiB: number;
}

/** Puts the results of a prepared run together, or reports them, as all that this process does. */
export async function closeAlone(folder: string, runId: string, step: 'aggregate' | 'report'): Promise<OwnStep> {
  await (step === 'aggregate' ? aggregateRun : reportRun)(new FileStore(folder), { runId });
  const { user, system } = process.cpuUsage();
  return { seconds: (user + system) / 1e6, peakMemoryMiB: process.resourceUsage().maxRSS / 1024 };
}

/**
 * Puts the results of so many combinations together, in a folder that is removed.
 *
 * @param close {@link closeAlone} in another process
 */
export async function aggregateAlone(
  combinations: number,
  variables: number,
  close: (folder: string, runId: string, step: 'aggregate' | 'report') => OwnStep,
) {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-aggregation-'));
  try {
    const store = new FileStore(folder);
    const sizes = Array.from({ length: variables }, (_, k) => 2 + (k % 5));
    const table = largeTable(1, { records: combinations, combinations, sizes, fallOff: 2 });
    const planned = await planRun({ purpose: 'evaluate', config: CONFIG, table, ...newKeys() });
    const plan = await storePlannedRun(store, planned);
    const round = firstRound(plan);
    const { assess, ...chains } = roundTasks(plan, round);
    for (const task of Object.values(chains).flat()) await runTask(store, task, () => undefined);
    await assessOnce(store, plan, assess);
    await judgeRound(store, plan, round);
    const predicted = predictStepMemory(planned);
    const closed = (step: 'aggregate' | 'report') => ({ ...close(folder, plan.runId, step), predictedMemoryMiB: predicted[step] / MIB });
    return { combinations, variables, aggregate: closed('aggregate'), report: closed('report') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
