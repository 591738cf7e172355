import { stringify } from 'csv-stringify/sync';
import { NumericalError } from '../contracts/errors.ts';

/** Rows made into text at a time, which bounds the memory beside the result. */
const BLOCK_ROWS = 4096;

/**
 * CSV bytes of a header and rows: RFC 4180 quoting, comma, UTF-8 without byte-order mark, LF at the end of each
 * line. Null is an empty field, booleans are `true` and `false`, numbers the shortest text that reads back as
 * the same double. In a file of one column an empty field is written `""`, since an empty line is no record.
 *
 * Texts are written as they are. One that begins with `=`, `+`, `-` or `@` can run as a formula when the file
 * is opened in a spreadsheet; the usual remedy, an apostrophe before it, would change the data (`-1` is a common
 * code), and quotes do not prevent it. Where texts cannot be trusted, import the columns as text instead.
 *
 * Errors: NumericalError `not-finite` for NaN or an infinite number (what is undefined is null); RangeError for
 * a row with another number of fields than the header.
 */
export function encodeCsv(
  header: readonly string[],
  rows: Iterable<readonly (string | number | boolean | null)[]>,
): Uint8Array {
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  let block: (readonly unknown[])[] = [header];
  let row = 0;
  const flush = () => {
    const text = stringify(block, {
      quoted_empty: header.length === 1,
      // The library's default writes true as 1 and false as nothing.
      cast: { boolean: String, number: String },
    });
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
      throw new NumericalError(
        'not-finite',
        `row ${row}, column ${header[bad]}: expected a finite number or null`,
      );
    }
    block.push(fields);
    if (block.length === BLOCK_ROWS) flush();
  }
  if (block.length > 0) flush();
  return concatenated(blocks);
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
