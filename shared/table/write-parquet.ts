import { parquetWriteBuffer } from 'hyparquet-writer';
import { NumericalError } from '../contracts/errors.ts';

/** One column of a Parquet file; null is a missing value. */
export type ParquetColumn =
  | { name: string; type: 'string'; values: readonly (string | null)[] }
  | { name: string; type: 'boolean'; values: readonly (boolean | null)[] }
  | { name: string; type: 'double'; values: Float64Array | readonly (number | null)[] }
  | { name: string; type: 'int32'; values: Int32Array | readonly (number | null)[] };

const BASIC_TYPES = { string: 'STRING', boolean: 'BOOLEAN', double: 'DOUBLE', int32: 'INT32' } as const;

/**
 * Parquet bytes of columns of equal length, every column nullable, Snappy-compressed. The same columns give the
 * same bytes: the file records neither a time nor a machine, and the compressor is plain integer arithmetic.
 *
 * Errors: NumericalError `not-finite` for NaN or an infinite number (what is undefined is null); RangeError for
 * columns of different lengths, or an `int32` value that is not a 32-bit integer.
 */
export function encodeParquet(columns: readonly ParquetColumn[]): Uint8Array {
  const records = columns[0]?.values.length ?? 0;
  for (const column of columns) {
    if (column.values.length !== records) {
      throw new RangeError(
        `column ${column.name}: expected ${records} values, found ${column.values.length}`,
      );
    }
    if (column.type === 'double' || column.type === 'int32') checkNumbers(column);
  }
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, type, values }) => ({
      name,
      type: BASIC_TYPES[type],
      data: plainData(values),
    })),
    codec: 'SNAPPY',
  });
  return new Uint8Array(buffer);
}

function checkNumbers(column: Extract<ParquetColumn, { type: 'double' | 'int32' }>): void {
  for (const [index, value] of column.values.entries()) {
    if (value === null) continue;
    if (!Number.isFinite(value)) {
      throw new NumericalError(
        'not-finite',
        `row ${index + 1}, column ${column.name}: expected a finite number or null`,
      );
    }
    if (column.type === 'int32' && value !== (value | 0)) {
      throw new RangeError(`row ${index + 1}, column ${column.name}: expected a 32-bit integer`);
    }
  }
}

/** The writer's types are mutable; it does not change what it is given. */
function plainData(values: ParquetColumn['values']): Float64Array | Int32Array | unknown[] {
  return values instanceof Float64Array || values instanceof Int32Array ? values : (values as unknown[]);
}
