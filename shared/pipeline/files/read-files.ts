import { InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { readTableAs, type TableReading } from '../../table/files/read-table.ts';
import type { Table } from '../../table/table.ts';

/** A file that is read when it is needed, so that the bytes of one are there at a time, with its name for messages. */
export interface NamedFile {
  readonly name: string;
  readonly read: () => Promise<Uint8Array>;
}

/** What reading a file comes to; an InvalidTableError names the file. */
export async function ofFile<Read>(name: string, reading: Promise<Read>): Promise<Read> {
  return reading.catch((error) => {
    throw error instanceof InvalidTableError ? new InvalidTableError(error.code, `${name}: ${error.message}`, error.where) : error;
  });
}

/**
 * Reads files of the variables of a table one after the other.
 *
 * @throws InvalidTableError as `readTableAs` does, with the name of the file
 */
export async function readFiles(files: readonly NamedFile[], schema: TableSchema, reading: TableReading): Promise<Table[]> {
  const tables: Table[] = [];
  for (const { name, read } of files) tables.push((await ofFile(name, readTableAs(await read(), schema, reading))).table);
  return tables;
}
