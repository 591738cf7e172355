import { chacha20 } from '@noble/ciphers/chacha.js';
import { type RandomSource, uniformOfWords } from './random-source.ts';

/** Blocks of ChaCha20 that are formed at a time, of 64 bytes each. */
const BLOCKS = 64;

/** Each stream has a key of its own, so that the nonce has nothing to tell apart. */
const NONCE = new Uint8Array(12);

const PLAIN = new Uint8Array(64 * BLOCKS);

/**
 * Random numbers for values that are published: the key stream of ChaCha20 (RFC 8439), eight bytes a number, so that
 * however many values are known, nothing follows about any other. 256 GiB of them, then RangeError.
 */
export class CipherStream implements RandomSource {
  readonly #key: Uint8Array;
  readonly #bytes = new Uint8Array(PLAIN.length);
  readonly #view = new DataView(this.#bytes.buffer);
  #position = PLAIN.length;
  #block = 0;

  /** @param key 32 bytes that no other stream has */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** See `RandomSource`. */
  uniform(): number {
    if (this.#position === PLAIN.length) {
      chacha20(this.#key, NONCE, PLAIN, this.#bytes, this.#block);
      this.#block += BLOCKS;
      this.#position = 0;
    }
    const high = this.#view.getUint32(this.#position, true);
    const low = this.#view.getUint32(this.#position + 4, true);
    this.#position += 8;
    return uniformOfWords(high, low);
  }

  /** See `RandomSource`. */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }
}
