import { readJson } from '../../artifacts/stored-json.ts';
import { type AskedMap, compareSummaries, type RunToCompare } from '../../compare/compare-summaries.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Comparison } from '../../contracts/results/comparison.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import { VERSION } from '../../contracts/version.ts';
import { type StoredRun, sameTable } from './same-table.ts';

/** A finished run with what it is called. */
export interface NamedRun extends StoredRun {
  readonly name: string;
}

/**
 * Holds finished runs of one table against each other: `compare`.
 *
 * @param runs with names of their own
 * @throws InvalidConfigError `too-few-runs`, `repeated-run`, `no-summary`, `not-assessable`, `other-table`, `unknown-measure`
 */
export async function compareRuns(runs: readonly NamedRun[], asked: AskedMap): Promise<Comparison> {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) {
    throw new InvalidConfigError('too-few-runs', 'Name two runs at least.');
  }
  if (new Set(runs.map(({ plan }) => plan.runId)).size < runs.length) {
    throw new InvalidConfigError('repeated-run', 'A run is named twice.');
  }
  for (const { name, plan } of runs) {
    if (plan.purpose !== 'calibrate') continue;
    throw new InvalidConfigError('no-summary', `${name} is a calibration, which has no release to compare.`);
  }
  for (const other of others) {
    if (await sameTable(first, other)) continue;
    throw new InvalidConfigError('other-table', `${other.name} is of another table than ${first.name}.`);
  }
  const read: RunToCompare[] = [];
  for (const { name, plan, store } of runs) {
    const summary = await readJson(store, runKeys(plan.runId).confidential.summary, summarySchema);
    if (!summary.assessable) {
      throw new InvalidConfigError(
        'not-assessable',
        `${name} is not assessable, and no figure of it can be compared: ${summary.assessableReason}`,
      );
    }
    read.push({ name, summary, randomness: await randomnessOf({ plan, store }) });
  }
  return compareSummaries(read, asked, VERSION);
}

/** What the random numbers of a run are from; null where its release key has been deleted. */
async function randomnessOf({ plan, store }: StoredRun): Promise<string | null> {
  const key = runKeys(plan.runId).confidential.releaseKey;
  if ((await store.head(key)) === null) return null;
  return JSON.stringify([new TextDecoder().decode(await store.get(key)), plan.config.seed]);
}
