import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CipherStream } from '../../shared/random/cipher-stream.ts';

const hex = (text: string) => Uint8Array.from(text.match(/../g)!, (digits) => Number.parseInt(digits, 16));

/** Blocks 0 and 1 under a key and a nonce of zeros (RFC 8439, appendix A.1, test vectors 1 and 2). */
const PUBLISHED = hex(
  '76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7' +
    'da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586' +
    '9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed' +
    '29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f',
);

/** The numbers that bytes make: 26 bits of each of two words, little-endian, and a half. */
function uniformsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 8 }, (_, i) => {
    const [high, low] = [view.getUint32(8 * i, true), view.getUint32(8 * i + 4, true)];
    return (Math.floor(high / 64) * 2 ** 26 + Math.floor(low / 64) + 0.5) / 2 ** 52;
  });
}

const drawn = (stream: CipherStream, count: number) => Array.from({ length: count }, () => stream.uniform());

describe('CipherStream', () => {
  it('gives the published key stream of ChaCha20', () => {
    expect(drawn(new CipherStream(new Uint8Array(32)), 16)).toEqual(uniformsOf(PUBLISHED));
  });

  it('gives what OpenSSL gives, far beyond what it forms at a time', () => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => 11 * i);
    const count = 5000;
    // OpenSSL takes the block counter and the nonce as one.
    const cipher = createCipheriv('chacha20', key, new Uint8Array(16));
    const expected = uniformsOf(new Uint8Array(cipher.update(new Uint8Array(8 * count))));
    expect(drawn(new CipherStream(key), count)).toEqual(expected);
  });

  it('is uniform on (0, 1), and below a bound', () => {
    const stream = new CipherStream(new Uint8Array(32).fill(5));
    const count = 200_000;
    const values = drawn(stream, count);
    expect(Math.min(...values.slice(0, 50_000))).toBeGreaterThan(0);
    expect(Math.max(...values.slice(0, 50_000))).toBeLessThan(1);
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const square = values.reduce((sum, value) => sum + value * value, 0) / count;
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(4 / Math.sqrt(12 * count));
    expect(Math.abs(square - 1 / 3)).toBeLessThan(4 * Math.sqrt(4 / 45 / count));
    const counts = new Array<number>(7).fill(0);
    for (let i = 0; i < 70_000; i++) counts[stream.below(7)]!++;
    const chiSquare = counts.reduce((sum, found) => sum + (found - 10_000) ** 2 / 10_000, 0);
    // The 0.9999 quantile with 6 degrees of freedom.
    expect(chiSquare).toBeLessThan(27.9);
  });
});
