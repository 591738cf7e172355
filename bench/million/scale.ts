import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { judgeRound } from '../../shared/pipeline/tasks/judge-round.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { type Growth, growth } from '../kernels/measure.ts';
import { largeTable } from './large-table.ts';

/** So few draws that the study takes a minute; two candidates, since what they cost has nothing to do with records. */
const CONFIG = configSchema.parse({
  mcmc: { chains: 2, burnIn: 4, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1 },
  synthesis: { datasets: 1 },
  attributeRisk: { candidates: { unknown: ['V1_2'] } },
});

/** Milliseconds of CPU that each phase takes of an evaluation, in one thread. */
async function millisecondsByPhase(table: Uint8Array): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const timed = async <T>(phase: string, work: () => Promise<T>): Promise<T> => {
    const started = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(started);
    times.set(phase, (user + system) / 1000);
    return result;
  };
  const store = new MemoryStore();
  const planned = await timed('read the table', () => planRun({ purpose: 'evaluate', config: CONFIG, table, ...newKeys() }));
  const plan = await storePlannedRun(store, planned);
  const round = firstRound(plan);
  for (const [phase, tasks] of Object.entries(roundTasks(plan, round))) {
    await timed(phase, async () => {
      for (const task of tasks) await runTask(store, task, () => undefined);
    });
  }
  await timed('aggregate', async () => {
    await judgeRound(store, plan, round);
    await aggregateRun(store, plan);
  });
  await timed('report', () => reportRun(store, plan));
  return times;
}

/**
 * How the time of each phase of an evaluation grows with records where the combinations stay the same: the table with
 * more records has those of the other, only more often.
 *
 * @param records of the tables
 */
export async function growRecords(combinations: number, records: readonly number[]): Promise<Growth[]> {
  const times: { size: number; byPhase: Map<string, number> }[] = [];
  for (const size of records) {
    times.push({ size, byPhase: await millisecondsByPhase(largeTable(1, { records: size, combinations })) });
  }
  return [...times[0]!.byPhase.keys()].map((phase) =>
    growth(
      phase,
      'records',
      times.map(({ size, byPhase }) => ({ size, milliseconds: byPhase.get(phase)! })),
    ),
  );
}
