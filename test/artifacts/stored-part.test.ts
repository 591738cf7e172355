import { describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { columnsAtOnce, readColumns, readGains } from '../../shared/artifacts/stored-part.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';

const RUN = '0'.repeat(16);
const WIDTH = 7;
const numberAt = (row: number, column: number) => 100 * row + column;

/** The gains of so many rows, in batches that end at these rows. */
async function stored(ends: readonly number[]) {
  const store = new MemoryStore();
  const batches = ends.map((to, b) => ({ batch: b + 1, scenario: 1, from: ends[b - 1] ?? 0, to }));
  for (const { batch, from, to } of batches) {
    const data = Float64Array.from({ length: (to - from) * WIDTH }, (_, i) => numberAt(from + Math.floor(i / WIDTH), i % WIDTH));
    await store.put(runKeys(RUN).part(1, batch).valueGains, encodeCheckedNpy(data, [to - from, WIDTH]));
  }
  return { store, assessed: { runId: RUN, batches } };
}

describe('readColumns()', () => {
  const columns = async (ends: readonly number[], asked: { from?: number; to?: number; atOnce?: number }) => {
    const { store, assessed } = await stored(ends);
    const found: number[][] = [];
    for await (const column of readColumns(store, assessed, 1, { name: 'valueGains', ...asked })) found.push([...column]);
    return found;
  };
  const expected = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, c) => Array.from({ length: 5 }, (_row, row) => numberAt(row, from + c)));

  it.each([
    ['one batch', [5]],
    ['several', [2, 3, 5]],
  ])('gives the same columns, however many are in memory at a time: %s', async (_, ends) => {
    for (const atOnce of [undefined, 1, 2, 3, 100]) {
      expect(await columns(ends, atOnce === undefined ? {} : { atOnce })).toEqual(expected(0, WIDTH));
      expect(await columns(ends, { from: 2, to: 5, ...(atOnce === undefined ? {} : { atOnce }) })).toEqual(expected(2, 5));
    }
  });

  it('takes fewer at a time the more rows there are, and both halves of a split at least', () => {
    expect([10, 1e6, 1e7, 1e9].map((rows) => columnsAtOnce(rows) * rows * 8 <= 2 ** 30)).toEqual([true, true, true, false]);
    expect(columnsAtOnce(1e9)).toBe(2);
  });
});

describe('readGains()', () => {
  it('gives those of the rows that are asked for, in their order', async () => {
    for (const ends of [[5], [2, 3, 5]]) {
      const { store, assessed } = await stored(ends);
      const gains = await readGains(store, assessed, 1, Uint32Array.of(4, 0, 2));
      const rowOf = (row: number) => Array.from({ length: WIDTH }, (_, c) => numberAt(row, c));
      expect([...gains]).toEqual([4, 0, 2].flatMap(rowOf));
    }
  });
});
