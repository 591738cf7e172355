import { quantile } from '../numeric/quantile.ts';
import type { Table } from '../table/table.ts';

/** Parts that a continuous variable is cut into. */
const QUARTERS = 4;

/** Records in the categories, or the quarters, of a variable. */
export interface Subdomains {
  readonly variable: number;
  /** For each domain its records, from 0; may be none. */
  readonly domains: readonly Uint32Array[];
}

/**
 * The records in each category of a categorical variable, or in each quarter of a continuous one, cut at its quartiles:
 * 002 section 4 warns that masking which keeps the analyses of a whole file may not keep those of its parts.
 */
export function subdomainsOf(table: Table, variable: number): Subdomains {
  const column = table.columns[variable]!;
  const kind = table.schema.variables[variable]!;
  if (column.type === 'categorical' && kind.type === 'categorical') {
    return { variable, domains: kind.categories.map((_, category) => recordsWhere(column.codes, (code) => code === category)) };
  }
  if (column.type !== 'continuous') throw new RangeError('a column is not of its variable');
  const sorted = column.values.toSorted();
  const cuts = Array.from({ length: QUARTERS - 1 }, (_, q) => quantile(sorted, (q + 1) / QUARTERS));
  const quarterOf = (value: number) => cuts.filter((cut) => value > cut).length;
  return {
    variable,
    domains: Array.from({ length: QUARTERS }, (_, quarter) => recordsWhere(column.values, (value) => quarterOf(value) === quarter)),
  };
}

function recordsWhere(values: ArrayLike<number>, holds: (value: number) => boolean): Uint32Array {
  const records: number[] = [];
  for (let record = 0; record < values.length; record++) if (holds(values[record]!)) records.push(record);
  return Uint32Array.from(records);
}
