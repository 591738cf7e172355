import { at, type Records } from './records.ts';

/** Rows of which a person asks. */
export type Subset = 'all' | 'first' | 'unique' | 'distinguishable' | 'proven' | 'heavy' | 'matched';

/** What is asked of the rows. */
export interface Query {
  readonly subset: Subset;
  /** Words that all must be met: part of a value, `VARIABLE=value`, or the number of a row. */
  readonly words: string;
  /** Place of a variable and of one of its categories; null for any. */
  readonly value: { readonly variable: number; readonly category: number } | null;
  /** Least value of `Records.leastMeasure`. */
  readonly least: number;
}

/** By what rows are put in order: a name of their columns, or `number`. */
export interface Order {
  readonly by: string;
  readonly descending: boolean;
}

/** Words of a search; what stands in quotation marks is one. */
export function searchWords(text: string): string[] {
  return Array.from(text.toLowerCase().matchAll(/[^\s"=]*="[^"]*"|"([^"]*)"|\S+/g), ([whole, quoted]) =>
    (quoted ?? whole).replaceAll('"', ''),
  ).filter((word) => word !== '');
}

type Test = (row: number) => boolean;

/** Whether a row has a word: in its number, or in one of its values. */
function wordTest(records: Records, word: string): Test {
  const { variables } = records.data;
  const equals = word.indexOf('=');
  const named = variables.flatMap(({ name }, v) => (equals > 0 && name.toLowerCase() === word.slice(0, equals) ? [v] : []));
  const among = named.length > 0 ? named : [...variables.keys()];
  const text = named.length > 0 ? word.slice(equals + 1) : word;
  const matching = among.map((v) => ({ codes: variables[v]!.codes, holds: records.matching(v, text, named.length > 0) }));
  const number = /^#?\d+$/.test(word) && named.length === 0 ? Number(word.replace('#', '')) : null;
  if (number !== null && word.startsWith('#')) return (row) => records.numberOf(row) === number;
  return (row) => (number !== null && records.numberOf(row) === number) || matching.some(({ codes, holds }) => holds[at(codes, row)] === 1);
}

const SUBSETS: Readonly<Record<Subset, (records: Records) => Test>> = {
  all: () => () => true,
  first: (records) => (row) => records.figure('rank', row) === 1,
  unique: (records) => (row) => (records.figure('shared', row) ?? records.figure('count', row)) === 1,
  distinguishable: (records) => (row) => records.figure('distinguishable', row) === 1,
  proven: (records) => (row) => records.figure('proven', row) === 1,
  heavy: (records) => (row) => records.figure('heavy_tail', row) === 1,
  matched: (records) => (row) => (records.figure('match_risk', row) ?? 0) > 0,
};

/** The rows that meet a query, in the order of the page. */
export function matchingRows(records: Records, { subset, words, value, least }: Query): Uint32Array {
  const measure = records.leastMeasure;
  const tests: Test[] = [
    ...(subset === 'all' ? [] : [SUBSETS[subset](records)]),
    ...(value === null ? [] : [(row: number) => at(records.data.variables[value.variable]!.codes, row) === value.category]),
    ...(least > 0 ? [(row: number) => (records.figure(measure, row) ?? 0) >= least] : []),
    ...searchWords(words).map((word) => wordTest(records, word)),
  ];
  const found = new Uint32Array(records.data.rows);
  let count = 0;
  for (let row = 0; row < records.data.rows; row++) {
    if (tests.every((test) => test(row))) found[count++] = row;
  }
  return found.subarray(0, count);
}

/** What a row is put in order by; NaN for nothing. */
function keyOf(records: Records, row: number, by: string): number {
  if (by === 'number') return records.numberOf(row);
  // Rows are here in the order of their risk, which tells apart what is rounded to the same.
  return by === records.riskMeasure ? -row : (records.figure(by, row) ?? Number.NaN);
}

/** Rows in an order, those without a number last; of those that tie the one most at risk first. */
export function inOrder(records: Records, rows: Uint32Array, { by, descending }: Order): Uint32Array {
  const keys = new Float64Array(records.data.rows);
  const sign = descending ? -1 : 1;
  for (const row of rows) {
    keys[row] = sign * keyOf(records, row, by);
    if (Number.isNaN(keys[row]!)) keys[row] = Number.POSITIVE_INFINITY;
  }
  return rows.slice().sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a]! - keys[b]!));
}
