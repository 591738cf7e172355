import { stringify } from 'csv-stringify/sync';
import { NumericalError } from '../../contracts/errors.ts';

/** Rows made into text at a time, which bounds the memory beside the result. */
const BLOCK_ROWS = 4096;

/**
 * CSV bytes of a header and rows: RFC 4180 quoting, comma, UTF-8 without byte-order mark, LF at the end of each line. Null is an
 * empty field, numbers the shortest text that reads back as the same double. In a file of one column an empty field is written
 * `""`, since an empty line is no record. Texts are written as they are, although one that begins with `=`, `+`, `-` or `@` can
 * run as a formula in a spreadsheet: an apostrophe before it would change the data, and quotes do not prevent it.
 *
 * @throws NumericalError `not-finite` for NaN or an infinite number; RangeError for a row of another length than the header
 */
export function encodeCsv(header: readonly string[], rows: Iterable<readonly (string | number | boolean | null)[]>): Uint8Array {
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  let block: (readonly unknown[])[] = [header];
  let row = 0;
  const flush = () => {
    // The library's default writes true as 1 and false as nothing.
    const text = stringify(block, { quoted_empty: header.length === 1, cast: { boolean: String, number: String } });
    blocks.push(encoder.encode(text));
    block = [];
  };
  for (const fields of rows) {
    row++;
    if (fields.length !== header.length) {
      throw new RangeError(`row ${row}: expected ${header.length} fields, found ${fields.length}`);
    }
    const bad = fields.findIndex((field) => typeof field === 'number' && !Number.isFinite(field));
    if (bad >= 0) {
      throw new NumericalError('not-finite', `row ${row}, column ${header[bad]}: expected a finite number or null`);
    }
    block.push(fields);
    if (block.length === BLOCK_ROWS) flush();
  }
  if (block.length > 0) flush();
  return concatenated(blocks);
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

function concatenated(blocks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(blocks.reduce((total, block) => total + block.length, 0));
  let offset = 0;
  for (const block of blocks) {
    bytes.set(block, offset);
    offset += block.length;
  }
  return bytes;
}
