import { describe, expect, it } from 'vitest';
import { meansOfFirst } from '../../../shared/risk/reconstruction/means-of-first.ts';

const scores = Float64Array.of(3, 9, 3, 7, 3, 1);
const hits = [1, 0, 0, 1, 1, 1];
const ones = [1, 1, 1, 1, 1, 1];

describe('means of the first', () => {
  it('are in the order of scores, and share a cut among those that tie there', () => {
    const found = meansOfFirst(scores, [hits, ones], [1, 2, 3, 4, 5, 6]);
    // 9, 7, then three of which two hit, then 1.
    const expected = [0, 1 / 2, (1 + 2 / 3) / 3, (1 + 4 / 3) / 4, 3 / 5, 4 / 6];
    for (const [c, [share, one]] of found.entries()) {
      expect(share).toBeCloseTo(expected[c]!, 14);
      expect(one).toBeCloseTo(1, 14);
    }
  });

  it('are the mean over every order of ties', () => {
    const orders = [
      [0, 2, 4],
      [0, 4, 2],
      [2, 0, 4],
      [2, 4, 0],
      [4, 0, 2],
      [4, 2, 0],
    ];
    const shares = orders.map((tied) => [1, 3, ...tied, 5].slice(0, 4).reduce((sum, x) => sum + hits[x]!, 0) / 4);
    const [[share]] = meansOfFirst(scores, [hits], [4]) as [[number]];
    expect(share).toBeCloseTo(shares.reduce((sum, own) => sum + own, 0) / orders.length, 14);
  });

  it('of scores that are all equal are the mean of all, whatever the cut', () => {
    for (const [share] of meansOfFirst(new Float64Array(6), [hits], [1, 3, 6])) expect(share).toBeCloseTo(4 / 6, 14);
  });
});
