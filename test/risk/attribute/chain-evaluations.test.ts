import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import {
  chainCounts,
  EVALUATIONS,
  HALF_SPLITS,
  halfEvaluation,
  RESAMPLES,
  WHOLE_SPLITS,
} from '../../../shared/risk/attribute/chain-evaluations.ts';
import { zOfMean } from '../../random/moments.ts';

const row = (counts: Float64Array, chains: number, b: number) => [...counts.subarray(b * chains, (b + 1) * chains)];
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

describe('chainCounts()', () => {
  it.each([1, 2, 5, 8, 33])('counts every one of %i chains once in the estimate itself', (chains) => {
    const counts = chainCounts(seededStreams(3), 'base', chains);
    expect(counts).toHaveLength(EVALUATIONS * chains);
    expect(row(counts, chains, 0)).toEqual(new Array(chains).fill(1));
  });

  it.each([1, 2, 5, 8, 33])('resamples as many of %i chains as there are, with replacement', (chains) => {
    const counts = chainCounts(seededStreams(3), 'base', chains);
    const rows = Array.from({ length: RESAMPLES }, (_, b) => row(counts, chains, b + 1));
    for (const resample of rows) expect(total(resample)).toBe(chains);
    if (chains === 1) return;
    expect(rows.some((resample) => resample.includes(0))).toBe(true);
    // Each count is Binomial(K, 1/K): variance 1 - 1/K.
    const variance = 1 - 1 / chains;
    for (const c of [0, chains - 1]) {
      const own = rows.map((resample) => resample[c]!);
      expect(Math.abs(zOfMean(own, 1, Math.sqrt(variance)))).toBeLessThan(4);
      const squares = own.map((count) => (count - 1) ** 2);
      expect(total(squares) / RESAMPLES).toBeGreaterThan(variance / 2);
      expect(total(squares) / RESAMPLES).toBeLessThan(variance * 2);
    }
  });

  it.each([2, 5, 8, 33])('splits %i chains in two halves that share none, differently each time', (chains) => {
    const counts = chainCounts(seededStreams(3), 'base', chains);
    const splits = new Set<string>();
    for (let split = 0; split < HALF_SPLITS; split++) {
      const [first, second] = [0, 1].map((half) => row(counts, chains, halfEvaluation(split, half as 0 | 1)));
      expect(total(first!)).toBe(Math.floor(chains / 2));
      expect(first!.map((count, c) => count + second![c]!)).toEqual(new Array(chains).fill(1));
      splits.add(String(first));
    }
    if (chains >= 8) expect(splits.size).toBeGreaterThan(HALF_SPLITS / 2);
  });

  it('has every half of four chains about equally often', () => {
    const halves = new Map<string, number>();
    const names = 500;
    for (let name = 0; name < names; name++) {
      const counts = chainCounts(seededStreams(name), 'base', 4);
      for (let split = 0; split < HALF_SPLITS; split++) {
        const half = String(row(counts, 4, halfEvaluation(split, 0)));
        halves.set(half, (halves.get(half) ?? 0) + 1);
      }
    }
    expect(halves.size).toBe(6);
    const expected = (names * HALF_SPLITS) / 6;
    const chiSquare = total([...halves.values()].map((found) => (found - expected) ** 2 / expected));
    // Five degrees of freedom: beyond this with a probability of 0.0001.
    expect(chiSquare).toBeLessThan(25.7);
  });

  it('lets a single chain stand in both halves', () => {
    const counts = chainCounts(seededStreams(3), 'base', 1);
    for (let split = 0; split < HALF_SPLITS; split++) {
      expect([counts[halfEvaluation(split, 0)], counts[halfEvaluation(split, 1)]]).toEqual([1, 1]);
    }
  });

  it('gives each half its own evaluation, after the resamples', () => {
    const all = Array.from({ length: HALF_SPLITS }, (_, split) => [0, 1].map((half) => halfEvaluation(split, half as 0 | 1)));
    expect(all.flat()).toEqual(Array.from({ length: 2 * HALF_SPLITS }, (_, i) => 1 + RESAMPLES + i));
    expect(EVALUATIONS).toBe(1 + RESAMPLES + 2 * HALF_SPLITS);
  });

  it('splits the base chains alone in the splits after those of all chains', () => {
    const base = chainCounts(seededStreams(3), 'base', 8);
    const paired = chainCounts(seededStreams(3), 'stacked/1', 8);
    for (let split = 0; split < HALF_SPLITS; split++) {
      const whole = split < WHOLE_SPLITS ? 4 : 8;
      for (const half of [0, 1] as const) {
        expect(total(row(base, 8, halfEvaluation(split, half)))).toBe(4);
        expect(total(row(paired, 8, halfEvaluation(split, half)))).toBe(whole);
      }
    }
  });

  it('depends on the seed and the name alone', () => {
    expect(chainCounts(seededStreams(3), 'base', 8)).toEqual(chainCounts(seededStreams(3), 'base', 8));
    expect(chainCounts(seededStreams(3), 'pair/1', 8)).not.toEqual(chainCounts(seededStreams(3), 'base', 8));
    expect(chainCounts(seededStreams(4), 'base', 8)).not.toEqual(chainCounts(seededStreams(3), 'base', 8));
  });
});
