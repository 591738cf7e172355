import { createCipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RandomSource } from '../../shared/random/random-source.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { KeyedStreams, seededStreams } from '../../shared/random/streams.ts';
import { testKey } from '../test-keys.ts';

const first = (source: RandomSource) => Array.from({ length: 20 }, () => source.uniform());

/** The key of a stream as node derives it. */
const derived = (info: string) => new Uint8Array(hkdfSync('sha256', testKey(3), '', `synthrisk/${info}`, 32));

describe('KeyedStreams', () => {
  const streams = new KeyedStreams(testKey(3), 7);

  it('opens streams of released values with a key of their own (RFC 5869, RFC 8439)', () => {
    const cipher = createCipheriv('chacha20', derived('released/7/dataset/2'), new Uint8Array(16));
    const bytes = Buffer.from(cipher.update(new Uint8Array(8)));
    const [high, low] = [bytes.readUInt32LE(0) >>> 6, bytes.readUInt32LE(4) >>> 6];
    expect(streams.openReleased('dataset/2').uniform()).toBe((high * 2 ** 26 + low + 0.5) / 2 ** 52);
  });

  it('opens other streams from a key of their own', () => {
    const key = Buffer.from(derived('internal/7/chain/base/1')).toString('hex');
    expect(first(streams.open('chain/base/1'))).toEqual(first(new RandomStream(key, 'chain/base/1')));
  });

  it('gives one name one stream, and other names, uses, seeds and keys others', () => {
    const all = [
      streams.open('a'),
      streams.open('b'),
      streams.openReleased('a'),
      new KeyedStreams(testKey(3), 8).open('a'),
      new KeyedStreams(testKey(4), 7).open('a'),
      new KeyedStreams(testKey(3), 8).openReleased('a'),
      new KeyedStreams(testKey(4), 7).openReleased('a'),
      seededStreams(7).open('a'),
    ].map((source) => first(source).join());
    expect(new Set(all).size).toBe(all.length);
    expect(first(new KeyedStreams(testKey(3), 7).open('a')).join()).toBe(all[0]);
    expect(first(new KeyedStreams(testKey(3), 7).openReleased('a')).join()).toBe(all[2]);
  });
});
