import { runKeys } from '../contracts/keys.ts';
import type { DatasetSource, Plan } from '../contracts/run/plan.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { Store } from '../storage/store.ts';
import { categoryText } from '../table/category-text.ts';
import type { Combinations, CombinationsOfRecords } from '../table/combinations.ts';
import { encodeRepeatedCsv } from '../table/files/write-csv.ts';
import { encodeCheckedJson } from './stored-json.ts';
import { encodeCombinations } from './stored-table.ts';

/** Combinations as text, one at a time. */
function* combinationTexts(schema: TableSchema, { codes, count, variables }: Combinations) {
  for (let row = 0; row < count; row++) {
    yield schema.variables.map((_, k) => categoryText(schema, k, codes[row * variables + k]!));
  }
}

/**
 * Stores a fully synthetic dataset (numbered from 1): the file to release, what the pipeline reads, and last where it came
 * from, which says that it is whole. What is there already stays.
 */
export async function storeFullDataset(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  {
    dataset,
    rows: { combinations, combinationOfRecord },
    source,
  }: { readonly dataset: number; readonly rows: CombinationsOfRecords; readonly source: DatasetSource },
): Promise<void> {
  const keys = runKeys(plan.runId);
  const once = { ifAbsent: true };
  // What a replicate synthesizes comes from an altered table: it is nothing to release.
  if (plan.purpose !== 'replicate') {
    const header = schema.variables.map(({ name }) => name);
    const texts = combinationTexts(schema, combinations);
    const csv = encodeRepeatedCsv(header, texts, combinationOfRecord);
    await store.put(keys.release.dataset(dataset), csv, once);
  }
  for (const [key, bytes] of encodeCombinations(keys.dataset(dataset), combinations)) {
    await store.put(key, bytes, once);
  }
  await store.put(keys.dataset(dataset).source, encodeCheckedJson(source), once);
}
