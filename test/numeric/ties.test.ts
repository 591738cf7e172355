import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standing, TIES, tieTolerances } from '../../shared/numeric/ties.ts';
import { weighSet } from '../../shared/risk/attribute/value-figures.ts';

const standingOf = (scores: readonly number[], one: number, tolerances?: readonly number[]) =>
  standing(scores, 0, scores.length, one, tolerances);

describe('standing()', () => {
  it('counts what is larger, and shares a place among those that tie', () => {
    const scores = [3, 5, 3, 1, 5, 3];
    expect(scores.map((_, x) => standingOf(scores, x).rank)).toEqual([4, 1.5, 4, 6, 1.5, 4]);
    expect(scores.map((_, x) => standingOf(scores, x).first)).toEqual([0, 0.5, 0, 0, 0.5, 0]);
  });

  it('takes what rounding leaves for equal, and nothing larger', () => {
    const off = (by: number) => standingOf([0, by, -1], 0);
    expect(off(1e-12)).toEqual({ rank: 1.5, first: 0.5 });
    expect(off(-1e-12)).toEqual({ rank: 1.5, first: 0.5 });
    expect(off(1e-10)).toEqual({ rank: 2, first: 0 });
    expect(off(-1e-10)).toEqual({ rank: 1, first: 1 });
    expect(standingOf([0, -Infinity], 0)).toEqual({ rank: 1, first: 1 });
  });

  it('takes what lies within tolerances of their own for equal', () => {
    expect(standingOf([0, 0.1, 0.1, -0.1], 0, [0, 0.2, 0.05, 0.2])).toEqual({ rank: 3, first: 0 });
    expect(standingOf([0, 0.1, 0.1, -0.1], 0, [0, 0.2, 0.2, 0.05])).toEqual({ rank: 2, first: 1 / 3 });
  });

  it('gives first places that add up to 1 where nothing is within rounding of another', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }), (scores) => {
        expect(scores.reduce((sum, _, x) => sum + standingOf(scores, x).first, 0)).toBeCloseTo(1, 12);
      }),
    );
  });
});

describe('tieTolerances()', () => {
  it('is three errors of the distance from the first, by hand, and no more than the most', () => {
    // Distances 0.01 in the estimate; 0.02 and 0 in the resamples: root mean square deviation 0.01.
    const [own, other] = tieTolerances([
      [0, 0.01],
      [5, 5.02],
      [2, 2],
    ]);
    expect(own).toBe(TIES.rounding);
    expect(other).toBeCloseTo(0.03, 12);
    const noisy = [
      [0, 0.01],
      [5, 7],
    ];
    expect(tieTolerances(noisy)[1]).toBe(TIES.most);
  });

  it('is that of rounding where nothing is simulated, or a resample finds something impossible', () => {
    const one = [0, 1];
    expect([...tieTolerances([one])]).toEqual([TIES.rounding, TIES.rounding]);
    expect(tieTolerances([one, [0, -Infinity]])[1]).toBe(TIES.rounding);
  });

  it('finds a true tie nearly always', () => {
    // Three errors of 31 normal resamples: a true tie is farther apart in well below one of 100 tables.
    let missed = 0;
    const normal = normals(7);
    for (let table = 0; table < 2000; table++) {
      const distance = 0.01 * normal();
      const tolerance = tieTolerances([[0, distance], ...Array.from({ length: 31 }, () => [0, distance + 0.01 * normal()])])[1]!;
      if (Math.abs(distance) > tolerance) missed++;
    }
    expect(missed / 2000).toBeLessThan(0.012);
  });
});

describe('weighSet()', () => {
  const set = { candidates: Uint32Array.of(0, 1, 2), values: Uint32Array.of(0, 1, 2), codes: Uint32Array.of(4, 5, 6) };
  const figuresOf = (prior: number[], estimates: number[], tolerances?: number[]) =>
    weighSet(set as never, Float64Array.from(prior), Float64Array.from(estimates), tolerances && Float64Array.from(tolerances));

  it('leaves guesses as they were where the release tells nothing, with ties that the simulation cannot part', () => {
    const { figures, guesses } = figuresOf([0, 0.05, -2], [0, 0, 0], [0, 0.1, 0.1]);
    expect(figures.slice(4, 8)).toEqual([1.5, 1.5, 0.5, 0.5]);
    // Of values that tie the truth is the guess.
    expect(guesses).toEqual([0, 0]);
  });

  it('has them parted where the release tells more than the error of the prior', () => {
    const { figures, guesses } = figuresOf([0, 0.05, -2], [0, 0.2, 0], [0, 0.1, 0.1]);
    expect(figures.slice(4, 8)).toEqual([1.5, 2, 0.5, 0]);
    expect(guesses).toEqual([0, 1]);
  });
});

/** Normal numbers of a seed, by the polar method. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => {
    for (;;) {
      const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
}
