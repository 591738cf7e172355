import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import {
  candidateChanges,
  candidateSpace,
  considerCandidates,
  consideredCandidates,
} from '../../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { supportOf } from '../../../shared/table/support/support.ts';
import { naiveLogDensity, randomState } from '../../model/random-state.ts';

const sizes = [2, 3, 4];
const space = candidateSpace('one-change', ['a', 'b', 'c'], sizes);
// b = 1 goes with c = 0 and c = 3 alone.
const support = supportOf({ rules: 2, codes: Uint16Array.of(2, 1, 1, 2, 1, 2) }, sizes);

/** What the candidates considered change, as variable and code. */
const changes = (codes: number[], within?: typeof support) =>
  [...consideredCandidates(space, Uint16Array.from(codes), within)].map((candidate) =>
    candidateChanges(space, codes, candidate)
      .map(({ variable, code }) => `${'abc'[variable]}${code}`)
      .join(),
  );

describe('consideredCandidates()', () => {
  it('leaves out what is impossible, and never the truth', () => {
    expect(changes([0, 1, 0], support)).toEqual(['', 'a1', 'b0', 'b2', 'c3']);
    expect(changes([1, 0, 1], support)).toEqual(['', 'a0', 'b2', 'c0', 'c2', 'c3']);
  });

  it('leaves out what changes a missing value', () => {
    expect(changes([0, 3, 4])).toEqual(['', 'a1']);
    expect(changes([2, 1, 4])).toEqual(['', 'b0', 'b2']);
    expect(changes([2, 3, 4])).toEqual(['']);
  });
});

describe('considerCandidates()', () => {
  it('gives nothing to choose where all candidates are considered', () => {
    expect(considerCandidates(space, Uint16Array.of(0, 1, 0, 1, 2, 3), undefined)).toBeUndefined();
  });

  it('chooses for every combination otherwise', () => {
    const considered = considerCandidates(space, Uint16Array.of(0, 1, 0, 1, 3, 3), undefined);
    expect(considered?.map(({ length }) => length)).toEqual([7, 5]);
  });
});

describe('candidates of a record with missing values', () => {
  it('have ratios of the densities of the values that are there', () => {
    const state = randomState(new RandomStream(80, 'missing'), sizes, 5);
    const codes = Uint16Array.of(0, 3, 2);
    const ratios = new Float64Array(space.perCombination);
    createRatioScorer(space, codes)(state.weights, state.probabilities, ratios);
    const { weights, probabilities } = state;
    /** The density on the first and the last variable. */
    const density = (a: number, c: number) =>
      Math.exp(
        naiveLogDensity(
          { weights, probabilities: Float64Array.of(...probabilities.slice(0, 10), ...probabilities.slice(25)) },
          [2, 4],
          [a, c],
        ),
      );
    for (const candidate of consideredCandidates(space, codes, undefined)) {
      const own = { 0: 0, 2: 2 };
      const [change] = candidateChanges(space, codes, candidate);
      if (change) own[change.variable as 0 | 2] = change.code;
      expect(ratios[candidate]).toBeCloseTo(density(own[0], own[2]) / density(0, 2), 12);
    }
  });
});
