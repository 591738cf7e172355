import { type AsyncBuffer, type DecodedArray, type FileMetaData, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { InvalidTableError, SynthriskError } from '../../contracts/errors.ts';
import { inList } from '../../contracts/in-command.ts';
import type { ColumnEncoder } from './column-encoder.ts';
import { type ColumnPlace, DATES, type Unsupported, type UnsupportedColumn, unsupportedColumns } from './unsupported-column.ts';

const PHYSICAL_TYPES = ['BOOLEAN', 'INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY'];
const ANNOTATIONS = /^(UTF8|STRING|ENUM|NULL|INTEGER|U?INT_(8|16|32|64))$/;

/** Digits that a double holds of every decimal number (IEEE 754): of a column of decimals that is declared to have no more. */
const DECIMAL_DIGITS = 15;

/** What a column that cannot be read holds, by its annotation or else its type, and what to do with it. */
const UNREADABLE: readonly (readonly [type: RegExp, ...Unsupported])[] = [
  [/^DATE$/, ...DATES],
  [/^(TIMESTAMP|INT96)/, 'timestamps', 'write what matters of them as numbers or text, such as the year'],
  [/^TIME/, 'times of day', 'write them as numbers or text, such as the hour'],
  [/^INTERVAL$/, 'time spans', 'write them as numbers, such as days'],
  [/^DECIMAL$/, `decimals of more than ${DECIMAL_DIGITS} digits`, 'convert it to floating point (DOUBLE) or whole numbers'],
  [/^FLOAT16$/, 'half-precision numbers', 'convert it to single or double precision'],
  [/^UUID$/, 'identifiers (UUID)', ''],
  [/^nested$/, 'lists or structures', 'write each part as a column of its own'],
];

/** Bytes as the Parquet library reads them. Each slice is a copy, as a Node Buffer's own slices are not. */
export function parquetFile(bytes: Uint8Array): AsyncBuffer {
  return { byteLength: bytes.length, slice: (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer };
}

/** Whether bytes are a Parquet file: `PAR1` at both ends; one that is cut short is refused (InvalidTableError `unreadable-parquet`). */
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
 * Reads Parquet bytes into encoders, one column at a time; `openColumns` gets the names and returns an encoder for each column,
 * undefined for one to skip. Numbers, booleans and texts become the text that a CSV file would hold: integers in full, floating
 * point in the shortest form that gives the same number back in its own width, decimals with all digits of their scale. Null and NaN are
 * missing.
 *
 * @throws InvalidTableError `unreadable-parquet`, `unsupported-column`, `unsupported-compression`, `unsupported-encoding`,
 * `not-a-number` (an infinite value), `not-utf8`, and those of `openColumns` and of the encoders
 */
export async function readParquet(
  bytes: Uint8Array,
  openColumns: (header: readonly string[]) => (ColumnEncoder | undefined)[],
): Promise<void> {
  const file = parquetFile(bytes);
  const metadata = await orUnreadable(() => parquetMetadataAsync(file));
  const elements = topLevelElements(metadata);
  const encoders = openColumns(elements.map((element) => element.name));
  const asked = elements.flatMap((element, index) => {
    const encoder = encoders[index];
    return encoder === undefined ? [] : [{ element, encoder, column: { name: element.name, number: encoder.number } }];
  });
  const [first, ...others] = asked.flatMap(({ element, column }): UnsupportedColumn[] => {
    const held = unsupportedOf(element);
    return held === null ? [] : [[column, held]];
  });
  if (first !== undefined) throw unsupportedColumns(first, ...others);
  for (const { element, encoder, column } of asked) {
    checkCompression(metadata, column);
    const chunks = await orUnreadable(() => readChunks(file, metadata, column), column);
    const toText = textOf(element, column);
    for (const chunk of chunks) for (const value of chunk) encoder.add(toText(value, encoder.records + 1));
    if (encoder.records !== Number(metadata.num_rows)) throw unreadable(column);
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

/** Whether a column holds decimals of a fixed scale, each of which a double tells from all others. */
const isDecimal = ({ converted_type, precision = Infinity }: SchemaElement) => converted_type === 'DECIMAL' && precision <= DECIMAL_DIGITS;

/** What a column holds that is not read; null where it is. */
function unsupportedOf(element: SchemaElement): Unsupported | null {
  const annotations = [element.logical_type?.type, element.converted_type].filter((name) => name !== undefined);
  const supported =
    element.repetition_type !== 'REPEATED' &&
    (isDecimal(element) || (PHYSICAL_TYPES.includes(element.type ?? '') && annotations.every((name) => ANNOTATIONS.test(name))));
  if (supported) return null;
  const isNested = element.num_children || element.repetition_type === 'REPEATED';
  const type = isNested ? 'nested' : (annotations[0] ?? element.type ?? 'nested');
  const known = UNREADABLE.find(([pattern]) => pattern.test(type));
  return known ? [known[1], known[2]] : [`values of type ${type}`, 'write them as text or numbers'];
}

function checkCompression(metadata: FileMetaData, { name, number }: ColumnPlace): void {
  for (const group of metadata.row_groups) {
    const chunk = group.columns.find((candidate) => candidate.meta_data?.path_in_schema[0] === name)?.meta_data;
    if (chunk === undefined) throw unreadable();
    if (chunk.codec !== 'UNCOMPRESSED' && compressors[chunk.codec] === undefined) {
      throw new InvalidTableError(
        'unsupported-compression',
        `Column \`${name}\` is compressed with ${chunk.codec}: expected ${Object.keys(compressors).join(', ')} or no compression; write the file again with one of these`,
        { column: number },
      );
    }
  }
}

/** The values of one column, in the order of the rows. */
async function readChunks(file: AsyncBuffer, metadata: FileMetaData, column: ColumnPlace): Promise<DecodedArray[]> {
  const chunks: { rowStart: number; columnData: DecodedArray }[] = [];
  await parquetRead({
    file,
    metadata,
    columns: [column.name],
    compressors,
    parsers: { stringFromBytes: (text) => text && strictText(text, column) },
    onChunk: (chunk) => chunks.push(chunk),
  });
  // Row groups are decoded side by side, and arrive as each is ready.
  return chunks.sort((a, b) => a.rowStart - b.rowStart).map(({ columnData }) => columnData);
}

function strictText(text: Uint8Array, { name, number }: ColumnPlace): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new InvalidTableError(
      'not-utf8',
      `Column \`${name}\` has bytes that are not UTF-8: expected text; write it as text, or leave the column out (--drop ${inList(name)})`,
      { column: number },
    );
  }
}

/** How the values of a column are written in CSV. */
function textOf(element: SchemaElement, { name, number }: ColumnPlace): (value: unknown, row: number) => string {
  const isSingle = element.type === 'FLOAT';
  const scale = isDecimal(element) ? (element.scale ?? 0) : null;
  const { converted_type: converted, logical_type: logical } = element;
  const isUnsigned64 = converted === 'UINT_64' || (logical?.type === 'INTEGER' && logical.bitWidth === 64 && !logical.isSigned);
  return (value, row) => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number') {
      if (Number.isNaN(value)) return '';
      if (!Number.isFinite(value)) {
        throw new InvalidTableError(
          'not-a-number',
          `row ${row}, column \`${name}\`: expected a finite number; write a missing value (null) in the place of an infinite one, or leave such rows out`,
          { row, column: number },
        );
      }
      // The library gives the product of a whole number with a power of ten, off by rounding.
      if (scale !== null) return value.toFixed(scale);
      return String(isSingle ? shortestOfSingle(value) : value);
    }
    // The library gives a nullable column of this type with the sign that its bits would have.
    if (isUnsigned64 && typeof value === 'bigint') return String(BigInt.asUintN(64, value));
    return String(value);
  };
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

function unreadable(column?: ColumnPlace): InvalidTableError {
  return new InvalidTableError(
    'unreadable-parquet',
    column === undefined
      ? 'the Parquet file is damaged: expected a readable one; write it again'
      : `Column \`${column.name}\` of the Parquet file is damaged: expected a readable one; write the file again`,
    column && { column: column.number },
  );
}

/** The library's messages can hold values of the file, so none is passed on, but for the name of an encoding. */
async function orUnreadable<T>(read: () => Promise<T>, column?: ColumnPlace): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SynthriskError) throw error;
    const [, encoding] = /^parquet unsupported encoding: ([A-Z_]+)$/.exec((error as Error).message) ?? [];
    if (encoding === undefined || column === undefined) throw unreadable(column);
    throw new InvalidTableError(
      'unsupported-encoding',
      `Column \`${column.name}\` is encoded as ${encoding}: expected an encoding that programs use by default; write the file again without naming one`,
      { column: column.number },
    );
  }
}
