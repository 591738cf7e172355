import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { createPatternScorer } from '../../../shared/risk/scoring/pattern-scorer.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { patternCounts, patternsOfRows } from '../../../shared/table/pattern-counts.ts';
import { randomCodes, randomState } from '../../model/random-state.ts';

describe('createPatternScorer()', () => {
  const sizes = [2, 4, 3];
  const space = candidateSpace({ unknown: ['1'] }, ['0', '1', '2'], sizes);
  const random = new RandomStream(15, 'patterns');
  const codes = randomCodes(random, sizes, 30);
  const table = patternCounts(combinationsFromCodes(codes, 30, 3).combinations, sizes, [1]);
  const classes = table.patterns;

  it('gives the ratios of the mixture over patterns, with or without synthetic values beside', () => {
    const { probabilities } = randomState(random, sizes, classes);
    for (let b = 0; b < classes; b++) {
      for (let code = 0; code < 2; code++) probabilities[code * classes + b] = +(table.codes[2 * b] === code);
      for (let code = 0; code < 3; code++) {
        probabilities[(6 + code) * classes + b] = +(table.codes[2 * b + 1] === code);
      }
    }
    const weights = new Float64Array(classes).fill(1 / classes);
    const found = new Float64Array(30 * 4);
    const foundLogs = new Float64Array(30);
    const patterns = patternsOfRows(table, codes, 3);
    createPatternScorer(space, codes, patterns)(weights, probabilities, found, foundLogs);
    const expected = new Float64Array(30 * 4);
    const expectedLogs = new Float64Array(30);
    createRatioScorer(space, codes)(weights, probabilities, expected, expectedLogs);
    for (const [i, value] of foundLogs.entries()) {
      expect(value).toBeCloseTo(expectedLogs[i]! - Math.log(classes), 10);
    }
    for (const [i, ratio] of found.entries()) expect(ratio / expected[i]!).toBeCloseTo(1, 12);
    const beside = Uint16Array.from({ length: 120 }, (_, i) => (i % 4 < 3 ? codes[3 * Math.floor(i / 4) + (i % 4)]! : random.below(4)));
    createRatioScorer(space, beside, [0, 1, 2, 1])(weights, probabilities, expected);
    for (const [i, ratio] of found.entries()) expect(ratio / expected[i]!).toBeCloseTo(1, 12);
  });

  it('takes one unknown variable', () => {
    const two = candidateSpace({ unknown: ['1', '2'] }, ['0', '1', '2'], sizes);
    expect(() => createPatternScorer(two, codes, new Uint32Array(30))).toThrow(/one variable/);
  });
});
