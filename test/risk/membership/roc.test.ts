import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { areaBelow, bestAccuracy, foundAt, powerOf, rocCurve } from '../../../shared/risk/membership/roc.ts';

const once = (bits: number[]) => ({ bits, weights: bits.map(() => 1) });

describe('the curve of a test', () => {
  const members = { bits: [3, 1, 1, -1], weights: [1, 2, 1, 1] };
  const others = once([2, 1, 0, -1, -2]);

  it('has a point after all people of equal bits, and their area by halves', () => {
    const curve = rocCurve(members, others);
    const percents = (shares: Float64Array) => Array.from(shares, (share) => Math.round(100 * share));
    expect(percents(curve.falseAlarms)).toEqual([0, 0, 20, 40, 60, 80, 100]);
    expect(percents(curve.found)).toEqual([0, 20, 20, 80, 80, 100, 100]);
    // Every pair of a member and another, by hand: 5 of the first, 3 x (3 + 1 / 2), 1 + 1 / 2 of the last, of 25.
    expect(areaBelow(curve)).toBeCloseTo((5 + 3 * 3.5 + 1.5) / 25, 12);
    expect(foundAt(curve, 0.1)).toBeCloseTo(0.2, 12);
    expect(foundAt(curve, 0.3)).toBeCloseTo(0.5, 12);
    expect(foundAt(curve, 0.4)).toBeCloseTo(0.8, 12);
    expect(foundAt(curve, 1)).toBe(1);
    expect(bestAccuracy(curve)).toBeCloseTo((0.8 + 0.6) / 2, 12);
  });

  it('leaves out who weighs nothing, and finds nobody where nothing differs', () => {
    const weighed = { bits: [0, 0, 9], weights: [1, 1, 0] };
    const curve = rocCurve(weighed, once([0, 0, 0]));
    expect(areaBelow(curve)).toBeCloseTo(0.5, 12);
    expect(foundAt(curve, 0.1)).toBeCloseTo(0.1, 12);
    expect(bestAccuracy(curve)).toBeCloseTo(0.5, 12);
  });

  it('counts who is certain, whatever the ratio', () => {
    const curve = rocCurve(once([Infinity, 0]), once([0, -Infinity]));
    expect(areaBelow(curve)).toBeCloseTo(0.875, 12);
  });
});

describe('the power of ratios', () => {
  /** Members have log ratios around +s^2 / 2, others around -s^2 / 2, with variance s^2: ratios that are what they claim to be. */
  function simulated(spread: number, claimed: number, size = 40_000) {
    const random = new RandomStream(5, 'power');
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
    const bits = (sign: number) =>
      Array.from({ length: size }, () => (claimed * ((sign * spread ** 2) / 2 + spread * normal())) / Math.LN2);
    return [once(bits(1)), once(bits(-1))] as const;
  }

  it.each([
    [0.8, 1],
    [1.6, 1],
    [0.8, 2],
    [1.6, 0.5],
  ])('is 1 by what they claim too much: spread %d, claimed %d times', (spread, claimed) => {
    const [members, others] = simulated(spread, claimed);
    expect(claimed * powerOf(members, others)!).toBeCloseTo(1, 1);
  });

  it('gives members and others the same weight, however many there are', () => {
    const [members, others] = simulated(1, 1, 2000);
    const fewer = { bits: members.bits, weights: members.bits.map(() => 0.01) };
    expect(powerOf(fewer, others)).toBeCloseTo(powerOf(members, others)!, 9);
  });

  it('is unknown where nothing varies, and where members and others lie apart', () => {
    expect(powerOf(once([0, 0]), once([0, 0, 0]))).toBeNull();
    expect(powerOf(once([2, 3]), once([0, 1]))).toBeNull();
  });
});
