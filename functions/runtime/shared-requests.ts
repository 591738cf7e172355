import type { RequestCount } from '../../shared/contracts/run/usage.ts';

/** Requests to S3 of all threads of the container together. */
export class SharedRequests implements RequestCount {
  /** Memory that the threads share: two 32-bit numbers, of reads and of writes. */
  readonly shared: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#counts = new Int32Array(shared);
  }

  /** Counts one request more. */
  count(kind: keyof RequestCount): void {
    Atomics.add(this.#counts, kind === 'reads' ? 0 : 1, 1);
  }

  /** See {@link RequestCount}. */
  get reads(): number {
    return Atomics.load(this.#counts, 0);
  }

  /** See {@link RequestCount}. */
  get writes(): number {
    return Atomics.load(this.#counts, 1);
  }
}
