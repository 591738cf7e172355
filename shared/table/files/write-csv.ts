import { stringify } from 'csv-stringify/sync';
import { concatenated } from '../../contracts/concatenated.ts';
import { NumericalError } from '../../contracts/errors.ts';

/** Rows of a piece, which bounds the memory beside the result. */
const PIECE_ROWS = 4096;

/** Texts that are remembered with the quotes around them that they need: categories, which come again and again. */
const MOST_QUOTED = 10_000;

/** A row of a table: null is an empty field. */
type CsvRow = readonly (string | number | boolean | null)[];

/** A column of a table. */
type CsvColumn = CsvRow | Float64Array;

/**
 * CSV bytes of a header and rows: RFC 4180 quoting, comma, UTF-8 without byte-order mark, LF at the end of each line. Null is an
 * empty field, numbers the shortest text that reads back as the same double. In a file of one column an empty field is written
 * `""`, since an empty line is no record. Texts are written as they are, although one that begins with `=`, `+`, `-` or `@` can
 * run as a formula in a spreadsheet: an apostrophe before it would change the data, and quotes do not prevent it.
 *
 * @throws NumericalError `not-finite` for NaN or an infinite number; RangeError for a row of another length than the header
 */
export function encodeCsv(header: readonly string[], rows: Iterable<CsvRow>): Uint8Array {
  const writer = csvWriter(header);
  return concatenated([writer.header, ...writer.pieces(rows)]);
}

/** What writes the same bytes piece by piece: the header, then rows, or columns of equal length, of which several groups may follow each other. */
export function csvWriter(header: readonly string[]): {
  readonly header: Uint8Array;
  readonly pieces: (rows: Iterable<CsvRow>) => Generator<Uint8Array>;
  readonly columnPieces: (columns: readonly CsvColumn[]) => Generator<Uint8Array>;
} {
  const encoder = new TextEncoder();
  const quotedOf = fieldText(header.length === 1);
  let row = 0;
  const textOf = (field: CsvRow[number], column: number) => {
    if (typeof field !== 'number') return quotedOf(field);
    if (Number.isFinite(field)) return String(field);
    throw new NumericalError('not-finite', `row ${row}, column ${header[column]}: expected a finite number or null`);
  };
  return {
    header: encoder.encode(`${header.map(quotedOf).join(',')}\n`),
    *pieces(rows) {
      let lines: string[] = [];
      for (const fields of rows) {
        row++;
        if (fields.length !== header.length) {
          throw new RangeError(`row ${row}: expected ${header.length} fields, found ${fields.length}`);
        }
        if (lines.push(`${fields.map(textOf).join(',')}\n`) < PIECE_ROWS) continue;
        yield encoder.encode(lines.join(''));
        lines = [];
      }
      if (lines.length > 0) yield encoder.encode(lines.join(''));
    },
    *columnPieces(columns) {
      const { length } = columns[0]!;
      for (let from = 0; from < length; from += PIECE_ROWS) {
        let text = '';
        for (let at = from; at < Math.min(length, from + PIECE_ROWS); at++) {
          row++;
          text += textOf(columns[0]![at]!, 0);
          for (let c = 1; c < columns.length; c++) text += `,${textOf(columns[c]![at]!, c)}`;
          text += '\n';
        }
        yield encoder.encode(text);
      }
    },
  };
}

/** How a field is written: csv-stringify puts quotes around those that need them, each only once. */
function fieldText(isAlone: boolean): (field: CsvRow[number]) => string {
  const quoted = new Map<string, string>();
  return (field) => {
    if (field === null || field === '') return isAlone ? '""' : '';
    if (typeof field !== 'string') return String(field);
    const known = quoted.get(field);
    if (known !== undefined) return known;
    const text = /[",\n\r]/.test(field) ? stringify([[field]]).slice(0, -1) : field;
    if (quoted.size < MOST_QUOTED) quoted.set(field, text);
    return text;
  };
}

/**
 * CSV bytes, as {@link encodeCsv} gives them, of records that repeat distinct rows, each made into text once: `rowOfRecord` is
 * the index of a record's row (RangeError where there is none).
 */
export function encodeRepeatedCsv(
  header: readonly string[],
  distinctRows: Iterable<readonly (string | number | boolean | null)[]>,
  rowOfRecord: ArrayLike<number>,
): Uint8Array {
  const lines = encodeCsv(header, distinctRows);
  const ends = lineEnds(lines);
  const headerBytes = ends[0]!;
  let length = headerBytes;
  for (let record = 0; record < rowOfRecord.length; record++) {
    const row = rowOfRecord[record]!;
    if (!(row < ends.length - 1)) throw new RangeError(`record ${record + 1}: there is no row ${row}`);
    length += ends[row + 1]! - ends[row]!;
  }
  const bytes = new Uint8Array(length);
  bytes.set(lines.subarray(0, headerBytes));
  let offset = headerBytes;
  for (let record = 0; record < rowOfRecord.length; record++) {
    const end = ends[rowOfRecord[record]! + 1]!;
    for (let at = ends[rowOfRecord[record]!]!; at < end; at++) bytes[offset++] = lines[at]!;
  }
  return bytes;
}

/** Where each line of CSV bytes ends, past its LF: line ends inside quotes are part of a field. */
function lineEnds(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  let quoted = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    if (bytes[offset] === 0x22) quoted = !quoted;
    if (bytes[offset] === 0x0a && !quoted) ends.push(offset + 1);
  }
  return ends;
}
