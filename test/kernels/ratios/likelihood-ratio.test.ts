import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReferenceScorer } from '../../../bench/plain/likelihood-ratio-reference.ts';
import type { Candidates } from '../../../shared/contracts/candidates.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../../shared/risk/scoring/ratio-means.ts';
import { randomCodes, randomState } from '../../model/random-state.ts';

const names = (sizes: readonly number[]) => sizes.map((_, k) => `v${k}`);

/** Draws of random parameters, as a chain keeps them. */
function randomDraws(random: RandomStream, sizes: readonly number[], classes: number, count: number) {
  const states = Array.from({ length: count }, () => randomState(random, sizes, classes, 0.7));
  return {
    draws: count,
    classes,
    categories: sizes.reduce((sum, size) => sum + size, 0),
    weights: Float64Array.from(states.flatMap(({ weights }) => [...weights])),
    probabilities: Float64Array.from(states.flatMap(({ probabilities }) => [...probabilities])),
    concentration: new Float64Array(count),
    occupiedClasses: new Uint16Array(count),
    logLikelihood: new Float64Array(count),
  };
}

/** Scores random rows under random parameters with both programs and expects the same bits, by draw and over draws. */
function expectSameBits(
  candidates: Candidates,
  sizes: readonly number[],
  classes: number,
  rows: number,
  seed: number,
  further: readonly number[] = [],
  missing = false,
): void {
  const random = new RandomStream(seed, 'test/likelihood-ratio');
  const space = candidateSpace(candidates, names(sizes), sizes);
  const columns = [...sizes.keys(), ...further];
  // One code more than there are categories stands for a missing value.
  const widths = columns.map((k) => sizes[k]! + (missing ? 1 : 0));
  const codes = randomCodes(random, widths, rows);
  const kernel = createRatioScorer(space, codes, columns);
  const reference = createReferenceScorer(space, codes, columns);
  const draws = randomDraws(random, sizes, classes, 3);
  const length = rows * space.perCombination;
  for (let draw = 0; draw < draws.draws; draw++) {
    const weights = draws.weights.subarray(draw * classes, (draw + 1) * classes);
    const size = draws.categories * classes;
    const probabilities = draws.probabilities.subarray(draw * size, (draw + 1) * size);
    const ours = new Float64Array(length);
    const theirs = new Float64Array(length);
    kernel(weights, probabilities, ours);
    reference(weights, probabilities, theirs);
    expect(ours).toEqual(theirs);
  }
  const ours = new Float64Array(draws.draws * rows);
  const theirs = new Float64Array(draws.draws * rows);
  expect(ratioMeans(kernel, draws, length, 2, ours)).toEqual(ratioMeans(reference, draws, length, 2, theirs));
  expect(ours).toEqual(theirs);
}

/** Numbers of categories of up to seven variables, one of them perhaps with a single category. */
const sizesOf = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 7 });
const classes = fc.integer({ min: 1, max: 13 });
const rows = fc.integer({ min: 1, max: 12 });

describe('the kernel of likelihood ratios gives the bits of the plain program', () => {
  for (const candidates of ['one-change', 'two-changes'] as const) {
    it(`for ${candidates}, on random combinations and parameters, with any number of classes`, () => {
      fc.assert(
        fc.property(sizesOf, classes, rows, fc.nat(1000), (sizes, count, records, seed) =>
          expectSameBits(candidates, sizes, count, records, seed),
        ),
        { numRuns: 150 },
      );
    });
  }

  it('for one-change where values are missing, also where densities underflow', () => {
    fc.assert(
      fc.property(sizesOf, classes, rows, fc.nat(1000), (sizes, count, records, seed) =>
        expectSameBits('one-change', sizes, count, records, seed, [], true),
      ),
      { numRuns: 150 },
    );
    // So few categories that many of their values are missing, and so many variables that the others underflow.
    expectSameBits(
      'one-change',
      Array.from({ length: 800 }, () => 6),
      3,
      2,
      9,
      [],
      true,
    );
  });

  it('for unknown variables, whichever they are', () => {
    const table = fc
      .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 })
      .chain((sizes) => fc.tuple(fc.constant(sizes), fc.subarray([...sizes.keys()], { minLength: 1 })));
    fc.assert(
      fc.property(table, classes, rows, fc.nat(1000), ([sizes, unknown], count, records, seed) =>
        expectSameBits({ unknown: unknown.map((k) => `v${k}`) }, sizes, count, records, seed),
      ),
      { numRuns: 150 },
    );
  });

  it('for unknown variables, with further columns of any variables that candidates have in common', () => {
    const table = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }).chain((sizes) => {
      const variables = [...sizes.keys()];
      return fc.tuple(
        fc.constant(sizes),
        fc.subarray(variables, { minLength: 1 }),
        fc.array(fc.constantFrom(...variables), { minLength: 1, maxLength: 4 }),
      );
    });
    fc.assert(
      fc.property(table, classes, rows, fc.nat(1000), ([sizes, unknown, further], count, records, seed) =>
        expectSameBits({ unknown: unknown.map((k) => `v${k}`) }, sizes, count, records, seed, further),
      ),
      { numRuns: 150 },
    );
    // And where densities underflow.
    const many = Array.from({ length: 150 }, () => 300);
    expectSameBits({ unknown: ['v3', 'v140'] }, many.with(3, 40), 3, 2, 8, [3, 140]);
  });

  it('with a variable of 1,000 categories', () => {
    expectSameBits('one-change', [1000, 3], 8, 5, 1);
    expectSameBits('two-changes', [3, 1000, 2, 4], 7, 3, 2);
    expectSameBits({ unknown: ['v0', 'v1'] }, [3, 1000, 2], 8, 3, 3);
    expectSameBits({ unknown: ['v0', 'v1'] }, [1000, 3, 2], 8, 3, 4);
  });

  it('with many rows that share their halves, and with one', () => {
    for (const candidates of ['one-change', 'two-changes', { unknown: ['v1', 'v2'] }] as Candidates[]) {
      expectSameBits(candidates, [2, 2, 3, 2], 10, 200, 5);
      expectSameBits(candidates, [9, 9, 9, 9], 10, 1, 6);
    }
  });

  it('where densities underflow and the row is scored in logs', () => {
    const many = Array.from({ length: 150 }, () => 300);
    expectSameBits('one-change', many, 3, 2, 7);
    expectSameBits({ unknown: ['v3', 'v140'] }, many.with(3, 40), 3, 2, 8);
    // Few categories, but so rare ones that the truth underflows in some rows.
    const random = new RandomStream(9, 'rare');
    const sizes = [2, 2, 3, 2];
    const space = candidateSpace('two-changes', names(sizes), sizes);
    const codes = randomCodes(random, sizes, 20);
    const { weights, probabilities } = randomState(random, sizes, 3);
    for (let f = 0; f < 3; f++) {
      probabilities[f] = 1e-100;
      probabilities[6 + f] = 1e-90;
      probabilities[12 + f] = 1e-80;
    }
    const found = [createRatioScorer(space, codes), createReferenceScorer(space, codes)].map((scorer) => {
      const ratios = new Float64Array(20 * space.perCombination);
      scorer(weights, probabilities, ratios);
      return ratios;
    });
    expect(found[0]).toEqual(found[1]);
    expect(found[0]!.every((ratio) => ratio > 0 && ratio < Infinity)).toBe(true);
    // Rows with all three rare categories are far below the safe density: some ratio there is enormous.
    expect(Math.max(...found[0]!)).toBeGreaterThan(1e150);
  });
});

describe('createRatioScorer()', () => {
  it('scores f2(x, z) / f2(x_i, z) of a record with what was synthesized from its class, as written down', () => {
    const random = new RandomStream(12, 'test/own class');
    const sizes = [3, 4, 2];
    const columns = [0, 1, 2, 1, 2];
    const space = candidateSpace({ unknown: ['v1', 'v2'] }, names(sizes), sizes);
    const { weights, probabilities } = randomState(random, sizes, 3);
    const codes = Uint16Array.of(1, 2, 0, 3, 1, 0, 0, 1, 0, 0);
    const ratios = new Float64Array(2 * 8);
    createRatioScorer(space, codes, columns)(weights, probabilities, ratios);
    const first = [0, 3, 7];
    const density = (row: ArrayLike<number>) =>
      weights.reduce((sum, weight, f) => sum + columns.reduce((p, k, j) => p * probabilities[(first[k]! + row[j]!) * 3 + f]!, weight), 0);
    for (const row of [0, 1]) {
      const own = codes.subarray(5 * row, 5 * row + 5);
      for (let x = 0; x < 8; x++) {
        const changed = own.slice();
        for (const { variable, code } of candidateChanges(space, own, x)) changed[variable] = code;
        expect(ratios[8 * row + x]).toBeCloseTo(density(changed) / density(own), 12);
      }
    }
  });

  it('refuses further columns where candidates change every variable', () => {
    const space = candidateSpace('one-change', names([2, 2]), [2, 2]);
    const { weights, probabilities } = randomState(new RandomStream(13, 'further'), [2, 2], 2);
    const scorer = createRatioScorer(space, Uint16Array.of(0, 1, 0), [0, 1, 1]);
    expect(() => scorer(weights, probabilities, new Float64Array(3))).toThrow(/unknown variables/);
  });

  it('gives each combination the same bits, whichever others are in its batch', () => {
    const random = new RandomStream(10, 'batches');
    const sizes = [3, 4, 2, 5, 3];
    const codes = randomCodes(random, sizes, 60);
    const draws = randomDraws(random, sizes, 7, 4);
    for (const candidates of ['one-change', 'two-changes', { unknown: ['v1', 'v3', 'v4'] }] as Candidates[]) {
      const space = candidateSpace(candidates, names(sizes), sizes);
      const score = (from: number, to: number) => {
        const batch = codes.subarray(from * sizes.length, to * sizes.length);
        return ratioMeans(createRatioScorer(space, batch), draws, (to - from) * space.perCombination);
      };
      const whole = score(0, 60);
      for (const size of [1, 7, 25]) {
        const parts = [];
        for (let from = 0; from < 60; from += size) parts.push(score(from, Math.min(60, from + size)));
        expect(parts.flatMap(({ mean }) => [...mean])).toEqual([...whole.mean]);
        expect(parts.flatMap(({ meanSquare }) => [...meanSquare])).toEqual([...whole.meanSquare]);
      }
    }
  });

  it('forgets the draws of one chain before the next', () => {
    const random = new RandomStream(11, 'chains');
    const sizes = [3, 4, 2];
    const space = candidateSpace('two-changes', names(sizes), sizes);
    const codes = randomCodes(random, sizes, 6);
    const [first, second] = [randomDraws(random, sizes, 5, 3), randomDraws(random, sizes, 5, 2)];
    const scorer = createRatioScorer(space, codes);
    scorer.means(first, 0);
    expect(scorer.means(second, 1)).toEqual(createRatioScorer(space, codes).means(second, 1));
  });
});
