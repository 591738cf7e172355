import { CsvError, parse } from 'csv-parse/sync';
import { InvalidTableError } from '../../contracts/errors.ts';
import { checkUtf8 } from './check-utf8.ts';
import { sniffDelimiter } from './sniff-delimiter.ts';

/** What takes the cells of a column, from the first record to the last. */
interface CellReader {
  add(text: string): void;
}

/**
 * Reads CSV bytes into encoders, one row at a time; `openColumns` gets the header and returns an encoder for
 * each column, undefined for one to skip. Fields follow RFC 4180, delimited by comma, semicolon or tab, lines
 * end with LF, CRLF or CR, and a UTF-8 byte-order mark is accepted. Cells are kept as they are, spaces included.
 *
 * Empty lines at the end are dropped (in a file of one column with a notice: there one could be a missing
 * value, to be written `""`); any other empty line is a ragged row, or a missing value in a file of one column.
 *
 * Returns notices. Errors (InvalidTableError): `empty-file`, `not-utf8`, `ragged-row`, `unclosed-quote`,
 * `malformed-quote`, and those of `openColumns` and of the encoders.
 */
export function readCsv(bytes: Uint8Array, openColumns: (header: readonly string[]) => (CellReader | undefined)[]): string[] {
  checkUtf8(bytes);
  const { text, emptyLinesAtEnd } = trimmed(bytes);
  if (text.length === 0) throw new InvalidTableError('empty-file', 'the file is empty: expected a header and records');

  let header: readonly string[] | undefined;
  let columns: (CellReader | undefined)[] = [];
  let row = 0;
  const onRow = (fields: string[]): null => {
    if (header === undefined) {
      columns = openColumns(fields);
      header = fields;
      return null;
    }
    row++;
    if (fields.length !== header.length) throw raggedRow(row, header.length, fields);
    for (let index = 0; index < fields.length; index++) columns[index]?.add(fields[index]!);
    // The parser keeps nothing of a row for which it gets null.
    return null;
  };
  try {
    parse(text, {
      delimiter: sniffDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      // Our own check names the row; the parser's error would carry the record.
      relax_column_count: true,
      on_record: onRow,
    });
  } catch (error) {
    if (error instanceof CsvError) throw quoteError(error, header && row + 1);
    throw error;
  }
  if (header?.length === 1 && emptyLinesAtEnd > 0) {
    return [`empty lines at the end of the file were ignored (${emptyLinesAtEnd}); in a file of one column, write a missing value as ""`];
  }
  return [];
}

/** The bytes without byte-order mark and without the line ends at the end of the file. */
function trimmed(bytes: Uint8Array): { text: Uint8Array; emptyLinesAtEnd: number } {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  let lineEnds = 0;
  while (end > start && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) {
    end -= bytes[end - 1] === 0x0a && bytes[end - 2] === 0x0d ? 2 : 1;
    lineEnds++;
  }
  return { text: bytes.subarray(start, Math.max(start, end)), emptyLinesAtEnd: Math.max(0, lineEnds - 1) };
}

function raggedRow(row: number, expected: number, fields: readonly string[]): InvalidTableError {
  const found = fields.length === 1 && fields[0] === '' ? 'an empty line' : `${fields.length}`;
  const hint =
    fields.length === expected + 1
      ? '; a delimiter at the end of each line, or row names without a header of their own, give one field too many'
      : '';
  return new InvalidTableError('ragged-row', `row ${row}: expected ${expected} fields, as in the header, found ${found}${hint}`, { row });
}

/** Names the place of a quoting error. The parser's own message and fields hold values: none is passed on. */
function quoteError(error: CsvError, row: number | undefined): InvalidTableError {
  const column = typeof error.column === 'number' ? error.column + 1 : undefined;
  const place = [row === undefined ? 'in the header' : `row ${row}`, ...(column === undefined ? [] : [`column ${column}`])].join(', ');
  const where = { ...(row === undefined ? {} : { row }), ...(column === undefined ? {} : { column }) };
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new InvalidTableError(
      'unclosed-quote',
      `${place}: a field opens with a quote that is never closed: expected a closing quote`,
      where,
    );
  }
  return new InvalidTableError('malformed-quote', `${place}: expected a quote only around a whole field, and doubled inside it`, where);
}
