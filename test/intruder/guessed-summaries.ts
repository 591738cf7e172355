import type { Config } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { epsilonOf } from '../../shared/contracts/models/models.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { judgeRound } from '../../shared/pipeline/tasks/judge-round.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, runFigures } from '../pipeline/small-run.ts';
import { testKey } from '../test-keys.ts';

let runs = 0;

/** Keys that no other run of a file has; the same ones whenever it is run. */
function freshKeys() {
  const key = testKey(++runs);
  return { placeKey: key, releaseKey: async () => key };
}

const readSummary = async (store: Store, runId: string): Promise<Summary> =>
  summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(runKeys(runId).confidential.summary))));

/** A release that an intruder has, and the confidential table but for one value. */
export interface Released {
  readonly table: Uint8Array;
  readonly config: Config;
  /** The variable of which he lacks one record's value. */
  readonly unknown: string;
  readonly store: Store;
  readonly runId: string;
}

/** Makes a release. */
export async function release(table: Uint8Array, config: Config, unknown: string): Promise<Released> {
  const { store, plan } = await runFigures({ ...freshKeys(), purpose: 'evaluate', config, table });
  return { table, config, unknown, store, runId: plan.runId };
}

/** The values that the unknown one could be. */
export function possibleValues({ table, unknown }: Released): string[] {
  const [header, ...rows] = csvRows(table);
  const column = header!.indexOf(unknown);
  return [...new Set(rows.map((row) => row[column]!))];
}

/**
 * What the summary of the very same release would be, had a record (from 0) this value: the intruder has the program, and
 * its random numbers are his own.
 */
export async function guessedSummary(released: Released, record: number, value: string): Promise<Summary> {
  const { config, store: from, runId } = released;
  const [header, ...rows] = csvRows(released.table);
  const column = header!.indexOf(released.unknown);
  const table = encodeCsv(
    header!,
    rows.map((row, i) => (i === record ? row.with(column, value) : row)),
  );
  const { release: files, synthesis, root } = runKeys(runId);
  if (epsilonOf(config.model) === null) {
    const numbers = Array.from({ length: config.synthesis.datasets }, (_, l) => l + 1);
    const datasets = { origin: 'elsewhere' as const, files: await Promise.all(numbers.map((dataset) => from.get(files.dataset(dataset)))) };
    const run = await runFigures({ ...freshKeys(), purpose: 'assess', config, table, datasets });
    return readSummary(run.store, run.plan.runId);
  }
  // Models of counts assess what they drew themselves: the datasets are put where they would have drawn others.
  const store = new MemoryStore();
  const plan = await storePlannedRun(store, await planRun({ ...freshKeys(), purpose: 'evaluate', config, table }));
  for (const folder of [synthesis, files.root]) {
    for (const key of await from.list(folder)) {
      await store.put(key.replace(root, runKeys(plan.runId).root), await from.get(key));
    }
  }
  const round = firstRound(plan);
  for (const task of roundTasks(plan, round).assess) await runTask(store, task, () => undefined);
  await judgeRound(store, plan, round);
  await aggregateRun(store, plan);
  return readSummary(store, plan.runId);
}
