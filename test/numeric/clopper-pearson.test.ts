import { describe, expect, it } from 'vitest';
import { binomialMasses } from '../../shared/numeric/binomial-mass.ts';
import { clopperPearson, incompleteBeta } from '../../shared/numeric/clopper-pearson.ts';

describe('incompleteBeta()', () => {
  it('is the tail of the binomial (DLMF 8.17.5)', () => {
    for (const [n, k, p] of [
      [10, 3, 0.2],
      [40, 39, 0.9],
      [7, 1, 0.5],
      [300, 20, 0.1],
    ] as const) {
      const tail = binomialMasses(n)(p)
        .slice(k)
        .reduce((sum, mass) => sum + mass, 0);
      expect(incompleteBeta(k, n - k + 1, p)).toBeCloseTo(tail, 11);
    }
  });

  it('is 0 and 1 at the ends', () => {
    expect([incompleteBeta(2, 3, 0), incompleteBeta(2, 3, 1)]).toEqual([0, 1]);
  });
});

describe('clopperPearson()', () => {
  it('is the interval of R 4 (binom.test)', () => {
    const [low, high] = clopperPearson(2, 10);
    expect(low).toBeCloseTo(0.0252107263268, 12);
    expect(high).toBeCloseTo(0.5560954623076, 12);
  });

  it('is closed in form where all or none succeed', () => {
    expect(clopperPearson(0, 30)).toEqual([0, expect.closeTo(1 - 0.025 ** (1 / 30), 12)]);
    expect(clopperPearson(30, 30)).toEqual([expect.closeTo(0.025 ** (1 / 30), 12), 1]);
  });

  it('holds the truth with at least 95 %, exactly, whatever it is', () => {
    const trials = 25;
    const masses = binomialMasses(trials);
    const intervals = Array.from({ length: trials + 1 }, (_, k) => clopperPearson(k, trials));
    for (const truth of [0.01, 0.1, 0.37, 0.5, 0.8, 0.99]) {
      const coverage = masses(truth).reduce((sum, mass, k) => sum + (intervals[k]![0] <= truth && truth <= intervals[k]![1] ? mass : 0), 0);
      expect(coverage).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('is right for a million trials', () => {
    const [low, high] = clopperPearson(999_990, 1_000_000);
    expect(1 - low).toBeCloseTo(1.839027886e-5, 10);
    expect(1 - high).toBeCloseTo(4.795398774e-6, 10);
  });
});
