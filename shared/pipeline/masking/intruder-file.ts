import type { Linkage } from '../../contracts/config/linkage.ts';
import { withErrors } from '../../masking/inject-errors.ts';
import { sampleRecords } from '../../masking/mask-table.ts';
import type { Streams } from '../../random/streams.ts';
import { NO_RECORD } from '../../risk/linkage/link-records.ts';
import { type Column, chosenRecords, type Table } from '../../table/table.ts';

/** What an intruder has, and where the rows of a release are in it. */
export interface IntruderFile {
  readonly records: number;
  /** One a compared variable. */
  readonly columns: readonly Column[];
  /** For each row of the release its record in the file, from 0; -1 where he does not have it. */
  readonly own: Int32Array;
}

/**
 * The file of an intruder: the table, or some of its records drawn by chance, with errors in some of the variables of each
 * (002 section 3).
 *
 * @param variables that are compared
 * @param rows for each row of the release its record of the table, from 0
 * @param streams opened as `intruder/records` and `intruder/errors`
 */
export function intruderFile(
  table: Table,
  variables: readonly number[],
  rows: Uint32Array,
  { intruderShare, errors }: Pick<Linkage, 'intruderShare' | 'errors'>,
  streams: Streams,
): IntruderFile {
  const held = intruderShare < 1 ? sampleRecords(streams.open('intruder/records'), table.records, intruderShare) : null;
  const file = held === null ? table : chosenRecords(table, held);
  const compared = variables.map((v) => file.columns[v]!);
  const columns = errors > 0 ? withErrors(streams.open('intruder/errors'), compared, errors) : compared;
  const place = new Int32Array(table.records).fill(NO_RECORD);
  if (held === null) for (let record = 0; record < table.records; record++) place[record] = record;
  else for (const [index, record] of held.entries()) place[record] = index;
  return { records: file.records, columns, own: Int32Array.from(rows, (record) => place[record]!) };
}
