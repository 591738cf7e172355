import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** Categories of the categorical variables, of which not all have them all. */
const CATEGORIES = ['0', '1', '2', '3', '4'];

/**
 * A table of five variables: a response (variable 0), continuous or of five classes, that depends on a continuous
 * variable (1) and one of five categories (2); then a continuous one with few distinct values (3) and one of three
 * categories (4), both without a bearing on it.
 */
export function mixedTable(records: number, response: Column['type']): Table {
  const random = new RandomStream(1, `mixed-table/${response}/${records}`);
  const draw = (one: () => number) => Float64Array.from({ length: records }, one);
  const x = draw(() => normal(random));
  const group = draw(() => random.below(5));
  const idle = draw(() => Math.round(4 * normal(random)));
  const idleGroup = draw(() => random.below(3));
  const y = x.map((value, i) => 2 * Math.abs(value) + (group[i]! % 3) + normal(random));
  const columns: Column[] = [
    response === 'continuous' ? continuous(y) : categorical(y.map((one) => Math.min(4, Math.max(0, one)))),
    continuous(x),
    categorical(group),
    continuous(idle),
    categorical(idleGroup),
  ];
  const variables = columns.map((column, v) =>
    column.type === 'continuous'
      ? { name: `V${v + 1}`, type: column.type }
      : { name: `V${v + 1}`, type: column.type, categories: CATEGORIES },
  );
  return { schema: { variables }, records, columns };
}

function continuous(values: Float64Array): Column {
  return { type: 'continuous', values };
}

function categorical(codes: Float64Array): Column {
  return { type: 'categorical', codes: Uint8Array.from(codes) };
}
