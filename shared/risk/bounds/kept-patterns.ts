import type { Table } from '../../table/table.ts';
import { type Groups, RecordGroups } from '../matching/record-groups.ts';

/** Records grouped by the values of the variables that a partial synthesis keeps: the patterns of 001. */
export interface KeptPatterns extends Groups {
  readonly count: number;
  /** For each record its pattern, numbered in order of first appearance. */
  readonly ofRecord: Uint32Array;
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
  const groups = new RecordGroups(inBands(table, bands), kept);
  return { count: groups.count, ofRecord: groups.ofRecord, ...groups.collect(groups.ofRecord) };
}

/** Records that share their pattern with no other. */
export function loneRecords({ count, starts }: KeptPatterns): number {
  let lone = 0;
  for (let pattern = 0; pattern < count; pattern++) if (starts[pattern + 1]! - starts[pattern]! === 1) lone++;
  return lone;
}

/** The table with bands as categories of its continuous variables: floor(bands x share of the values below), from 0. */
function inBands(table: Table, bands: number): Table {
  const categories = Array.from({ length: bands }, (_, band) => `${band}`);
  const variables = table.schema.variables.map((variable) =>
    variable.type === 'categorical' ? variable : { name: variable.name, type: 'categorical' as const, categories },
  );
  const columns = table.columns.map((column) =>
    column.type === 'categorical' ? column : { type: 'categorical' as const, codes: bandsOf(column.values, bands) },
  );
  return { schema: { variables }, records: table.records, columns };
}

function bandsOf(values: Float64Array, bands: number): Uint16Array {
  const order = Uint32Array.from(values, (_, record) => record).sort((a, b) => values[a]! - values[b]!);
  const codes = new Uint16Array(values.length);
  let below = 0;
  for (let place = 0; place < order.length; place++) {
    const record = order[place]!;
    if (values[record] !== values[order[below]!]) below = place;
    codes[record] = Math.floor((bands * below) / values.length);
  }
  return codes;
}
