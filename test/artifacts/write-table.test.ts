import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { GROUP_ROWS, rowsOf, tableCsv, writeParts, writeTable } from '../../shared/artifacts/write-table.ts';
import { double, int32, maybeDouble, type ResultTable, text } from '../../shared/contracts/column.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { Pieces } from '../../shared/storage/store.ts';

const RUN = '0'.repeat(16);
const KEYS = runKeys(RUN).confidential.table('numbers');

interface Numbers {
  readonly from: number;
}

const NUMBERS: ResultTable<Numbers> = {
  file: 'numbers',
  row: 'a number',
  columns: {
    number: int32('The number.', ({ from }, row) => from + row),
    half: double('Half of it.', ({ from }, row) => (from + row) / 2),
    third: maybeDouble('A third of it, where that is whole.', ({ from }, row) => ((from + row) % 3 === 0 ? (from + row) / 3 : null)),
    word: text('It, in words.', ({ from }, row) => ((from + row) % 2 === 0 ? 'even, "whole"' : null)),
  },
};

const ROWS = 2 * GROUP_ROWS + 5;

/** The first numbers, in parts that begin at these. */
const numbers = (...starts: readonly number[]) => starts.map((from, place) => rowsOf((starts[place + 1] ?? ROWS) - from, { from }));

describe('writeParts()', () => {
  it('writes the same bytes however the rows are cut into parts', async () => {
    const [whole, cut] = [new MemoryStore(), new MemoryStore()];
    await writeTable(whole, RUN, NUMBERS, ...numbers(0));
    await writeTable(cut, RUN, NUMBERS, ...numbers(0, 7, 8, GROUP_ROWS, GROUP_ROWS + 1));
    for (const key of [KEYS.csv, KEYS.parquet]) expect(Buffer.compare(await cut.get(key), await whole.get(key))).toBe(0);
    expect(Buffer.compare(await whole.get(KEYS.csv), tableCsv(NUMBERS, numbers(0)[0]!))).toBe(0);
  });

  it('writes a table without rows: the header, and a Parquet file that has its columns', async () => {
    const store = new MemoryStore();
    await writeTable(store, RUN, NUMBERS, rowsOf(0, { from: 0 }));
    expect(new TextDecoder().decode(await store.get(KEYS.csv))).toBe('number,half,third,word\n');
    const { num_rows: rows, schema } = parquetMetadata(Uint8Array.from(await store.get(KEYS.parquet)).buffer);
    expect(Number(rows)).toBe(0);
    expect(schema.slice(1).map(({ name }) => name)).toEqual(Object.keys(NUMBERS.columns));
  });

  it('ends with the error of its parts, and leaves what was there', async () => {
    const store = new MemoryStore();
    const before = Uint8Array.of(1);
    for (const key of [KEYS.csv, KEYS.parquet]) await store.put(key, before);
    const parts = async function* () {
      yield* numbers(0);
      await Promise.resolve();
      throw new RangeError('a part is lost');
    };
    await expect(writeParts(store, RUN, NUMBERS, { like: { from: 0 }, parts })).rejects.toThrow('a part is lost');
    for (const key of [KEYS.csv, KEYS.parquet]) expect(await store.get(key)).toEqual(before);
  });

  const refused = [
    ['CSV', KEYS.csv],
    ['Parquet', KEYS.parquet],
  ] as const;

  it.each(refused)('ends with the error of the store where that does not take the %s', async (_, refused) => {
    class FullStore extends MemoryStore {
      override async putPieces(key: string, pieces: Pieces): Promise<void> {
        if (key !== refused) return super.putPieces(key, pieces);
        for await (const piece of pieces) if (piece.length > 0) throw new Error('the store is full');
      }
    }
    await expect(writeTable(new FullStore(), RUN, NUMBERS, ...numbers(0))).rejects.toThrow('the store is full');
  });

  it.each(refused)('does so where the store takes none of the %s, or fails while more is written', async (_, refused) => {
    const late = () => new Promise<void>((_, reject) => setTimeout(() => reject(new Error('the store is full')), 50));
    for (const isBegun of [false, true]) {
      class SlowStore extends MemoryStore {
        override async putPieces(key: string, pieces: Pieces): Promise<void> {
          if (key !== refused) return super.putPieces(key, pieces);
          if (isBegun) for await (const _piece of pieces) await late();
          await late();
        }
      }
      const store = new SlowStore();
      await expect(writeTable(store, RUN, NUMBERS, ...numbers(0))).rejects.toThrow('the store is full');
      expect(await store.list('')).toEqual([]);
    }
  });
});
