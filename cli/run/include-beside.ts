import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { output, ZodType } from 'zod';
import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { attackSummarySchema } from '../../shared/contracts/results/attack.ts';
import { remediesSchema } from '../../shared/contracts/results/remedies.ts';
import type { OpenedRun } from './open-run.ts';

/**
 * Puts what the command `attack` found of a release beside the risk of its run, for the report to show.
 *
 * @throws InvalidConfigError when the folder holds none, or one of other numbers of records or datasets
 */
export async function includeAttack({ plan, store }: OpenedRun, directory: string): Promise<void> {
  const found = await readDocument(directory, 'attack', attackSummarySchema);
  const { records } = plan.table;
  const datasets = plan.datasets.count;
  if (found.records !== records || found.datasets !== datasets) {
    throw new InvalidConfigError(
      'other-release',
      `The measures in ${directory} are of another release: they count other records or datasets than the run has.`,
    );
  }
  await store.put(runKeys(plan.runId).confidential.attack, encodeJson(found));
}

/**
 * Puts what the command `remedies` found beside the run that it tried them on, for the report to show.
 *
 * @throws InvalidConfigError when the folder holds none, or those of another run
 */
export async function includeRemedies({ plan, store }: OpenedRun, directory: string): Promise<void> {
  const found = await readDocument(directory, 'remedies', remediesSchema);
  if (found.runId !== plan.runId) {
    throw new InvalidConfigError('other-run', `The remedies in ${directory} were tried on another run.`);
  }
  await store.put(runKeys(plan.runId).confidential.remedies, encodeJson(found));
}

/** The document that a command left in a folder. */
async function readDocument<Schema extends ZodType>(
  directory: string,
  command: 'attack' | 'remedies',
  schema: Schema,
): Promise<output<Schema>> {
  const path = join(directory, 'confidential', `${command}.json`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new InvalidConfigError(`no-${command}`, `There is no ${path}: name the folder that \`synthrisk ${command}\` wrote (--out).`);
  }
  const parsed = schema.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new InvalidConfigError(
      `no-${command}`,
      `${path} is not what \`synthrisk ${command}\` of this version writes. Run that command again.`,
    );
  }
  return parsed.data;
}
