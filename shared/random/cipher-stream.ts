import { chacha20 } from '@noble/ciphers/chacha.js';
import { type RandomSource, uniformOfWords } from './random-source.ts';

/** Bytes of a block of ChaCha20, and blocks that are formed at a time after the first: of many streams a number or two are drawn. */
const BLOCK_BYTES = 64;
const BLOCKS = 64;

/** Each stream has a key of its own, so that the nonce has nothing to tell apart. */
const NONCE = new Uint8Array(12);

const PLAIN = new Uint8Array(BLOCK_BYTES * BLOCKS);

/**
 * Random numbers for values that are published: the key stream of ChaCha20 (RFC 8439), eight bytes a number, so that
 * however many values are known, nothing follows about any other. 256 GiB of them, then RangeError.
 */
export class CipherStream implements RandomSource {
  readonly #key: Uint8Array;
  #view = new DataView(new ArrayBuffer(0));
  #position = 0;
  #end = 0;
  #block = 0;

  /** @param key 32 bytes that no other stream has */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** See `RandomSource`. */
  uniform(): number {
    if (this.#position === this.#end) {
      const blocks = this.#block === 0 ? 1 : BLOCKS;
      const bytes = chacha20(this.#key, NONCE, PLAIN.subarray(0, blocks * BLOCK_BYTES), undefined, this.#block);
      this.#view = new DataView(bytes.buffer);
      this.#block += blocks;
      this.#position = 0;
      this.#end = bytes.length;
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
