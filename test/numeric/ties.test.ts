import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standing } from '../../shared/numeric/ties.ts';
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
