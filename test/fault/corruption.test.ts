import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { type ByteRange, type Pieces, type Store, whole } from '../../shared/storage/store.ts';
import { CATEGORY_TREE_SETTINGS, mixedTable, runInStore, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

/** A store in which one bit of one object is another as soon as the object is there. */
class DecayingStore implements Store {
  readonly written: string[] = [];
  readonly #inner = new MemoryStore();
  readonly #isHit: (key: string) => boolean;
  readonly #place: number;

  /** @param place of the bit's byte in the object, as a share of its length */
  constructor(isHit: (key: string) => boolean = () => false, place = 0) {
    this.#isHit = isHit;
    this.#place = place;
  }

  get = (key: string, range?: ByteRange) => this.#inner.get(key, range);
  list = (prefix: string) => this.#inner.list(prefix);
  head = (key: string) => this.#inner.head(key);
  putPieces = async (key: string, pieces: Pieces) => void (await this.put(key, await whole(pieces)));
  change = (...args: Parameters<Store['change']>) => this.#inner.change(...args);

  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }) {
    this.written.push(key);
    if (!this.#isHit(key)) return this.#inner.put(key, bytes, options);
    const changed = bytes.slice();
    // The lowest bit, so that digits stay digits, and numbers numbers.
    changed[Math.floor(this.#place * bytes.length)]! ^= 1;
    return this.#inner.put(key, changed, options);
  }
}

const runs: [string, RunRequest][] = [
  ['chains', SMALL_SETTINGS, smallTable()] as const,
  [
    'chains without phi, of an intruder who knows less',
    { ...SMALL_SETTINGS, attributeRisk: { phi: 'integrated', scenarios: [{ name: 'half', knows: { share: 0.5 } }] } },
    smallTable(),
  ] as const,
  ['partially synthetic data', { ...SMALL_SETTINGS, synthesis: { datasets: 2, synthesized: ['education'] } }, smallTable()] as const,
  ['trees', CATEGORY_TREE_SETTINGS, mixedTable()] as const,
].map(([name, settings, table]) => [
  name,
  { ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table, batchSize: 30 },
]);

/** What steps of a run hand each other, and what is released. */
const isIntermediate = (key: string) =>
  /\.np[yz]$|\/release\/synthetic/.test(key) ||
  /\/(confidential\/(plan|utility-measured)|table\/schema|rounds\/\d+|source)\.json$/.test(key);

describe.each(runs)('a run of %s whose store loses a bit', (_, request) => {
  const kinds = new Map<string, string>();

  beforeAll(async () => {
    const store = new DecayingStore();
    await runInStore(store, request);
    for (const key of store.written.filter(isIntermediate)) kinds.set(key.replace(/\d+/g, '#'), key);
  });

  it('ends with an error where its release key is another than it began with', async () => {
    const store = new DecayingStore((key) => key.endsWith('/release-key'), 0.3);
    await expect(runInStore(store, request)).rejects.toThrow(/release-key is not the key that was stored/);
  });

  it('ends with an error that names the object, whichever it is, and leaves no manifest', async () => {
    expect(kinds.size).toBeGreaterThan(10);
    for (const key of kinds.values()) {
      // The end of an array is among its elements, that of a file of several is its directory.
      const store = new DecayingStore((written) => written === key, key.endsWith('.npy') ? 0.999 : 0.5);
      await expect(runInStore(store, request), key).rejects.toMatchObject({ name: 'ArtifactError', message: expect.stringContaining(key) });
      expect(store.written.filter((written) => written.endsWith('/manifest.json'))).toEqual([]);
    }
  });
});
