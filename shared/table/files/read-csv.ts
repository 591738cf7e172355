import { CsvError } from 'csv-parse/sync';
import { InvalidTableError } from '../../contracts/errors.ts';
import { readCsvRows } from './csv-rows.ts';
import { refuseOtherFormats } from './refuse-other-formats.ts';

/** What takes the cells of a column, from the first record to the last. */
type CellReader = { add(text: string): void };

/**
 * Reads CSV bytes into encoders, one row at a time; `openColumns` gets the header and returns an encoder for each column,
 * undefined for one to skip. Fields follow RFC 4180, lines end with LF, CRLF or CR, and cells are kept as they are. Empty lines
 * at the end are dropped; any other is a ragged row, or a missing value in a file of one column.
 *
 * @returns notices
 * @throws InvalidTableError `empty-file`, `not-utf8`, `ragged-row`, `unclosed-quote`, `malformed-quote`, `unread-delimiter`, and
 * those of `openColumns` and of the encoders
 */
export function readCsv(bytes: Uint8Array, openColumns: (header: readonly string[]) => (CellReader | undefined)[]): string[] {
  checkUtf8(bytes);
  const { text, emptyLinesAtEnd } = trimmed(bytes);
  if (text.length === 0) throw new InvalidTableError('empty-file', 'the file is empty: expected a header and records');

  let header: readonly string[] | undefined;
  let columns: (CellReader | undefined)[] = [];
  let row = 0;
  const onRow = (fields: readonly string[]) => {
    if (header === undefined) {
      columns = openColumns(fields);
      header = fields;
      return;
    }
    row++;
    if (fields.length !== header.length) throw raggedRow(row, header.length, fields);
    for (let index = 0; index < fields.length; index++) columns[index]?.add(fields[index]!);
  };
  try {
    readCsvRows(text, sniffDelimiter(text), onRow);
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
      ? '; a delimiter at the end of each line, or row names without a header of their own, give one field too many (in R write row.names = FALSE)'
      : '';
  return new InvalidTableError('ragged-row', `row ${row}: expected ${expected} fields, as in the header, found ${found}${hint}`, { row });
}

/** What to do about quotes that follow a backslash, which write.table() of R makes unless told otherwise. */
const ESCAPED =
  '. Where a backslash stands before quotes, write the file with write.table(..., qmethod = "double") in R, or with doublequote=True in pandas';

/** Names the place of a quoting error. The parser's own message and fields hold values: none is passed on. */
function quoteError(error: CsvError, row: number | undefined): InvalidTableError {
  const column = typeof error.column === 'number' ? error.column + 1 : undefined;
  const place = [row === undefined ? 'in the header' : `row ${row}`, ...(column === undefined ? [] : [`column ${column}`])].join(', ');
  const where = { ...(row === undefined ? {} : { row }), ...(column === undefined ? {} : { column }) };
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new InvalidTableError(
      'unclosed-quote',
      `${place}: a field opens with a quote that is never closed: expected a closing quote${ESCAPED}`,
      where,
    );
  }
  return new InvalidTableError(
    'malformed-quote',
    `${place}: expected a quote only around a whole field, and doubled inside it${ESCAPED}`,
    where,
  );
}

/** Bytes decoded at a time: enough to be quick, little beside the file. */
const CHUNK_BYTES = 1 << 20;

/** Refuses bytes that are not UTF-8 text, naming the first line (from 1, the header included) that is not. */
function checkUtf8(bytes: Uint8Array): void {
  refuseOtherFormats(bytes);
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    throw new InvalidTableError(
      'not-utf8',
      `line ${lineAt(bytes, zero)} has a zero byte, so the file is no text: expected CSV in UTF-8, or Parquet`,
    );
  }
  if (isUtf8(bytes)) return;
  throw new InvalidTableError(
    'not-utf8',
    `line ${firstLineNotUtf8(bytes)} is not UTF-8, the file may be Latin-1 or Windows-1252: expected UTF-8; save it again as "CSV UTF-8", or run: iconv -f WINDOWS-1252 -t UTF-8 FILE > table.csv`,
  );
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      decoder.decode(bytes.subarray(start, start + CHUNK_BYTES), { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    // A fatal decoder throws for one reason only.
    return false;
  }
}

function firstLineNotUtf8(bytes: Uint8Array): number {
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  throw new Error('every line is UTF-8, yet the file is not');
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let index = 0; index < offset; index++) if (bytes[index] === 0x0a) line++;
  return line;
}

/** The delimiters that a CSV file may use, the likelier first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** What other programs put between columns, which differs from text only where every line has it equally often. */
const UNREAD_DELIMITERS = [':', '^', '~', '\u0001', '\u001f', ' '] as const;

/** Lines that are compared. */
const LINES = 20;

/**
 * The delimiter of CSV bytes (without byte-order mark), from the header and the first record, outside quotes: one that both
 * have equally often, if any; of these, the most frequent in the header. A vertical bar is one only where no other delimiter
 * is equally frequent in both. A file of one column has none of them; it gets a comma.
 */
function sniffDelimiter(bytes: Uint8Array): (typeof DELIMITERS)[number] {
  const lines = countsOfFirstLines(bytes, [...DELIMITERS, ...UNREAD_DELIMITERS]);
  const [header, record = header!.map(() => 0)] = lines;
  const candidates = DELIMITERS.map((delimiter, index) => ({
    delimiter,
    count: header![index]!,
    agrees: header![index]! > 0 && header![index] === record[index],
  }));
  const usual = candidates.slice(0, -1).sort((a, b) => Number(b.agrees) - Number(a.agrees) || b.count - a.count)[0]!;
  const bar = candidates.at(-1)!;
  if (!usual.agrees && bar.agrees) return bar.delimiter;
  if (candidates.every(({ count }) => count === 0)) refuseUnread(lines);
  return usual.delimiter;
}

/**
 * Refuses a file of one column, as it seems, every line of which has another delimiter equally often. Between spaces, as R's
 * `write.table()` writes them, the header may have one less: row names have none of their own.
 */
function refuseUnread(lines: readonly (readonly number[])[]): void {
  if (lines.length < 2) return;
  for (const [index, delimiter] of UNREAD_DELIMITERS.entries()) {
    const [header, ...records] = lines.map((line) => line[DELIMITERS.length + index]!);
    const expected = delimiter === ' ' && records[0] === header! + 1 ? header! + 1 : header;
    if (header === 0 || records.some((count) => count !== expected)) continue;
    throw new InvalidTableError(
      'unread-delimiter',
      `the columns seem to be divided by ${inWords(delimiter)}: expected comma, semicolon, tab or |. Save the file with one of these; if it has a single column, write its name in quotes.`,
    );
  }
}

/** A delimiter as messages call it. */
function inWords(delimiter: string): string {
  if (delimiter === ' ') return 'spaces';
  return delimiter < ' ' ? `the control character U+${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}` : `"${delimiter}"`;
}

/** How often each character occurs outside quotes in each of the first lines that are not empty. */
function countsOfFirstLines(bytes: Uint8Array, characters: readonly string[]): number[][] {
  const counts = [characters.map(() => 0)];
  const indexOfByte = new Map(characters.map((character, index) => [character.charCodeAt(0), index]));
  let quoted = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    if (byte === 0x22) quoted = !quoted;
    if (quoted) continue;
    if (byte === 0x0a || byte === 0x0d) {
      if (byte === 0x0d && bytes[offset + 1] === 0x0a) offset++;
      if (counts.length === LINES || offset + 1 >= bytes.length) break;
      counts.push(characters.map(() => 0));
    }
    const index = indexOfByte.get(byte);
    if (index !== undefined) counts.at(-1)![index]!++;
  }
  return counts;
}
