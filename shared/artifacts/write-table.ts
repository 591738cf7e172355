import type { Column, ResultTable } from '../contracts/column.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Store } from '../storage/store.ts';
import { csvWriter, encodeCsv } from '../table/files/write-csv.ts';
import { type ParquetColumn, parquetWriter } from '../table/files/write-parquet.ts';

/** Rows that are in memory at a time as values rather than as bytes: a row group of the Parquet file. */
export const GROUP_ROWS = 16_384;

/** Rows of a table, numbered from 0, and what each is of. */
export interface Rows<Of> {
  readonly rows: number;
  readonly of: (row: number) => Of;
}

/** Rows that have an object each. */
export const listed = <Of>(list: readonly Of[]): Rows<Of> => ({ rows: list.length, of: (row) => list[row]! });

/** Rows that share an object. */
export const rowsOf = <Of>(rows: number, of: Of): Rows<Of> => ({ rows, of: () => of });

/** Rows that are put one below the other, of which not all are in memory; they have the columns of what `like` is of. */
export interface Parts<Of> {
  readonly like: Of;
  readonly parts: () => Iterable<Rows<Of>> | AsyncIterable<Rows<Of>>;
}

/** Parts of several, one below the other; they have the columns of the first. */
export const below = <Of>(several: readonly Parts<Of>[]): Parts<Of> => ({
  like: several[0]!.like,
  async *parts() {
    for (const { parts } of several) yield* parts();
  },
});

/** A column with its name; those of the table's own variables one by one. */
type Named<Of> = Omit<Column<Of>, 'when'> & { readonly name: string };

function namedColumns<Of>({ columns }: ResultTable<Of>, like: Of): Named<Of>[] {
  return Object.entries(columns).flatMap(([name, column]): Named<Of>[] => {
    if (column.type !== 'variables') return column.when?.(like) === false ? [] : [{ name, ...column }];
    const { meaning, names, value } = column;
    return names(like).map((own, v) => ({ name: own, type: 'string', meaning, maybeMissing: true, value: (of, row) => value(of, row, v) }));
  });
}

type Values = readonly ReturnType<Column<never>['value']>[] | Float64Array;

/** Values of a column: as numbers where none can be missing. */
const emptyValues = <Of>({ type, maybeMissing, isEmpty }: Named<Of>): Values =>
  type === 'double' && !maybeMissing && isEmpty === undefined ? new Float64Array(GROUP_ROWS) : new Array<Values[number]>(GROUP_ROWS);

/** Columns of groups of rows, whatever the parts that these are from: one group without rows where there are none. */
async function* groupsOf<Of>(columns: readonly Named<Of>[], { parts }: Parts<Of>): AsyncGenerator<Values[], void, undefined> {
  const empty = () => columns.map(emptyValues);
  let group = empty();
  let [filled, groups] = [0, 0];
  for await (const { rows, of } of parts()) {
    for (let from = 0; from < rows; ) {
      const to = Math.min(rows, from + GROUP_ROWS - filled);
      for (const [c, { value, isEmpty }] of columns.entries()) {
        const values = group[c] as Values[number][];
        for (let row = from, at = filled; row < to; row++) values[at++] = isEmpty?.(of(row)) ? null : value(of(row), row);
      }
      filled += to - from;
      from = to;
      if (filled < GROUP_ROWS) continue;
      yield group;
      group = empty();
      filled = 0;
      groups++;
    }
  }
  if (filled > 0 || groups === 0) yield group.map((values) => values.slice(0, filled));
}

/** A table as CSV. */
export function tableCsv<Of>(table: ResultTable<Of>, { rows, of }: Rows<Of>): Uint8Array {
  const columns = namedColumns(table, of(0));
  const cells = Array.from({ length: rows }, (_, row) =>
    columns.map(({ value, isEmpty }) => (isEmpty?.(of(row)) ? null : value(of(row), row))),
  );
  return encodeCsv(
    columns.map(({ name }) => name),
    cells,
  );
}

/** Stores a table whose parts are all in memory, as {@link writeParts} does; they have the columns of the first. */
export async function writeTable<Of>(store: Store, runId: string, table: ResultTable<Of>, ...parts: readonly Rows<Of>[]): Promise<void> {
  await writeParts(store, runId, table, { like: parts[0]!.of(0), parts: () => parts });
}

/**
 * Stores a table as CSV and as Parquet side by side, group of rows after group, one of them in memory at a time. The Parquet file says what
 * a row and each column is, in its key-value metadata: `synthrisk.row`, and `synthrisk.columns`, JSON with the meaning of each column by
 * its name.
 */
export async function writeParts<Of>(store: Store, runId: string, table: ResultTable<Of>, parts: Parts<Of>): Promise<void> {
  const keys = runKeys(runId).confidential.table(table.file);
  const columns = namedColumns(table, parts.like);
  const csv = csvWriter(columns.map(({ name }) => name));
  const meanings = Object.fromEntries(columns.map(({ name, meaning }) => [name, meaning]));
  const parquet = parquetWriter({ 'synthrisk.row': table.row, 'synthrisk.columns': JSON.stringify(meanings) });
  const [[toCsv, ofCsv], [toParquet, ofParquet]] = [openStream(), openStream()];
  const fill = async () => {
    await toCsv.write(csv.header);
    for await (const group of groupsOf(columns, parts)) {
      for (const piece of csv.columnPieces(group)) await toCsv.write(piece);
      await toParquet.write(parquet.piece(columns.map(({ name, type }, c) => ({ name, type, values: group[c] }) as ParquetColumn)));
    }
    await toParquet.write(parquet.end());
    await Promise.all([toCsv.close(), toParquet.close()]);
  };
  // What nobody takes any more has to be refused: a write of it would never end, nor would its abortion.
  const put = (key: string, reader: Reader) =>
    store.putPieces(key, piecesOf(reader)).catch(async (reason) => {
      await reader.cancel(reason);
      throw reason;
    });
  const tasks = [put(keys.csv, ofCsv), put(keys.parquet, ofParquet), fill()];
  let failed: { readonly reason: unknown } | undefined;
  // When one fails, the others have to end as well, for the same reason.
  const stop = async (reason: unknown) => {
    failed ??= { reason };
    await Promise.all([toCsv, toParquet].map((writer) => writer.abort(failed!.reason)));
  };
  await Promise.all(tasks.map((task) => task.catch(stop)));
  if (failed) throw failed.reason;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Both ends of a stream. */
function openStream(): readonly [WritableStreamDefaultWriter<Uint8Array>, Reader] {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return [writable.getWriter(), readable.getReader()];
}

/** What comes through a stream. */
async function* piecesOf(reader: Reader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
