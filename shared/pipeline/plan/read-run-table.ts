import { sha256 } from '../../contracts/sha256.ts';
import { readingOf, readTable, type TableWithNotices } from '../../table/files/read-table.ts';
import type { RunRequest } from './planned-run.ts';

/** The confidential table of a run as it was read. */
export interface RunTable extends TableWithNotices {
  readonly sha256: string;
}

/**
 * Reads the table of a run, as its config says.
 *
 * @throws what `readTable` throws
 */
export async function readRunTable({ config, table }: RunRequest): Promise<RunTable> {
  const read = await readTable(table, readingOf(config));
  return { ...read, sha256: await sha256(table) };
}
