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
}

type Codes = Extract<Table['columns'][number], { type: 'categorical' }>['codes'];

/**
 * Records that a model releases with a value that no record like them has, from which on a pattern counts: as a share of all, and at least
 * so many, since a few records have the same value by chance.
 */
const NOTICED = { share: 0.01, records: 10 };

/**
 * The skip patterns of a table that matter to a model of classes: one of n records gives every category of a variable with d of them a
 * probability of 1 / (n + d) at least (docs/studies/many-categories.md).
 *
 * @param decided indices of the variables that may be decided by others
 * @param support the cells that can be; null where all can
 */
export function skipPatterns({ schema, columns, records }: Table, decided: readonly number[], support: Support | null): SkipPattern[] {
  const fewest = Math.max(NOTICED.share * records, NOTICED.records);
  return columns.flatMap((given, by) => {
    if (given.type === 'continuous') return [];
    const counts = new Uint32Array(sizeOf(schema, by));
    for (const code of given.codes) if (code < counts.length) counts[code]!++;
    return decided.flatMap((own) => {
      const found = columns[own]!;
      if (own === by || found.type === 'continuous') return [];
      const size = sizeOf(schema, own);
      const matters = (category: number, others: number) => counts[category]! * others >= fewest * (counts[category]! + size);
      const asked = [...counts.keys()].filter((category) => matters(category, size - 1));
      return [...onlyValues(asked, given.codes, found.codes, size)].flatMap(([category, value]) => {
        const others = Array.from({ length: size }, (_, code) => code).filter(
          (code) => code !== value && (support === null || isPossiblePair(support, [by, category], [own, code])),
        );
        return matters(category, others.length) ? [{ by, category, decided: own, others }] : [];
      });
    });
  });
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
  const rules = patterns
    .flatMap(({ by, category, decided, others }) =>
      others.map(
        (other) =>
          new Map(
            [
              [by, category],
              [decided, other],
            ].map(([v, code]) => [v!, categoryText(schema, v!, code!)]),
          ),
      ),
    )
    .filter((rule) => ![...rule.values()].includes(null));
  if (rules.length === 0) return null;
  const named = [...schema.variables.keys()].filter((v) => rules.some((rule) => rule.has(v)));
  return encodeCsv(
    named.map((v) => schema.variables[v]!.name),
    rules.map((rule) => named.map((v) => rule.get(v) ?? null)),
  );
}
