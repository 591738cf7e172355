import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { sameTable } from '../../../shared/pipeline/compare/compare-runs.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, mixedTable, smallTable } from '../small-run.ts';

const [header, ...rows] = csvRows(smallTable());
const table = (records: readonly (readonly string[])[], names: readonly string[] = header!) => encodeCsv(names, records);

async function stored(bytes: Uint8Array, settings: object = {}) {
  const planned = await planRun({ purpose: 'evaluate', config: configSchema.parse(settings), table: bytes, ...TEST_KEYS });
  const store = new MemoryStore();
  await storePlannedRun(store, planned);
  return { plan: planned.plan, store };
}

const PARTIAL = { synthesis: { synthesized: ['education'] } };
const TREES = { model: { name: 'cart' }, ...PARTIAL };

describe('sameTable()', () => {
  it('takes files of the same variables and records for one table, in whatever order and kind of run', async () => {
    const own = await stored(table(rows));
    const back = rows.map((row) => row.toReversed());
    const turned = table(back.toReversed(), header!.toReversed());
    for (const settings of [{}, PARTIAL, TREES]) {
      const other = await stored(turned, settings);
      expect(other.plan.table.sha256).not.toBe(own.plan.table.sha256);
      expect(await sameTable(own, other)).toBe(true);
      expect(await sameTable(other, own)).toBe(true);
    }
  });

  it('takes one file for one table, whatever becomes of its categories', async () => {
    const merge = { other: [...new Set(rows.map((row) => row[2]!))].slice(0, 2) };
    const merged = await stored(table(rows), { variables: { education: { merge } } });
    expect(await sameTable(await stored(table(rows)), merged)).toBe(true);
  });

  it('tells tables apart by one value, a name or the number of records', async () => {
    const own = await stored(table(rows));
    const value = rows.map((row, i) => (i === 7 ? [...rows[8]!] : row));
    expect(JSON.stringify(value)).not.toBe(JSON.stringify(rows));
    const others = [
      table(value),
      table([...rows, rows[0]!]),
      table(rows, [...header!.slice(1), 'place']),
      // The values of two columns trade places.
      table(rows.map(([a, b, ...more]) => [b!, a!, ...more])),
    ];
    for (const bytes of others) {
      expect(await sameTable(own, await stored(bytes))).toBe(false);
      expect(await sameTable(own, await stored(bytes, PARTIAL))).toBe(false);
    }
  });

  it('compares continuous values of records', async () => {
    const [names, ...records] = csvRows(mixedTable());
    const settings = { variables: { age: { type: 'continuous' }, income: { type: 'continuous' } }, ...TREES };
    const own = await stored(table(records, names), settings);
    expect(await sameTable(own, await stored(table(records.toReversed(), names), settings))).toBe(true);
    const moved = records.map((row, i) => (i === 3 ? [...row.slice(0, -1), `${Number(row.at(-1)) + 1}`] : row));
    expect(await sameTable(own, await stored(table(moved, names), settings))).toBe(false);
  });
});
