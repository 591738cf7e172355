import type { Config } from '../../contracts/config/config.ts';
import { InvalidTableError } from '../../contracts/errors.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { controlUnread } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { formatCount, formatQuantity } from '../../report/words/format-number.ts';
import { copiedRecords, overlapsTable } from '../../risk/attack/control-overlap.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { readingOf, readMoreRecords } from '../../table/files/read-table.ts';
import { refuseImpossibleRecords, type Support } from '../../table/support/support.ts';
import type { Table } from '../../table/table.ts';
import { ofFile } from '../files/read-files.ts';

/** People who are not in the table. */
export interface PlannedControl {
  readonly sha256: string;
  readonly people: Table;
  /** What a reader should know of it. */
  readonly warnings: readonly Warning[];
}

/**
 * Chances below which records of the table in a control are warned of, and a control with most of them is refused. Of 1,200 splits of a
 * survey of 7,014 people at random one was below 0.005.
 */
const CHANCE = { told: 0.01, refused: 0.001 };

/** Share of the table beyond which a control is no control. */
const MOST_COPIED = 0.5;

/**
 * Reads the control of a run, and holds it to be of other people than the table; null where it has none.
 *
 * @param bytes of the file that `attributeRisk.control` names
 * @param support the possible cells, where some are impossible
 * @throws UnsupportedOptionError `control-unread` when a file is named, and not there to be read
 * @throws InvalidTableError `control-overlaps-table`, and as `readMoreRecords` and `refuseImpossibleRecords` do
 */
export async function planControl(
  config: Config,
  bytes: Uint8Array | undefined,
  table: Table,
  support: Support | undefined,
): Promise<PlannedControl | null> {
  if (config.attributeRisk.control === undefined) return null;
  if (bytes === undefined) throw controlUnread();
  const { table: control, notices } = await ofFile('control', readPeople(config, bytes, table.schema, support));
  const copied = copiedRecords(table, control);
  if (overlapsTable(table, control) || (copied.chance < CHANCE.refused && copied.records > MOST_COPIED * table.records)) {
    throw new InvalidTableError(
      'control-overlaps-table',
      'control: more of its rows are those of the table than can be by chance. A control is of people who are not in the table: take the records of the table out of it, or split the file anew before the table is made.',
    );
  }
  return {
    sha256: await sha256(bytes),
    people: control,
    warnings: [
      ...notices.map((notice) => ({ code: 'table-notice', message: `control: ${notice}` })),
      ...(copied.chance < CHANCE.told ? [holdsRecords(copied.records, table.records)] : []),
    ],
  };
}

const holdsRecords = (copied: number, records: number): Warning => ({
  code: 'control-holds-records',
  message: `About ${formatCount(copied)} of the ${formatQuantity(records, 'record')} of the table seem to be in the control: more of its rows are in the table than chance explains. Members and others then look more alike than they are. Take the records of the table out of the control.`,
});

async function readPeople(config: Config, bytes: Uint8Array, schema: TableSchema, support: Support | undefined) {
  const read = await readMoreRecords(bytes, schema, readingOf(config));
  if (support) refuseImpossibleRecords(uniqueCombinations(read.table), categorySizes(schema), support);
  return read;
}
