import { strFromU8, unzipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';
import { InvalidTableError } from '../../contracts/errors.ts';
import type { ColumnEncoder } from './column-encoder.ts';
import { hasMember } from './refuse-other-formats.ts';
import { DATES, unsupportedColumns } from './unsupported-column.ts';

/** Whether bytes are a workbook of Excel 2007 and later (`.xlsx`, `.xlsm`; not `.xls`, `.xlsb` or one with a password). */
export const isWorkbook = hasMember('xl/workbook.xml');

/**
 * Reads the one sheet of an Excel workbook into encoders, from its first row, the header, on; `openColumns` gets the names and
 * returns an encoder for each column, undefined for one to skip. Numbers become text of at most 15 digits, and true and false
 * `TRUE` and `FALSE`, as Excel exports them. Empty cells, errors such as `#N/A` and all but the first of merged cells are missing.
 *
 * @throws InvalidTableError `unreadable-workbook`, `formula-without-value`, `empty-file`, `several-sheets`, `empty-variable-name`,
 * `ragged-row`, `unsupported-column` (dates), and those of `openColumns` and of the encoders
 */
export async function readWorkbook(
  bytes: Uint8Array,
  openColumns: (header: readonly string[]) => (ColumnEncoder | undefined)[],
): Promise<void> {
  const [header, ...rows] = await readSheet(bytes);
  const names = header!.map((name) => (name === null ? '' : String(name)));
  refuseOtherCells(names, rows);
  for (const [index, encoder] of openColumns(names).entries()) {
    if (encoder === undefined) continue;
    for (const row of rows) encoder.add(textOf(row[index] ?? null, encoder));
  }
}

/** Refuses what stands above, between or below the rows of a table, which would be names or records of missing values. */
function refuseOtherCells(names: readonly string[], rows: readonly Cell[][]): void {
  // Only a first column, of row names, has none.
  if (names.slice(1).includes('')) {
    throw new InvalidTableError(
      'empty-variable-name',
      'The first row of the sheet does not name every column: expected the names of the variables there; delete titles and notes above the table.',
    );
  }
  const empty = rows.findIndex((row) => row.every((cell) => cell === null)) + 1;
  if (names.length > 1 && empty > 0) {
    throw new InvalidTableError('ragged-row', `row ${empty}: expected a record, found an empty row; delete it, and notes below the table`, {
      row: empty,
    });
  }
}

type Cell = Awaited<ReturnType<typeof readSheets>>[number]['data'][number][number];

/** Rows of the only sheet that has any, all of the same length. */
async function readSheet(bytes: Uint8Array): Promise<Cell[][]> {
  const [sheet, ...others] = (await orUnreadable(bytes)).filter(({ data }) => data.length > 0);
  if (sheet === undefined) throw new InvalidTableError('empty-file', 'the workbook is empty: expected a header and records');
  if (others.length > 0) {
    throw new InvalidTableError(
      'several-sheets',
      `The workbook has ${others.length + 1} sheets that are not empty: expected one; copy the table's into a workbook of its own, or save that sheet as CSV.`,
    );
  }
  return sheet.data;
}

/** A cell with a formula, up to its value where it has one: ECMA-376, part 1, 18.3.1.4. A calculated text may be empty. */
const FORMULA = /<(\w+:)?c\s(?![^>]*\bt="str")[^>]*>\s*<\1?f\b(?:[^>]*\/>|[^>]*>[^<]*<\/\1?f>)\s*(<\1?v\b[^>]*>[^<])?/g;

/** Refuses formulas that nothing has calculated: the library takes them for empty cells, and these are missing values. */
function refuseUncalculated(bytes: Uint8Array): void {
  const sheets = unzipSync(bytes, { filter: ({ name }) => /^xl\/worksheets\/[^/]+\.xml$/.test(name) });
  for (const sheet of Object.values(sheets)) {
    // Positions in markup alone are asked for, so that one letter a byte will do.
    for (const [, , value] of strFromU8(sheet, true).matchAll(FORMULA)) {
      if (value !== undefined) continue;
      throw new InvalidTableError(
        'formula-without-value',
        'The Excel workbook has formulas without values, which the program that wrote it did not calculate: open it in Excel or LibreOffice, save it, and read that one.',
      );
    }
  }
}

/** The library's messages can hold values of the file, so none is passed on. */
async function orUnreadable(bytes: Uint8Array) {
  try {
    refuseUncalculated(bytes);
    return await readSheets(new Blob([new Uint8Array(bytes)]), { trim: false });
  } catch (error) {
    if (error instanceof InvalidTableError) throw error;
    throw new InvalidTableError(
      'unreadable-workbook',
      'The Excel workbook cannot be read: expected one that Excel opens without repair; save it again, or save its sheet as CSV.',
    );
  }
}

function textOf(cell: Cell, { name, number }: ColumnEncoder): string {
  if (cell === null) return '';
  // A date; the library's types give the class for it.
  if (typeof cell === 'object' || typeof cell === 'function') throw unsupportedColumns([{ name, number }, DATES]);
  if (typeof cell === 'boolean') return String(cell).toUpperCase();
  // 0.1 + 0.2 is shown as 0.3; whole numbers of more digits may be identifiers, and stay what they are.
  return String(typeof cell === 'number' && !Number.isInteger(cell) ? Number(cell.toPrecision(15)) : cell);
}
