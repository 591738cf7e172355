import { exp, log } from '../../numeric/portable-math.ts';
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
  /** About how many; 0 where it holds fewer twins of them than chance gives. */
  readonly records: number;
  /** The chance of as many twins, or more, in a control of other people is below this. */
  readonly chance: number;
}

/**
 * How many records of a table its control holds, from pairs: combinations that two people of both files have. Where the files are of
 * other people of one population, who of a pair is in which file is chance, and both are in different ones with the probability
 * p = 2 n m / ((n + m) (n + m - 1)). A record that both files hold, and nobody else shares, is always such a pair. Those in excess
 * of what the other pairs foretell are copies, among the records that are alone in their combination but for their copy. The
 * chance is Chernoff's bound of the binomial tail.
 */
export function copiedRecords(table: Table, control: Table): CopiedRecords {
  const { rows: tableRows } = distinctRows(table);
  const { rows: controlRows } = distinctRows(control);
  const ofControl = sharedRows(tableRows, [controlRows])[0]!.counts;
  const ofTable = sharedRows(controlRows, [tableRows])[0]!.counts;
  const count = (counts: Uint32Array, isCounted: (own: number, c: number) => boolean) =>
    counts.reduce((sum, own, c) => sum + Number(isCounted(own, c)), 0);
  const alone = count(tableRows.counts, (own, c) => own === 1 && ofControl[c] === 0);
  const apart = count(tableRows.counts, (own, c) => own === 1 && ofControl[c] === 1);
  const together =
    count(tableRows.counts, (own, c) => own === 2 && ofControl[c] === 0) +
    count(controlRows.counts, (own, c) => own === 2 && ofTable[c] === 0);
  const [n, m, pairs] = [table.records, control.records, apart + together];
  const expected = (2 * n * m) / ((n + m) * (n + m - 1));
  const share = pairs === 0 ? 0 : apart / pairs;
  if (share <= expected) return { records: 0, chance: 1 };
  const copies = apart - (together * expected) / (1 - expected);
  const divergence = share * log(share / expected) + (share < 1 ? (1 - share) * log((1 - share) / (1 - expected)) : 0);
  return { records: Math.round((n * copies) / (copies + alone)), chance: exp(-pairs * divergence) };
}
