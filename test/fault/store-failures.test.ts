import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { type Pieces, type Store, whole } from '../../shared/storage/store.ts';
import { hashesBelow, runInStore, smallConfig, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

const request: RunRequest = { ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: smallTable(), batchSize: 20 };

/** A store of which one put fails: before it keeps the object, or after, as when only the answer is lost. */
class FailingStore implements Store {
  puts = 0;
  readonly #inner: Store;
  readonly #failingPut: number;
  readonly #fails: 'before' | 'after';

  constructor(inner: Store, failingPut: number, fails: 'before' | 'after') {
    this.#inner = inner;
    this.#failingPut = failingPut;
    this.#fails = fails;
  }

  get = (...args: Parameters<Store['get']>) => this.#inner.get(...args);
  list = (prefix: string) => this.#inner.list(prefix);
  head = (key: string) => this.#inner.head(key);
  putPieces = async (key: string, pieces: Pieces) => void (await this.put(key, await whole(pieces)));
  change = (...args: Parameters<Store['change']>) => this.#inner.change(...args);

  async put(...args: Parameters<Store['put']>): ReturnType<Store['put']> {
    const failing = ++this.puts === this.#failingPut;
    if (failing && this.#fails === 'before') throw new Error('the medium is full');
    const answer = await this.#inner.put(...args);
    if (failing) throw new Error('the answer was lost');
    return answer;
  }
}

describe('a run whose store fails', () => {
  let expected: Record<string, string>;
  let puts: number;

  beforeAll(async () => {
    const store = new FailingStore(new MemoryStore(), 0, 'before');
    expected = await hashesBelow(store, await runInStore(store, request), '');
    ({ puts } = store);
  });

  it('puts each artifact once when nothing fails', () => {
    expect(Object.keys(expected)).toHaveLength(puts);
  });

  // The first and the last put, and ten between.
  it.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    'leaves the same bytes after a healthy rerun, failing at point %i of 12',
    async (point) => {
      const failingPut = 1 + Math.round(((point - 1) / 11) * (puts - 1));
      for (const fails of ['before', 'after'] as const) {
        const store = new MemoryStore();
        await expect(runInStore(new FailingStore(store, failingPut, fails), request)).rejects.toThrow(/^the /);
        const left = (await store.list('')).length - (fails === 'before' ? failingPut - 1 : failingPut);
        // Both forms of a table are put side by side: where one fails, the other may be there.
        expect([0, 1]).toContain(left);
        expect(await hashesBelow(store, await runInStore(store, request), '')).toEqual(expected);
      }
    },
  );
});
