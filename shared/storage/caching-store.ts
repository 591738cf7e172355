import { assertByteRange, type ByteRange, type Pieces, type Store } from './store.ts';

/**
 * A store in front of another that keeps objects in memory which never change once they are there. Bytes are handed
 * out as copies, so that the caller may change them.
 *
 * Objects come in groups, each read over and over in one order. When the memory is full, a new object takes the
 * place of those of other groups that were not asked for the longest, but never of its own group: in a cycle, what
 * was not asked for the longest is what comes next.
 *
 * Objects of a group never change while its witness is the same. That is read anew each time, and where it has changed they are let go;
 * until it has been read since {@link renew}, nothing of the group is taken from memory.
 */
export class CachingStore implements Store {
  readonly #inner: Store;
  readonly #groupOf: (key: string) => string | null;
  readonly #witnessOf: (key: string) => string | null;
  readonly #bytesMax: number;
  /** In the order in which they were last asked for. */
  readonly #objects = new Map<string, Uint8Array>();
  #bytes = 0;
  /** As they were read last, by group. */
  readonly #witnesses = new Map<string, Uint8Array>();
  /** Groups whose witness has been read since the last {@link renew}. */
  readonly #witnessed = new Set<string>();
  /** Rises whenever something is let go that may have changed: what was asked for before that and comes after it is not kept. */
  #era = 0;

  /**
   * @param groupOf the group of an object that never changes; null for what is not to be kept
   * @param witnessOf the group of which an object is the witness; null for all others
   * @param bytesMax most memory that all objects may take together
   */
  constructor(inner: Store, groupOf: (key: string) => string | null, witnessOf: (key: string) => string | null, bytesMax: number) {
    this.#inner = inner;
    this.#groupOf = groupOf;
    this.#witnessOf = witnessOf;
    this.#bytesMax = bytesMax;
  }

  /** See `Store`. Ranges are read from the store behind, unless the whole object is in memory. */
  async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    const group = this.#groupOf(key);
    const known = group !== null && this.#witnessed.has(group) ? this.#objects.get(key) : undefined;
    if (group === null || (known === undefined && range !== undefined)) return this.#heard(key, await this.#inner.get(key, range));
    if (range !== undefined) assertByteRange(range);
    const era = this.#era;
    const bytes = known ?? (await this.#inner.get(key));
    if (era === this.#era) this.#keep(key, group, bytes);
    return bytes.slice(range?.start, range?.end);
  }

  /** See `Store`. */
  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }) {
    return this.#inner.put(key, bytes, options);
  }

  /** See `Store`. What changes is not kept in memory. */
  change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void> {
    return this.#inner.change(key, make);
  }

  /** See `Store`. */
  putPieces(key: string, pieces: Pieces): Promise<void> {
    return this.#inner.putPieces(key, pieces);
  }

  /** See `Store`. */
  list(prefix: string): Promise<string[]> {
    return this.#inner.list(prefix);
  }

  /** See `Store`. */
  head(key: string): Promise<{ bytes: number } | null> {
    return this.#inner.head(key);
  }

  /** Begins another piece of work, before which anything may have been replaced. */
  renew(): void {
    this.#witnessed.clear();
  }

  /** Reads everything anew from now on: what was found wrong with an object may have been mended. */
  clear(): void {
    this.#era++;
    this.#objects.clear();
    this.#bytes = 0;
  }

  /** What was read; unless it is the same witness as before, what is in memory of its group may be of another making. */
  #heard(key: string, bytes: Uint8Array): Uint8Array {
    const group = this.#witnessOf(key);
    if (group === null) return bytes;
    const before = this.#witnesses.get(group);
    this.#witnesses.set(group, bytes.slice());
    this.#witnessed.add(group);
    if (before?.length === bytes.length && before.every((byte, i) => byte === bytes[i])) return bytes;
    this.#era++;
    for (const kept of this.#objects.keys()) if (this.#groupOf(kept) === group) this.#forget(kept);
    return bytes;
  }

  #keep(key: string, group: string, bytes: Uint8Array): void {
    this.#forget(key);
    const others = [...this.#objects.keys()].filter((other) => this.#groupOf(other) !== group);
    while (this.#bytes + bytes.length > this.#bytesMax && others.length > 0) this.#forget(others.shift()!);
    if (this.#bytes + bytes.length > this.#bytesMax) return;
    this.#objects.set(key, bytes);
    this.#bytes += bytes.length;
  }

  #forget(key: string): void {
    this.#bytes -= this.#objects.get(key)?.length ?? 0;
    this.#objects.delete(key);
  }
}
