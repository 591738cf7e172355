import { beforeAll, describe, expect, it } from 'vitest';
import { posterior } from '../../../shared/risk/attribute/posterior.ts';
import { type ReliabilityBin, reliabilityBins, wilsonInterval } from '../../../shared/risk/calibration/reliability.ts';
import { calibratedTargets } from './calibrated-targets.ts';

describe('wilsonInterval()', () => {
  it.each([
    [0, 10, 0, 0.27753],
    [10, 10, 0.72247, 1],
    [5, 10, 0.23659, 0.76341],
    [3, 100, 0.01025, 0.08452],
  ])('of %d in %d is %f to %f', (successes, trials, low, high) => {
    const found = wilsonInterval(successes, trials);
    expect(found[0]).toBeCloseTo(low, 5);
    expect(found[1]).toBeCloseTo(high, 5);
  });
});

describe('reliabilityBins()', () => {
  const { logLikelihoods, truths, candidates } = calibratedTargets(3, 4_000, 10, 1);
  let bins: ReliabilityBin[];
  const sum = (pick: (bin: ReliabilityBin) => number) => bins.reduce((total, bin) => total + pick(bin), 0);

  beforeAll(() => {
    bins = reliabilityBins(logLikelihoods, truths, candidates);
  });

  it('hold every candidate and every truth once, by the probability claimed', () => {
    expect(bins).toHaveLength(10);
    expect(sum((bin) => bin.candidates)).toBe(40_000);
    expect(sum((bin) => bin.truths)).toBe(4_000);
    expect(sum((bin) => bin.candidates * bin.meanClaimed)).toBeCloseTo(4_000, 6);
    for (const [b, bin] of bins.entries()) {
      expect(bin.from).toBeLessThanOrEqual(bin.meanClaimed);
      expect(bin.to).toBeGreaterThanOrEqual(bin.meanClaimed);
      if (b > 0) expect(bin.from).toBeGreaterThan(bins[b - 1]!.to);
      expect(bin.observedShare).toBe(bin.truths / bin.candidates);
    }
  });

  it('tell the least and the largest probability that they hold', () => {
    const claimed = Array.from(truths, (_, t) => [...posterior(logLikelihoods, t * candidates, candidates)]).flat();
    for (const { from, to, candidates: members } of bins) {
      const own = claimed.filter((p) => p >= from && p <= to);
      expect([own.length, Math.min(...own), Math.max(...own)]).toEqual([members, from, to]);
    }
  });

  it('expect about equally many truths', () => {
    for (const { candidates: members, meanClaimed } of bins) {
      expect(Math.abs(members * meanClaimed - 400)).toBeLessThan(80);
    }
  });

  it('find of a calibrated estimate the share that it claims, and of doubled likelihoods another', () => {
    const outside = (of: ReliabilityBin[]) => of.filter(({ meanClaimed, low, high }) => meanClaimed < low || meanClaimed > high).length;
    expect(outside(bins)).toBeLessThan(3);
    const sure = reliabilityBins(
      logLikelihoods.map((value) => 2 * value),
      truths,
      candidates,
    );
    expect(outside(sure)).toBeGreaterThan(6);
    expect(sure.at(-1)!.observedShare).toBeLessThan(sure.at(-1)!.meanClaimed);
    expect(sure[0]!.observedShare).toBeGreaterThan(sure[0]!.meanClaimed);
  });

  it('are fewer where there are few targets, and one where no estimate tells anything', () => {
    const few = calibratedTargets(4, 50, 10, 1);
    expect(reliabilityBins(few.logLikelihoods, few.truths, 10)).toHaveLength(2);
    expect(reliabilityBins(new Float64Array(3_000), new Uint32Array(1_000), 3)).toMatchObject([
      { candidates: 3_000, truths: 1_000, from: 1 / 3, to: 1 / 3 },
    ]);
  });

  it('count candidates whose probability rounds to zero among the least probable', () => {
    const [bin, ...others] = reliabilityBins(Float64Array.of(0, -2_000, 0, -2_000), [0, 1], 2);
    expect(others).toEqual([]);
    expect(bin).toMatchObject({ from: 0, to: 1, candidates: 4, truths: 2, meanClaimed: 0.5 });
  });
});
