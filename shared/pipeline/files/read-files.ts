import { InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { readTableAs, type TableReading } from '../../table/files/read-table.ts';
import type { Table } from '../../table/table.ts';

/** A file that is read when it is needed, with its name for messages. */
export interface NamedFile {
  readonly name: string;
  readonly read: () => Promise<Uint8Array>;
}

/**
 * Reads files of the variables of a table one after the other.
 *
 * @throws InvalidTableError as `readTableAs` does, with the name of the file
 */
export async function readDatasets(files: readonly NamedFile[], schema: TableSchema, reading: TableReading): Promise<Table[]> {
  const datasets: Table[] = [];
  for (const { name, read } of files) {
    const dataset = await readTableAs(await read(), schema, reading).catch((error) => {
      throw error instanceof InvalidTableError ? new InvalidTableError(error.code, `${name}: ${error.message}`, error.where) : error;
    });
    datasets.push(dataset.table);
  }
  return datasets;
}
