import { readRecordTable } from '../../artifacts/stored-columns.ts';
import { readStoredTable } from '../../artifacts/stored-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText, recordTexts } from '../../table/category-text.ts';

/** A finished run as the one who may read all of it has it. */
export interface StoredRun {
  readonly plan: Plan;
  readonly store: Store;
}

/**
 * Whether two runs are of the same table: of the same file, or else of the same variables and records, in whatever order and
 * format. Their confidential artifacts tell, since nothing in the open does.
 */
export async function sameTable(a: StoredRun, b: StoredRun): Promise<boolean> {
  if (a.plan.table.sha256 === b.plan.table.sha256) return true;
  if (a.plan.table.records !== b.plan.table.records || a.plan.table.variables !== b.plan.table.variables) {
    return false;
  }
  const [own, other] = [await countRecords(a), await countRecords(b)];
  return own.size === other.size && [...own].every(([record, count]) => other.get(record) === count);
}

/** How many records of a run's table have each row of values, by name of the variable. */
async function countRecords({ plan, store }: StoredRun): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (names: readonly string[], texts: readonly (string | number | null)[], count: number) => {
    const pairs = texts.map((text, v) => [names[v]!, text === null ? null : String(text)] as const);
    const key = JSON.stringify(pairs.toSorted(([first], [second]) => (first < second ? -1 : 1)));
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  if (plan.config.synthesis.synthesized !== 'all') {
    const table = await readRecordTable(store, plan);
    const names = table.schema.variables.map(({ name }) => name);
    for (const texts of recordTexts(table)) add(names, texts, 1);
    return counts;
  }
  const { schema, combinations } = await readStoredTable(store, plan.runId);
  const names = schema.variables.map(({ name }) => name);
  for (let row = 0; row < combinations.count; row++) {
    const from = row * combinations.variables;
    const texts = names.map((_, v) => categoryText(schema, v, combinations.codes[from + v]!));
    add(names, texts, combinations.counts[row]!);
  }
  return counts;
}
