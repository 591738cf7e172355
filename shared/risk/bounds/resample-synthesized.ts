import type { RandomSource } from '../../random/random-source.ts';
import type { Column, Table } from '../../table/table.ts';
import { type Groups, RecordGroups } from '../matching/record-groups.ts';

/** Records grouped by the values of the variables that a partial synthesis keeps: the patterns of Hu & Savitsky (2018). */
export interface KeptPatterns extends Groups {
  readonly count: number;
  /** For each record its pattern, numbered in order of first appearance. */
  readonly ofRecord: Uint32Array;
}

/**
 * Patterns of the kept variables: records share one when their categories are equal and their values of each continuous
 * variable fall into the same of `bands` quantile bands, since a continuous value is nearly always the record's own.
 * Equal values share a band, so that some may be empty.
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

/** A table whose synthesized variables are to be drawn anew, with the patterns of its other variables. */
export interface Resampling {
  readonly table: Table;
  readonly synthesized: readonly number[];
  readonly patterns: KeptPatterns;
  /** For each synthesized variable the distinct values that the table holds: codes, or numbers. */
  readonly observed: readonly (Uint8Array | Uint16Array | Float64Array)[];
}

/** What a resampling needs to know of a table. */
export function planResampling(table: Table, synthesized: readonly number[], patterns: KeptPatterns): Resampling {
  const observed = synthesized.map((variable) => distinctValues(table.columns[variable]!));
  return { table, synthesized, patterns, observed };
}

/**
 * A synthetic table that discloses most (Hu & Savitsky 2018, section 4.1, maximum): each record takes the synthesized values of a record
 * drawn from its own pattern, itself included. What a perfect synthesizer would release.
 */
export function resampleWithinPatterns(resampling: Resampling, stream: RandomSource): Table {
  const { table, patterns } = resampling;
  const { ofRecord, records, starts } = patterns;
  const source = new Uint32Array(table.records);
  for (let record = 0; record < table.records; record++) {
    const start = starts[ofRecord[record]!]!;
    const size = starts[ofRecord[record]! + 1]! - start;
    source[record] = records[start + stream.below(size)]!;
  }
  return withSynthesized(resampling, (column) => {
    const drawn = emptyLike(column);
    const [to, from] = [valuesOf(drawn), valuesOf(column)];
    for (let record = 0; record < to.length; record++) to[record] = from[source[record]!]!;
    return drawn;
  });
}

/**
 * A synthetic table that discloses least (Hu & Savitsky 2018, section 4.1, minimum): each synthesized value is drawn, independently of
 * everything else, from the distinct values of its variable. Of all distributions over those this one holds least
 * information.
 */
export function resampleUniformly(resampling: Resampling, stream: RandomSource): Table {
  return withSynthesized(resampling, (column, k) => {
    const drawn = emptyLike(column);
    const [to, observed] = [valuesOf(drawn), resampling.observed[k]!];
    for (let record = 0; record < to.length; record++) to[record] = observed[stream.below(observed.length)]!;
    return drawn;
  });
}

/** The table with other columns for its synthesized variables; the others are shared, not copied. */
function withSynthesized({ table, synthesized }: Resampling, draw: (column: Column, k: number) => Column): Table {
  const columns = [...table.columns];
  for (const [k, variable] of synthesized.entries()) columns[variable] = draw(columns[variable]!, k);
  return { ...table, columns };
}

function valuesOf(column: Column): Uint8Array | Uint16Array | Float64Array {
  return column.type === 'categorical' ? column.codes : column.values;
}

function emptyLike(column: Column): Column {
  if (column.type === 'continuous') return { type: 'continuous', values: new Float64Array(column.values.length) };
  const { codes } = column;
  const { length } = codes;
  return { type: 'categorical', codes: codes instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length) };
}

function distinctValues(column: Column): Uint8Array | Uint16Array | Float64Array {
  return valuesOf(column)
    .slice()
    .sort()
    .filter((value, place, sorted) => value !== sorted[place - 1]);
}
