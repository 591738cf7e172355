import { parse } from 'csv-parse/sync';
import { householdTable } from '../../examples/household-table.ts';
import { readCsvRows } from '../../shared/table/files/csv-rows.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';

const RECORDS = 50_000;

/** Categories of the example hold commas; most files have none within a cell. */
const withoutCommas = (text: string) => text.replaceAll(/"[^"]*"/g, 'South');
const quotedCells = (text: string) => text.replaceAll(/[^,\n]+/g, '"$&"');

/** Reading CSV as programs write it, without quotes and with all of them (as R does), against csv-parse. */
export function measureReading(): Measurement[] {
  const text = withoutCommas(new TextDecoder().decode(householdTable(1, RECORDS)));
  return [
    { what: 'without quotes', file: text },
    { what: 'all cells in quotes', file: quotedCells(text) },
  ].map(({ what, file }) => {
    const bytes = new TextEncoder().encode(file);
    const ours = milliseconds(1, () => readCsvRows(bytes, ',', () => undefined));
    const theirs = milliseconds(1, () => void parse(bytes, { on_record: () => null }));
    return compared(`reading ${RECORDS} records of CSV, ${what}`, ours, 'csv-parse', theirs);
  });
}
