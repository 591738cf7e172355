import {
  type AsyncBuffer,
  type DecodedArray,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { InvalidTableError, SynthriskError } from '../contracts/errors.ts';
import type { ColumnEncoder } from './column-encoder.ts';

const PHYSICAL_TYPES = ['BOOLEAN', 'INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY'];
const ANNOTATIONS = /^(UTF8|STRING|ENUM|NULL|INTEGER|U?INT_(8|16|32|64))$/;

/**
 * Whether bytes are a Parquet file: `PAR1` at both ends. A file with the first mark only, and zero bytes, is a
 * Parquet file cut short. Error (InvalidTableError): `unreadable-parquet` for that.
 */
export function isParquet(bytes: Uint8Array): boolean {
  const isMark = (at: number) => [0x50, 0x41, 0x52, 0x31].every((byte, index) => bytes[at + index] === byte);
  if (!isMark(0)) return false;
  if (bytes.length >= 12 && isMark(bytes.length - 4)) return true;
  if (bytes.includes(0)) {
    throw new InvalidTableError('unreadable-parquet', 'the Parquet file ends early: expected its footer');
  }
  return false;
}

/**
 * Reads Parquet bytes into encoders, one column at a time; `openColumns` gets the names and returns an encoder
 * for each column, undefined for one to skip. Numbers, booleans and texts become the text that a CSV file would
 * hold: integers in full, floating point in the shortest form that gives the same number back in its own width,
 * `true` and `false`. Null and NaN are missing.
 *
 * Errors (InvalidTableError): `unreadable-parquet`, `unsupported-column` (nested, repeated, dates, decimals,
 * binary), `unsupported-compression`, `not-a-number` (an infinite value), `not-utf8`, and those of
 * `openColumns` and of the encoders.
 */
export async function readParquet(
  bytes: Uint8Array,
  openColumns: (header: readonly string[]) => (ColumnEncoder | undefined)[],
): Promise<void> {
  const file: AsyncBuffer = {
    byteLength: bytes.length,
    slice: (start, end) => bytes.slice(start, end).buffer as ArrayBuffer,
  };
  const metadata = await orUnreadable(() => parquetMetadataAsync(file));
  const elements = topLevelElements(metadata);
  const encoders = openColumns(elements.map((element) => element.name));
  for (const [index, element] of elements.entries()) {
    const encoder = encoders[index];
    if (encoder === undefined) continue;
    checkSupported(element, encoder.number);
    checkCompression(metadata, element.name);
    const chunks = await orUnreadable(() => readChunks(file, metadata, element.name, encoder.number));
    const isSingle = element.type === 'FLOAT';
    for (const chunk of chunks) {
      for (const value of chunk) encoder.add(cellText(value, isSingle, encoder.records + 1, encoder.number));
    }
    if (encoder.records !== Number(metadata.num_rows)) throw unreadable();
  }
}

/** The columns, all of them leaves: a group among them is refused when it is met. */
function topLevelElements(metadata: FileMetaData): SchemaElement[] {
  const [, ...elements] = metadata.schema;
  const topLevel: SchemaElement[] = [];
  const skipBelow = (index: number): number => {
    let next = index + 1;
    for (let child = 0; child < (elements[index]?.num_children ?? 0); child++) next = skipBelow(next);
    return next;
  };
  for (let index = 0; index < elements.length; index = skipBelow(index)) topLevel.push(elements[index]!);
  return topLevel;
}

function checkSupported(element: SchemaElement, column: number): void {
  const annotations = [element.converted_type, element.logical_type?.type].filter(
    (name) => name !== undefined,
  );
  const supported =
    PHYSICAL_TYPES.includes(element.type ?? '') &&
    element.repetition_type !== 'REPEATED' &&
    annotations.every((name) => ANNOTATIONS.test(name));
  if (supported) return;
  const found = element.num_children ? 'nested' : (annotations[0] ?? element.type ?? 'nested');
  throw new InvalidTableError(
    'unsupported-column',
    `column ${column} is ${found}: expected text, whole numbers, floating point or booleans; convert it before`,
    { column },
  );
}

function checkCompression(metadata: FileMetaData, column: string): void {
  for (const group of metadata.row_groups) {
    const chunk = group.columns.find(
      (candidate) => candidate.meta_data?.path_in_schema[0] === column,
    )?.meta_data;
    if (chunk === undefined) throw unreadable();
    if (chunk.codec !== 'UNCOMPRESSED' && compressors[chunk.codec] === undefined) {
      throw new InvalidTableError(
        'unsupported-compression',
        `the Parquet file is compressed with ${chunk.codec}: expected one of ${Object.keys(compressors).join(', ')}`,
      );
    }
  }
}

/** The values of one column, in the order of the rows. */
async function readChunks(
  file: AsyncBuffer,
  metadata: FileMetaData,
  name: string,
  column: number,
): Promise<DecodedArray[]> {
  const chunks: { rowStart: number; columnData: DecodedArray }[] = [];
  await parquetRead({
    file,
    metadata,
    columns: [name],
    compressors,
    parsers: { stringFromBytes: (text) => text && strictText(text, column) },
    onChunk: (chunk) => chunks.push(chunk),
  });
  // Row groups are decoded side by side, and arrive as each is ready.
  return chunks.sort((a, b) => a.rowStart - b.rowStart).map(({ columnData }) => columnData);
}

function strictText(text: Uint8Array, column: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new InvalidTableError('not-utf8', `column ${column} has bytes that are not UTF-8: expected text`, {
      column,
    });
  }
}

function cellText(value: unknown, isSingle: boolean, row: number, column: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return '';
    if (!Number.isFinite(value)) {
      throw new InvalidTableError('not-a-number', `row ${row}, column ${column}: expected a finite number`, {
        row,
        column,
      });
    }
    return String(isSingle ? shortestOfSingle(value) : value);
  }
  return String(value);
}

/** The number with fewest digits that rounds to the same single-precision value: 0.1, not 0.10000000149011612. */
function shortestOfSingle(value: number): number {
  // Nine significant digits tell any two single-precision numbers apart (IEEE 754).
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

function unreadable(): InvalidTableError {
  return new InvalidTableError('unreadable-parquet', 'the Parquet file is damaged: expected a readable one');
}

/** The library's messages can hold values of the file, so none is passed on. */
async function orUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SynthriskError ? error : unreadable();
  }
}
