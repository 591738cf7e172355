import { describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { storeRecordDataset } from '../../shared/artifacts/stored-dataset.ts';
import { encodeCheckedJson } from '../../shared/artifacts/stored-json.ts';
import { encodeColumns, readRecordDataset, readRecordTable } from '../../shared/artifacts/stored-table.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import type { Column, Table } from '../../shared/table/table.ts';
import { csvRows, smallConfig, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

/** Six records of a categorical variable with a missing value, of a continuous one, and of one with 300 categories. */
const CATEGORIES = Array.from({ length: 300 }, (_, i) => `c${i}`);
const TEXT = ['JOB,INCOME,PLACE', 'a,1.5,c7', '"b, c",-2,c299', ',0,c0', 'a,1e21,c1', 'a,0.1,c7', 'b,7,c0'];

async function recordTable(): Promise<Table> {
  const variables = { INCOME: { type: 'continuous' as const }, PLACE: { categories: CATEGORIES } };
  const bytes = new TextEncoder().encode(`${TEXT.join('\n')}\n`);
  return (await readTable(bytes, { variables, missing: 'category' })).table;
}

/** A run of this table that synthesizes two of its variables, as far as its plan and its table. */
async function storedRun(table: Table) {
  const { plan: full } = await planRun({ ...TEST_KEYS, purpose: 'synthesize', config: smallConfig(), table: smallTable() });
  const plan: Plan = {
    ...full,
    config: smallConfig({ synthesis: { synthesized: ['PLACE', 'INCOME'] } }),
    table: { ...full.table, records: table.records },
  };
  const store = new MemoryStore();
  const keys = runKeys(plan.runId);
  await store.put(keys.plan, encodeCheckedJson(plan));
  await store.put(keys.table.schema, encodeCheckedJson(table.schema));
  for (const [key, bytes] of encodeColumns(keys.table.records, table.columns.entries())) {
    await store.put(key, bytes);
  }
  return { store, plan, keys };
}

const synthesized = new Map<number, Column>([
  [2, { type: 'categorical', codes: Uint16Array.of(299, 299, 1, 2, 3, 0) }],
  [1, { type: 'continuous', values: Float64Array.of(-0.5, 3, 1e-7, 0, 12, 8) }],
]);
const source = { origin: 'synthesized', records: 6, chain: null, draw: null, iteration: null } as const;

describe('readRecordTable()', () => {
  it('gives the table back: codes of one and two bytes, and values', async () => {
    const table = await recordTable();
    const { store, plan } = await storedRun(table);
    expect(await readRecordTable(store, plan)).toEqual(table);
  });

  it('refuses a column of the other type, and one that is not there', async () => {
    const { store, plan, keys } = await storedRun(await recordTable());
    await store.put(keys.table.records(2), encodeCheckedNpy(Uint8Array.of(0, 0, 0, 0, 0, 0), [6]));
    const malformed = { name: 'ArtifactError', code: 'malformed-artifact' };
    await expect(readRecordTable(store, plan)).rejects.toMatchObject(malformed);
    const { store: empty } = await storedRun({ ...(await recordTable()), columns: [] });
    await expect(readRecordTable(empty, plan)).rejects.toMatchObject({ code: 'artifact-not-found' });
  });
});

describe('storeRecordDataset()', () => {
  it('keeps columns of the table and replaces the synthesized ones, in the order of the records', async () => {
    const table = await recordTable();
    const { store, plan, keys } = await storedRun(table);
    await storeRecordDataset(store, plan, table, { dataset: 3, rows: synthesized, source });
    const dataset = await readRecordDataset(store, plan, 3);
    expect(dataset).toEqual({ ...table, columns: [table.columns[0], synthesized.get(1), synthesized.get(2)] });
    expect(await readRecordDataset(store, plan, 3, table)).toEqual(dataset);
    expect(await store.head(keys.dataset(3).records(1))).toBeNull();
    expect(csvRows(await store.get(keys.release.dataset(3)))).toEqual([
      ['JOB', 'INCOME', 'PLACE'],
      ['a', '-0.5', 'c299'],
      ['b, c', '3', 'c299'],
      ['', '1e-7', 'c1'],
      ['a', '0', 'c2'],
      ['a', '12', 'c3'],
      ['b', '8', 'c0'],
    ]);
  });

  it('writes a release that reads back as the dataset', async () => {
    const table = await recordTable();
    const { store, plan, keys } = await storedRun(table);
    await storeRecordDataset(store, plan, table, { dataset: 1, rows: synthesized, source });
    const variables = {
      JOB: { categories: ['a', 'b', 'b, c'] },
      INCOME: { type: 'continuous' as const },
      PLACE: { categories: CATEGORIES },
    };
    const release = await store.get(keys.release.dataset(1));
    const read = await readTable(release, { variables, missing: 'category' });
    expect(read.table).toEqual(await readRecordDataset(store, plan, 1));
  });

  it('releases nothing of a replicate', async () => {
    const table = await recordTable();
    const { store, plan, keys } = await storedRun(table);
    const replicate: Plan = { ...plan, purpose: 'replicate' };
    await storeRecordDataset(store, replicate, table, { dataset: 1, rows: synthesized, source });
    expect(await store.list(keys.release.root)).toEqual([]);
    expect(await store.head(keys.dataset(1).source)).not.toBeNull();
  });
});
