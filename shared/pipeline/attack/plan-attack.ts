import { ATTACK_DEFAULTS } from '../../contracts/config/attack.ts';
import type { Config } from '../../contracts/config/config.ts';
import { InvalidTableError } from '../../contracts/errors.ts';
import { overlapsTable } from '../../risk/attack/control-overlap.ts';
import { openAttack } from '../../risk/attack/open-attack.ts';
import { copiesOfTables } from '../../risk/copies/count-copies.ts';
import { readingWithoutModel, readTable } from '../../table/files/read-table.ts';
import { requireModelFree } from '../files/named-variables.ts';
import { type NamedFile, readFiles } from '../files/read-files.ts';
import { type AttackedRun, optimalTests, refuseOtherTable } from './optimal-tests.ts';

/** What `attack` is asked to do. Files are read when they are needed. */
export interface AttackRequest {
  readonly config: Config;
  /** The confidential table, CSV or Parquet. */
  readonly table: () => Promise<Uint8Array>;
  readonly datasets: readonly NamedFile[];
  /** Records of the same kind that the release was not made from. */
  readonly control: NamedFile | null;
  /** The run that made or assessed the datasets, whose optimal test the attacks are held against. */
  readonly run: AttackedRun | null;
}

/**
 * Reads a table, the datasets of a release and a control.
 *
 * @throws InvalidTableError `control-overlaps-table` for a control that holds records of the table, and what is wrong with a
 * file, with its name; UnsupportedOptionError `impute-without-model`; and what `openAttack`, `refuseOtherTable` and
 * `optimalTests` throw
 */
export async function planAttack(request: AttackRequest) {
  const { config } = request;
  requireModelFree(config);
  const reading = readingWithoutModel(config);
  const bytes = await request.table();
  const { table, notices } = await readTable(bytes, reading);
  if (request.run !== null) await refuseOtherTable(request.run, bytes, table);
  const opened = openAttack(config.attack ?? ATTACK_DEFAULTS, table.schema, table.records);
  const files = [request.control, ...request.datasets].filter((file) => file !== null);
  const read = await readFiles(files, table.schema, reading);
  const [control, datasets] = request.control === null ? [null, read] : [read[0]!, read.slice(1)];
  if (control !== null && overlapsTable(table, control)) {
    throw new InvalidTableError(
      'control-overlaps-table',
      `${request.control!.name}: more of its records are in the table than can be by chance. A control holds records that the release was not made from: give some that were left out before it was made.`,
    );
  }
  const optimal = await optimalTests(request.run, datasets);
  return { input: { table, datasets, control, optimal }, opened, copied: copiesOfTables(table, datasets), notices };
}
