import { describe, expect, it } from 'vitest';
import { rankSwapped, swapWindow } from '../../shared/masking/rank-swap.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';

const ascending = (length: number) => Float64Array.from({ length }, (_, i) => i);

/** How many ranks each value went. */
const distances = (length: number, p: number, seed: number) =>
  rankSwapped(new RandomStream(seed, 'swap'), ascending(length), p).map((value, rank) => Math.abs(value - rank));

describe('swapWindow()', () => {
  it('is p percent of the records, rounded down, whatever binary numbers make of it', () => {
    expect([swapWindow(1080, 5), swapWindow(1000, 0.7), swapWindow(99, 1), swapWindow(10, 100)]).toEqual([54, 7, 0, 10]);
  });
});

describe('rankSwapped()', () => {
  it('keeps the values as they are, in other places', () => {
    const values = Float64Array.of(5, 3, 3, 9, 1, 7, 7, 2);
    const swapped = rankSwapped(new RandomStream(1, 'swap'), values, 50);
    expect(swapped.toSorted()).toEqual(values.toSorted());
    expect(swapped).not.toEqual(values);
  });

  it('swaps neighbours where the window is one rank, and of an odd number the last one once more', () => {
    expect([...rankSwapped(new RandomStream(1, 'swap'), ascending(6), 17)]).toEqual([1, 0, 3, 2, 5, 4]);
    expect([...rankSwapped(new RandomStream(1, 'swap'), ascending(7), 15)]).toEqual([1, 0, 3, 2, 5, 6, 4]);
  });

  it.each([
    [1000, 1],
    [1001, 2],
    [200, 10],
    [51, 40],
  ])('lets no value but few at the upper end go beyond its window: %i records, p = %i', (records, p) => {
    for (let seed = 1; seed <= 20; seed++) {
      const beyond = distances(records, p, seed).filter((distance) => distance > swapWindow(records, p));
      expect(beyond.length).toBeLessThanOrEqual(1);
    }
  });

  it('leaves none in its place', () => {
    for (let seed = 1; seed <= 20; seed++) expect(distances(301, 5, seed)).not.toContain(0);
  });

  it('draws a partner from the whole window, at the lower end as well', () => {
    const first = Array.from({ length: 2000 }, (_, seed) => distances(100, 10, seed)[0]!);
    for (let distance = 1; distance <= 10; distance++) {
      const share = first.filter((one) => one === distance).length / first.length;
      // The first is now and then swapped once more: nearly all partners are drawn from ten.
      expect(Math.abs(share - 0.1)).toBeLessThan(0.03);
    }
  });

  it('finds the rank that serves where no draw comes upon it', () => {
    // The first is swapped with the third; then each draw is the first of its window, of which the second finds the third alone.
    let draws = 0;
    const random = { below: () => Number(draws++ === 0) } as unknown as RandomStream;
    expect([...rankSwapped(random, ascending(6), 34)]).toEqual([2, 3, 0, 1, 5, 4]);
  });

  it('swaps over all ranks with p = 100', () => {
    const all = distances(100, 100, 1);
    expect(Math.max(...all)).toBeGreaterThan(50);
  });
});
