import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvRows } from '../../../shared/table/files/csv-rows.ts';

/** What the program says of each row of some text: the rows, or the code of the error that ends them. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  readCsvRows(Buffer.from(text), ',', (fields) => rows.push([...fields]));
  return rows;
}

const byCsvParse = (text: string) => parse(text, { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true });

describe('readCsvRows()', () => {
  it('reads what csv-parse reads, and refuses what it refuses', () => {
    const piece = fc.constantFrom('a', 'é', '😀', '\ufeff', ' ', ',', '"', '""', '"a"', '"a,b"', '"\n"', '"",', '\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        expect(outcome(() => rowsOf(text))).toEqual(outcome(() => byCsvParse(text)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('goes on after pieces that csv-parse reads, and within cells that go over the end of one', () => {
    const plain = (from: number) => Array.from({ length: 9_000 }, (_, i) => [`${from + i}`, 'Capital']);
    const rows = [...plain(0), ['quoted, "twice"\nover lines', `a cell of\n${'many lines\n'.repeat(9_000)}`], ...plain(1e6), ['last', '']];
    const text = rows
      .map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .join('\n');
    expect(rowsOf(text)).toEqual(rows);
  });
});
