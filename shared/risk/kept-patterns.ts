import { CombinationIndex } from '../table/combination-index.ts';
import type { Column, Table } from '../table/table.ts';

/** Records grouped by the values of the variables that a partial synthesis keeps: the patterns of 001. */
export interface KeptPatterns {
  readonly count: number;
  /** For each record its pattern, numbered in order of first appearance. */
  readonly patternOfRecord: Uint32Array;
  /** Records, pattern after pattern and ascending within each. */
  readonly members: Uint32Array;
  /** `members[starts[b]]` up to but without `members[starts[b + 1]]` are the records of pattern b. */
  readonly starts: Uint32Array;
}

/**
 * Patterns of the kept variables: records share one when their categories are equal and their values of each
 * continuous variable fall into the same of `bands` quantile bands. Bands of about equal numbers of records are needed
 * because a continuous value is nearly always the record's own; equal values share a band, so that some may be empty.
 *
 * @param kept indices of the variables that are not synthesized; none makes one pattern of the whole table
 * @param bands from 1 to 65,535; with 1 the categorical variables alone make the patterns
 */
export function keptPatterns(table: Table, kept: readonly number[], bands: number): KeptPatterns {
  const codes = kept.map((variable) => patternCodes(table.columns[variable]!, bands));
  const index = new CombinationIndex(kept.length);
  const row = new Uint16Array(kept.length);
  const patternOfRecord = new Uint32Array(table.records);
  for (let record = 0; record < table.records; record++) {
    for (let k = 0; k < row.length; k++) row[k] = codes[k]![record]!;
    patternOfRecord[record] = index.add(row, 0, 1);
  }
  const { count, counts } = index.combinations();
  const starts = new Uint32Array(count + 1);
  for (let pattern = 0; pattern < count; pattern++) starts[pattern + 1] = starts[pattern]! + counts[pattern]!;
  const next = starts.slice(0, count);
  const members = new Uint32Array(table.records);
  for (let record = 0; record < table.records; record++) members[next[patternOfRecord[record]!]!++] = record;
  return { count, patternOfRecord, members, starts };
}

/** Records that share their pattern with no other. */
export function loneRecords({ count, starts }: KeptPatterns): number {
  let lone = 0;
  for (let pattern = 0; pattern < count; pattern++) if (starts[pattern + 1]! - starts[pattern]! === 1) lone++;
  return lone;
}

/** What of a column decides the pattern: its codes, or the bands of its values. */
function patternCodes(column: Column, bands: number): Uint8Array | Uint16Array {
  return column.type === 'categorical' ? column.codes : quantileBands(column.values, bands);
}

/** For each value the band floor(bands x share of values below it), from 0. */
function quantileBands(values: Float64Array, bands: number): Uint16Array {
  const order = Uint32Array.from(values, (_, record) => record).sort((a, b) => values[a]! - values[b]!);
  const bandOfRecord = new Uint16Array(values.length);
  let below = 0;
  for (let place = 0; place < order.length; place++) {
    const record = order[place]!;
    if (values[record] !== values[order[below]!]) below = place;
    bandOfRecord[record] = Math.floor((bands * below) / values.length);
  }
  return bandOfRecord;
}
