import { describe, expect, it, vi } from 'vitest';
import { CachingStore } from '../../shared/storage/caching-store.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { storeSuite } from './store-suite.ts';

/** Objects `runs/<group>/draws/...` never change; nothing else is kept. */
const groupOf = (key: string) => /^runs\/(.+)\/draws\//.exec(key)?.[1] ?? null;

/** The key of a group is its witness. */
const witnessOf = (key: string) => /^runs\/(.+)\/key$/.exec(key)?.[1] ?? null;

/** A store in memory that lists what it was asked for. */
class CountingStore extends MemoryStore {
  readonly reads: string[] = [];

  override get(...args: Parameters<MemoryStore['get']>) {
    this.reads.push(args[0]);
    return super.get(...args);
  }
}

/** A cache of 10 bytes before a store with objects of 4 bytes, which has seen the witnesses of two groups. */
async function open(...keys: string[]) {
  const inner = new CountingStore();
  const witnesses = ['runs/a/key', 'runs/b/key'];
  for (const key of [...keys, ...witnesses]) await inner.put(key, Uint8Array.of(1, 2, 3, 4));
  const store = new CachingStore(inner, groupOf, witnessOf, 10);
  for (const key of witnesses) await store.get(key);
  inner.reads.length = 0;
  return { inner, store };
}

storeSuite('CachingStore', () => new CachingStore(new MemoryStore(), groupOf, witnessOf, 1_000_000));

describe('CachingStore', () => {
  it('reads an object once that never changes, and any other each time', async () => {
    const { inner, store } = await open('runs/a/draws/1', 'runs/a/run.json');
    for (let i = 0; i < 3; i++) {
      await store.get('runs/a/draws/1');
      await store.get('runs/a/run.json');
    }
    expect(inner.reads.filter((key) => key === 'runs/a/draws/1')).toHaveLength(1);
    expect(inner.reads.filter((key) => key === 'runs/a/run.json')).toHaveLength(3);
  });

  it('gives a range of what is in memory, and a copy', async () => {
    const { inner, store } = await open('runs/a/draws/1');
    (await store.get('runs/a/draws/1')).fill(0);
    const part = await store.get('runs/a/draws/1', { start: 1, end: 3 });
    expect(part).toEqual(Uint8Array.of(2, 3));
    part.fill(0);
    expect(await store.get('runs/a/draws/1')).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(inner.reads).toHaveLength(1);
    await expect(store.get('runs/a/draws/1', { start: 3, end: 1 })).rejects.toThrow(RangeError);
  });

  it('lets a group go whose witness has changed, and no other', async () => {
    const { inner, store } = await open('runs/a/draws/1', 'runs/b/draws/1');
    const readAll = async () => {
      for (const run of ['a', 'b']) for (const part of ['key', 'draws/1']) await store.get(`runs/${run}/${part}`);
      return inner.reads.splice(0).filter((key) => key.includes('draws'));
    };
    expect(await readAll()).toEqual(['runs/a/draws/1', 'runs/b/draws/1']);
    await inner.put('runs/b/key', Uint8Array.of(1, 2, 3, 4));
    expect(await readAll()).toEqual([]);
    for (const key of [Uint8Array.of(1, 2, 3, 5), Uint8Array.of(1, 2, 3)]) {
      await inner.put('runs/b/key', key);
      expect(await readAll()).toEqual(['runs/b/draws/1']);
    }
  });

  it('takes nothing from memory before the witness is read, in each piece of work', async () => {
    const { inner, store } = await open('runs/a/draws/1');
    const readsOf = async (...keys: string[]) => {
      for (const key of keys) await store.get(`runs/a/${key}`);
      return inner.reads.splice(0).filter((key) => key.includes('draws')).length;
    };
    expect(await readsOf('draws/1', 'draws/1')).toBe(1);
    store.renew();
    expect(await readsOf('draws/1', 'draws/1', 'key', 'draws/1')).toBe(2);
    store.renew();
    await inner.put('runs/a/draws/1', Uint8Array.of(5));
    await inner.put('runs/a/key', Uint8Array.of(5));
    expect(await store.get('runs/a/draws/1')).toEqual(Uint8Array.of(5));
    expect(await readsOf('key', 'draws/1', 'draws/1')).toBe(2);
  });

  it('reads everything anew when it is told to', async () => {
    const { inner, store } = await open('runs/a/draws/1', 'runs/b/draws/1');
    const readAll = async () => {
      for (const run of ['a', 'b']) await store.get(`runs/${run}/draws/1`);
      return inner.reads.splice(0).length;
    };
    expect([await readAll(), await readAll()]).toEqual([2, 0]);
    store.clear();
    expect([await readAll(), await readAll()]).toEqual([2, 0]);
  });

  it('keeps nothing that was asked for before it let go and came after that', async () => {
    const letGo = {
      clear: async (_: CountingStore, store: CachingStore) => store.clear(),
      'another witness': async (inner: CountingStore, store: CachingStore) => {
        await inner.put('runs/a/key', Uint8Array.of(9));
        await store.get('runs/a/key');
      },
    };
    for (const [by, letItGo] of Object.entries(letGo)) {
      const { inner, store } = await open('runs/a/draws/1');
      let arrive = () => {};
      const late = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const get = vi.spyOn(inner, 'get').mockImplementationOnce(async () => {
        await late;
        return Uint8Array.of(0);
      });
      const asked = store.get('runs/a/draws/1');
      await letItGo(inner, store);
      arrive();
      expect(await asked).toEqual(Uint8Array.of(0));
      get.mockRestore();
      expect(await store.get('runs/a/draws/1'), by).toEqual(Uint8Array.of(1, 2, 3, 4));
    }
  });

  it('keeps what it has of a group that is larger than its memory', async () => {
    const keys = ['runs/a/draws/1', 'runs/a/draws/2', 'runs/a/draws/3'];
    const { inner, store } = await open(...keys);
    for (let i = 0; i < 3; i++) for (const key of keys) await store.get(key);
    expect(inner.reads).toEqual([...keys, 'runs/a/draws/3', 'runs/a/draws/3']);
  });

  it('makes room for another group, beginning with what was not asked for the longest', async () => {
    const { inner, store } = await open('runs/a/draws/1', 'runs/a/draws/2', 'runs/b/draws/1');
    for (const key of ['runs/a/draws/1', 'runs/a/draws/2', 'runs/a/draws/1', 'runs/b/draws/1']) {
      await store.get(key);
    }
    inner.reads.length = 0;
    await store.get('runs/b/draws/1');
    await store.get('runs/a/draws/1');
    expect(inner.reads).toEqual([]);
    await store.get('runs/a/draws/2');
    expect(inner.reads).toEqual(['runs/a/draws/2']);
  });
});
