import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { concatenated } from '../../contracts/concatenated.ts';
import { NumericalError } from '../../contracts/errors.ts';

/** One column of a Parquet file; null is a missing value. */
export type ParquetColumn =
  | { name: string; type: 'string'; values: readonly (string | null)[] }
  | { name: string; type: 'boolean'; values: readonly (boolean | null)[] }
  | { name: string; type: 'double'; values: Float64Array | readonly (number | null)[] }
  | { name: string; type: 'int32'; values: Int32Array | readonly (number | null)[] }
  /** Whole numbers that may be larger, as doubles hold them. */
  | { name: string; type: 'int64'; values: Float64Array | readonly (number | null)[] };

const BASIC_TYPES = { string: 'STRING', boolean: 'BOOLEAN', double: 'DOUBLE', int32: 'INT32', int64: 'INT64' } as const;

/**
 * Parquet bytes of row groups, one after the other: each is columns of equal length, with the names and types of the first.
 * Every column is nullable and Snappy-compressed. The same groups give the same bytes: the file records neither a time nor a
 * machine, and the compressor is plain integer arithmetic.
 *
 * @param metadata keys and values of its key-value metadata, in their order
 * @throws NumericalError `not-finite` for NaN or an infinite number, its row counted over all groups; RangeError for columns of
 * different lengths, a value that its type of whole numbers cannot hold, or no group at all
 */
export function encodeParquet(groups: Iterable<readonly ParquetColumn[]>, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
  const writer = parquetWriter(metadata);
  return concatenated([...Array.from(groups, writer.piece), writer.end()]);
}

/** What writes the same bytes piece by piece: a piece a group, and one of what closes the file. */
export function parquetWriter(metadata: Readonly<Record<string, string>> = {}): {
  readonly piece: (columns: readonly ParquetColumn[]) => Uint8Array;
  readonly end: () => Uint8Array;
} {
  const bytes = new ByteWriter();
  /** What has been written since the last piece; places in the file are counted from its beginning all the same. */
  const written = () => {
    const own = bytes.getBytes().slice();
    bytes.index = 0;
    return own;
  };
  let writer: ParquetWriter | undefined;
  let rows = 0;
  return {
    piece(columns) {
      const length = columns[0]?.values.length ?? 0;
      for (const column of columns) {
        if (column.values.length !== length) {
          throw new RangeError(`column ${column.name}: expected ${length} values, found ${column.values.length}`);
        }
        if (column.type !== 'string' && column.type !== 'boolean') checkNumbers(column, rows);
      }
      const columnData = columns.map(({ name, type, values }) => ({
        name,
        type: BASIC_TYPES[type],
        data: type === 'int64' ? Array.from(values, (value) => (value === null ? null : BigInt(value))) : plainData(values),
      }));
      writer ??= new ParquetWriter({
        writer: bytes,
        schema: schemaFromColumnData({ columnData }),
        codec: 'SNAPPY',
        kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      });
      writer.write({ columnData, rowGroupSize: Math.max(1, length) });
      rows += length;
      return written();
    },
    end() {
      if (writer === undefined) throw new RangeError('a Parquet file needs a row group');
      writer.finish();
      return written();
    },
  };
}

function checkNumbers(column: Extract<ParquetColumn, { type: 'double' | 'int32' | 'int64' }>, rowsBefore: number): void {
  for (const [index, value] of column.values.entries()) {
    if (value === null) continue;
    if (!Number.isFinite(value)) {
      throw new NumericalError('not-finite', `row ${rowsBefore + index + 1}, column ${column.name}: expected a finite number or null`);
    }
    if (column.type === 'int32' && value !== (value | 0)) {
      throw new RangeError(`row ${rowsBefore + index + 1}, column ${column.name}: expected a 32-bit integer`);
    }
    if (column.type === 'int64' && !Number.isSafeInteger(value)) {
      throw new RangeError(`row ${rowsBefore + index + 1}, column ${column.name}: expected a whole number`);
    }
  }
}

/** The writer's types are mutable; it does not change what it is given. */
function plainData(values: ParquetColumn['values']): Float64Array | Int32Array | unknown[] {
  return values instanceof Float64Array || values instanceof Int32Array ? values : (values as unknown[]);
}
