import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CipherStream } from './cipher-stream.ts';
import type { RandomSource } from './random-source.ts';
import { RandomStream } from './random-stream.ts';

/** Bytes of the key of a stream, as ChaCha20 takes it. */
const KEY_BYTES = 32;

/** Opens streams by their names: one name, one stream. */
export interface Streams {
  /** A stream for what is not published: chains, resamples, targets. */
  open(name: string): RandomStream;
}

/**
 * The streams of a run. Each has a key of its own, derived from the release key by HKDF with SHA-256 (RFC 5869), with
 * the seed and the name of the stream as its info: without the release key nobody can open any of them, and no stream
 * tells anything of another. The seed tells runs of one key apart, and is no secret.
 */
export class KeyedStreams implements Streams {
  readonly #extracted: Uint8Array;
  readonly #seed: number;

  /** @param releaseKey 256 secret bits */
  constructor(releaseKey: Uint8Array, seed: number) {
    this.#extracted = extract(sha256, releaseKey);
    this.#seed = seed;
  }

  #derive(use: 'released' | 'internal', name: string): Uint8Array {
    return expand(sha256, this.#extracted, utf8ToBytes(`synthrisk/${use}/${this.#seed}/${name}`), KEY_BYTES);
  }

  /** A stream for values that are published. */
  openReleased(name: string): RandomSource {
    return new CipherStream(this.#derive('released', name));
  }

  /** See `Streams`. */
  open(name: string): RandomStream {
    return new RandomStream(bytesToHex(this.#derive('internal', name)), name);
  }
}

/** Streams that anybody can repeat who knows the seed: for measuring speed, benchmarks and tests, never for a run. */
export const seededStreams = (seed: number): Streams => ({ open: (name) => new RandomStream(seed, name) });
