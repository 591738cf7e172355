import { assertByteRange, assertStoreKey, type ByteRange, notFound, type Pieces, type Store, whole } from './store.ts';

/** A store that lives as long as the process: for tests and for runs that leave nothing behind. */
export class MemoryStore implements Store {
  readonly #objects = new Map<string, Uint8Array>();

  /** A copy of the object's bytes; see `Store`. */
  async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    assertStoreKey(key);
    if (range !== undefined) assertByteRange(range);
    const bytes = this.#objects.get(key);
    if (bytes === undefined) throw notFound(key);
    return bytes.slice(range?.start, range?.end);
  }

  /** Keeps a copy; see `Store`. */
  async put(key: string, bytes: Uint8Array, options: { readonly ifAbsent?: boolean } = {}) {
    assertStoreKey(key);
    if (options.ifAbsent && this.#objects.has(key)) return 'present';
    this.#objects.set(key, new Uint8Array(bytes));
    return 'written';
  }

  /** Keeps them as one array; see `Store`. */
  async putPieces(key: string, pieces: Pieces): Promise<void> {
    await this.put(key, await whole(pieces));
  }

  /** See `Store`. */
  async change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void> {
    assertStoreKey(key);
    const made = make(this.#objects.get(key)?.slice() ?? null);
    if (made !== null) this.#objects.set(key, new Uint8Array(made));
  }

  /** See `Store`. */
  async list(prefix: string): Promise<string[]> {
    return [...this.#objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  /** See `Store`. */
  async head(key: string): Promise<{ bytes: number } | null> {
    assertStoreKey(key);
    const bytes = this.#objects.get(key);
    return bytes === undefined ? null : { bytes: bytes.length };
  }
}
