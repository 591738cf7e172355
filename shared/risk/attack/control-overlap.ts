import { exp, log } from '../../numeric/portable-math.ts';
import type { Combinations } from '../../table/combinations.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';
import { isSameTable, sharedRows } from '../copies/count-copies.ts';

/** Share of a control's records that may be the table's: less hardly changes what it is compared for. */
const TOLERATED_SHARE = 0.05;

/** Standard errors by which records that are found in the table must exceed what chance gives. */
const STANDARD_ERRORS = 5;

/**
 * Whether a control holds so many of the table's own records that comparing with it says nothing: it is the same file, or
 * more than 5 % of it are found in the table beyond chance, by more than five standard errors. By chance (Good and Turing
 * 1953) a record equals one of the table with about the share of the table's records that are not alone in their
 * combination.
 */
export function overlapsTable(table: Table, control: Table): boolean {
  const { rows: tableRows } = distinctRows(table);
  const [shared] = sharedRows(tableRows, [distinctRows(control).rows]);
  if (isSameTable(tableRows, shared!)) return true;

  const uniques = tableRows.counts.filter((count) => count === 1).length;
  const sharedRecords = shared!.counts.reduce((sum, count) => sum + count, 0);
  // One success and one failure are added, so that no share is taken for certain.
  const expected = (table.records - uniques + 1) / (table.records + 2);
  const { records } = control;
  const variance = expected * (1 - expected) * (records + (records * records) / table.records);
  const excess = sharedRecords - records * expected;
  return excess > STANDARD_ERRORS * Math.sqrt(variance) && excess > TOLERATED_SHARE * records * (1 - expected);
}

/** Records of a table that a control is likely to hold. */
export interface CopiedRecords {
  /** About how many; 0 where fewer are in both files than chance gives. */
  readonly records: number;
  /** The chance of as many in both files, and of as few in the table alone, is below this where the control is of other people. */
  readonly chance: number;
}

/** Chernoff's bound of the chance that so many of some things, or more, are of a kind that each is of with a probability. */
function tailBound(found: number, of: number, probability: number): number {
  const share = of === 0 ? 0 : found / of;
  if (share <= probability) return 1;
  const rest = share < 1 ? (1 - share) * log((1 - share) / (1 - probability)) : 0;
  return exp(-of * (share * log(share / probability) + rest));
}

/**
 * How many records of a table its control holds, from the combinations that one or two people of both files have. Where the files are of
 * other people of one population, it is chance who of n and m people is in which: a single one is in the control with the
 * probability m / (n + m), and two are in different files with p = 2 n m / ((n + m) (n + m - 1)). A record that both files hold
 * makes two in different files of one in the table. Pairs in excess of what the other pairs lead one to expect are copies, of the records
 * that are alone but for their copy; as large a share of all others is taken to be copied.
 */
export function copiedRecords(table: Table, control: Table): CopiedRecords {
  const { rows: tableRows } = distinctRows(table);
  const { rows: controlRows } = distinctRows(control);
  /** Combinations of a file that so many have there and so many in the other. */
  const counting = (own: Combinations, other: Combinations) => {
    const there = sharedRows(own, [other])[0]!.counts;
    return (here: number, elsewhere: number) =>
      own.counts.reduce((sum, count, c) => sum + Number(count === here && there[c] === elsewhere), 0);
  };
  const [ofTable, ofControl] = [counting(tableRows, controlRows), counting(controlRows, tableRows)];
  const [alone, apart, strangers, together] = [ofTable(1, 0), ofTable(1, 1), ofControl(1, 0), ofTable(2, 0) + ofControl(2, 0)];
  const [n, m] = [table.records, control.records];
  const expected = (2 * n * m) / ((n + m) * (n + m - 1));
  const chance = tailBound(apart, apart + together, expected) * tailBound(strangers, alone + strangers, m / (n + m));
  const copies = Math.max(0, expected < 1 ? apart - (together * expected) / (1 - expected) : 0);
  return { records: copies === 0 ? 0 : Math.round((n * copies) / (copies + alone)), chance };
}
