import type { TableSchema } from '../../contracts/schema.ts';
import { categoryText } from '../category-text.ts';
import { encodeCsv } from '../files/write-csv.ts';
import { isPossiblePair, type Support } from '../support/support.ts';
import type { Table } from '../table.ts';

/** All records of one category of a variable have one value of another, as where a question is not asked. */
export interface SkipPattern {
  /** The variable that it goes by, and the code of its category. */
  readonly by: number;
  readonly category: number;
  /** The variable that has one value there, and the codes of its others, but for those that are declared impossible. */
  readonly decided: number;
  readonly others: readonly number[];
}

/** Share of the records that a model releases with a value that no record like them has, from which on a pattern counts. */
const NOTICED = 0.01;

/**
 * The skip patterns of a table that matter to a model of classes: one of n records gives every category of a variable with d of them a
 * probability of 1 / (n + d) at least (docs/explanation/numbers.md, where the estimate fails).
 *
 * @param decided indices of the variables that may be decided by others
 * @param support the cells that can be; null where all can
 */
export function skipPatterns(table: Table, decided: readonly number[], support: Support | null): SkipPattern[] {
  return decided.flatMap((own) => table.columns.flatMap((_, by) => (by === own ? [] : patternsOf(table, by, own, support))));
}

function patternsOf({ schema, columns, records }: Table, by: number, decided: number, support: Support | null): SkipPattern[] {
  const [given, found] = [columns[by]!, columns[decided]!];
  if (given.type === 'continuous' || found.type === 'continuous') return [];
  const [categories, values] = [sizeOf(schema, by), sizeOf(schema, decided)];
  const counts = new Uint32Array(categories);
  for (const code of given.codes) if (code < categories) counts[code]!++;
  const matters = (category: number, others: number) => (counts[category]! * others) / (counts[category]! + values) >= NOTICED * records;
  const only = new Map([...counts.keys()].filter((category) => matters(category, values - 1)).map((category) => [category, -1]));
  for (let record = 0; record < records && only.size > 0; record++) {
    const [category, value] = [given.codes[record]!, found.codes[record]!];
    const before = only.get(category);
    // What is missing could be any value.
    if (before === undefined || before === value || value === values) continue;
    if (before === -1) only.set(category, value);
    else only.delete(category);
  }
  return [...only].flatMap(([category, value]) => {
    const others = Array.from({ length: values }, (_, code) => code).filter(
      (code) => code !== value && (support === null || isPossiblePair(support, [by, category], [decided, code])),
    );
    return matters(category, others.length) ? [{ by, category, decided, others }] : [];
  });
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
