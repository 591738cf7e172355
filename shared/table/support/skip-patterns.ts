import type { TableSchema } from '../../contracts/schema.ts';
import { categoryText } from '../category-text.ts';
import { encodeCsv } from '../files/write-csv.ts';
import type { Table } from '../table.ts';
import { isPossiblePair, type Support } from './support.ts';

/** All records of one category of a variable have one value of another, as where a question is not asked. */
export interface SkipPattern {
  /** The variable that it goes by, and the code of its category. */
  readonly by: number;
  readonly category: number;
  /** The variable that has one value there, and the codes of its others, but for those that are declared impossible. */
  readonly decided: number;
  readonly others: readonly number[];
  /** Records of the category. */
  readonly records: number;
  /** Values of the variable that is decided. */
  readonly values: number;
  /** Records of a class of the model, about. */
  readonly ofClass: number;
}

type Codes = Extract<Table['columns'][number], { type: 'categorical' }>['codes'];

/** A category has one value by chance if fewer of its records than this would have another, were the two variables unrelated. */
const EXPECTED_OTHERS = 10;

/** Classes into which a model divides tables that have such patterns, about: of four of 3,000 to 7,000 records 14 to 20 on average. */
const CLASSES = 20;

/**
 * Records that a model releases with a value that no record like them has, of all patterns together, from which on they matter: as a
 * share of all, and at least so many.
 */
const MATTER = { share: 0.01, records: 10 };

/**
 * The skip patterns of a table. Of each variable that others decide those by the variable that decides most of its records, and by others
 * where these decide records that are left; variables that decide each other, as questions do that the same people are not asked, come last.
 * A variable by which a model would release less than a record with another value is none of them.
 *
 * @param decided indices of the variables that may be decided by others
 * @param support the cells that can be; null where all can
 */
export function skipPatterns({ schema, columns, records }: Table, decided: readonly number[], support: Support | null): SkipPattern[] {
  const coded = columns.map((column, v) => {
    if (column.type === 'continuous') return null;
    const size = sizeOf(schema, v);
    return { codes: column.codes, size, counts: countsOf(column.codes, size) };
  });
  const onlyBy = (by: number, own: number): ReadonlyMap<number, number | null> => {
    const [given, found] = [coded[by], coded[own]];
    if (by === own || !given || !found) return new Map();
    const asked = [...given.counts.keys()].filter((category) => given.counts[category]! >= EXPECTED_OTHERS);
    const answers = found.counts.reduce((sum, count) => sum + count, 0);
    const expectedOthers = (category: number, value: number | null) =>
      (given.counts[category]! * (answers - (value === null ? 0 : found.counts[value]!))) / records;
    const only = onlyValues(asked, given.codes, found.codes, found.size);
    return new Map([...only].filter(([category, value]) => expectedOthers(category, value) >= EXPECTED_OTHERS));
  };
  const chosen = decided.flatMap((own) => {
    const size = coded[own]?.size ?? 0;
    const found = columns.flatMap((_, by) => {
      const only = [...onlyBy(by, own)];
      const patterns = only.map(([category, value]) => {
        const others = Array.from({ length: size }, (__, code) => code).filter((code) => code !== value);
        return { by, category, decided: own, others, records: coded[by]!.counts[category]!, values: size, ofClass: records / CLASSES };
      });
      if (releasedBy(patterns) < 1) return [];
      const back = onlyBy(own, by);
      const isMutual = only.some(([category, value]) => value !== null && back.get(value) === category);
      return [{ by, patterns, isMutual, decides: patterns.reduce((sum, pattern) => sum + pattern.records, 0) }];
    });
    found.sort(
      (a, b) => Number(a.isMutual) - Number(b.isMutual) || b.decides - a.decides || releasedBy(b.patterns) - releasedBy(a.patterns),
    );
    const isDecided = new Uint8Array(records);
    return found.flatMap(({ by, patterns }) => {
      const categories = new Set(patterns.map(({ category }) => category));
      let left = 0;
      for (const [record, code] of coded[by]!.codes.entries()) {
        if (isDecided[record] === 1 || !categories.has(code)) continue;
        isDecided[record] = 1;
        left++;
      }
      return left >= EXPECTED_OTHERS ? patterns : [];
    });
  });
  if (support === null) return chosen;
  return chosen.flatMap((pattern) => {
    const { by, category, decided: own } = pattern;
    const others = pattern.others.filter((code) => isPossiblePair(support, [by, category], [own, code]));
    return others.length === 0 ? [] : [{ ...pattern, others }];
  });
}

/** Whether skip patterns matter to a model of classes. */
export const skipsMatter = (patterns: readonly SkipPattern[], records: number): boolean =>
  releasedBy(patterns) >= Math.max(MATTER.share * records, MATTER.records);

/** Whether a variable follows from another in every record, as a district does from a school. */
export function follows({ columns }: Table, decided: number, by: number): boolean {
  const [given, found] = [columns[by]!, columns[decided]!];
  if (given.type === 'continuous' || found.type === 'continuous') return false;
  const values = new Map<number, number>();
  return given.codes.every((code, record) => {
    const value = values.get(code);
    if (value === undefined) values.set(code, found.codes[record]!);
    return value === undefined || value === found.codes[record];
  });
}

/**
 * Records that a model of classes releases with one of the others, about: a class of n records gives each of the d values of a variable a
 * probability of 1 / (n + d) at least (docs/studies/many-categories.md).
 */
const releasedBy = (patterns: readonly SkipPattern[]) =>
  patterns.reduce(
    (sum, { records, others, values, ofClass }) => sum + (records * others.length) / (Math.min(records, ofClass) + values),
    0,
  );

function countsOf(codes: Codes, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const code of codes) if (code < size) counts[code]!++;
  return counts;
}

/** Of some categories of a variable those in which another has one value alone, with that; null where it is always missing, which could be any. */
function onlyValues(asked: readonly number[], given: Codes, found: Codes, missing: number): Map<number, number | null> {
  const only = new Map<number, number | null>(asked.map((category) => [category, null]));
  for (let record = 0; record < given.length && only.size > 0; record++) {
    const [category, value] = [given[record]!, found[record]!];
    const before = only.get(category);
    if (before === undefined || before === value || value === missing) continue;
    if (before === null) only.set(category, value);
    else only.delete(category);
  }
  return only;
}

function sizeOf({ variables }: TableSchema, index: number): number {
  const variable = variables[index]!;
  return variable.type === 'categorical' ? variable.categories.length : 0;
}

/**
 * The combinations that skip patterns leave without a record, as a file of structural zeros to look through: CSV, a rule a row. What is
 * missing has no part in rules. Null where nothing can be declared.
 */
export function draftZeros(patterns: readonly SkipPattern[], schema: TableSchema): Uint8Array | null {
  // Two questions that the same people are not asked rule the same pair of answers out.
  const pairs = new Map(
    patterns.flatMap(({ by, category, decided, others }) =>
      others.map((other): [string, Map<number, number>] => {
        const pair = new Map([[by, category] as const, [decided, other] as const].toSorted(([a], [b]) => a - b));
        return [[...pair].join(), pair];
      }),
    ),
  );
  const rules = [...pairs.values()]
    .map((pair) => new Map([...pair].map(([v, code]) => [v, categoryText(schema, v, code)])))
    .filter((rule) => ![...rule.values()].includes(null));
  if (rules.length === 0) return null;
  const named = [...schema.variables.keys()].filter((v) => rules.some((rule) => rule.has(v)));
  return encodeCsv(
    named.map((v) => schema.variables[v]!.name),
    rules.map((rule) => named.map((v) => rule.get(v) ?? null)),
  );
}
