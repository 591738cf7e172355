import type { RandomSource } from '../../random/random-source.ts';
import type { Column, Table } from '../../table/table.ts';
import type { KeptPatterns } from './kept-patterns.ts';

/** A table whose synthesized variables are to be drawn anew, with the patterns of its other variables. */
export interface Resampling {
  readonly table: Table;
  /** Indices of the synthesized variables. */
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
 * A synthetic table that discloses most (001 section 4.1, maximum): each record takes the synthesized values of a record
 * drawn with equal probabilities from its own pattern, itself included, that is, from the joint empirical distribution
 * within the pattern. What a perfect synthesizer would release.
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
 * A synthetic table that discloses least (001 section 4.1, minimum): each synthesized value is drawn with equal
 * probabilities, and independently of everything else, from the distinct values of its variable in the table. Of all
 * distributions over those values this one holds least information.
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

/** Distinct values, ascending. */
function distinctValues(column: Column): Uint8Array | Uint16Array | Float64Array {
  return valuesOf(column)
    .slice()
    .sort()
    .filter((value, place, sorted) => value !== sorted[place - 1]);
}
