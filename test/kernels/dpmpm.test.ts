import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDpmpm, type DpmpmSettings, type DpmpmState } from '../../shared/model/dpmpm.ts';
import { createReferenceDpmpm } from '../../shared/model/dpmpm-reference.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../shared/table/combinations.ts';

/** Random distinct combinations with counts. */
function randomCombinations(sizes: readonly number[], rows: number, seed: number, most = 5): Combinations {
  const random = new RandomStream(seed, 'test/combinations');
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) =>
    random.below(sizes[i % sizes.length]!),
  );
  const { combinations } = combinationsFromCodes(codes, rows, sizes.length);
  return { ...combinations, counts: combinations.counts.map(() => 1 + random.below(most)) };
}

/** Both programs run side by side must give the same bits: states, likelihood and what the stream gives next. */
function expectSameBits(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
  iterations: number,
  start?: DpmpmState,
): void {
  const kernel = createDpmpm(combinations, sizes, settings);
  const reference = createReferenceDpmpm(combinations, sizes, settings);
  const ours = new RandomStream(7, 'test/bits');
  const theirs = new RandomStream(7, 'test/bits');
  // The kernel must take a stream over wherever it stands, also with half a pair of normals still to come.
  expect(ours.normal()).toBe(theirs.normal());
  let a = start ?? kernel.init(ours);
  let b = start ?? reference.init(theirs);
  for (let i = 0; i <= iterations; i++) {
    expect(a).toEqual(b);
    expect(kernel.logLikelihood(a)).toBe(reference.logLikelihood(b));
    expect(ours.normal()).toBe(theirs.normal());
    expect(ours.uniform()).toBe(theirs.uniform());
    a = kernel.step(a, ours);
    b = reference.step(b, theirs);
  }
}

const gammaPrior = { concentration: { shape: 0.25, rate: 0.25 } };

describe('the kernel of the sampler gives the bits of the plain program', () => {
  it('on random tables, with any number of classes, with and without label moves', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        fc.nat(1000),
        (sizes, classes, rows, labelSwitching, seed) => {
          const settings = { ...gammaPrior, classes, labelSwitching };
          expectSameBits(randomCombinations(sizes, rows, seed), sizes, settings, 4);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('with a fixed concentration', () => {
    const settings = { classes: 9, concentration: { value: 0.01 } };
    expectSameBits(randomCombinations([3, 4, 2], 50, 3), [3, 4, 2], settings, 20);
  });

  it('with a variable of 1,000 categories', () => {
    const sizes = [1000, 2];
    expectSameBits(randomCombinations(sizes, 300, 4), sizes, { ...gammaPrior, classes: 7 }, 3);
  });

  it('with counts of a hundred thousand', () => {
    const sizes = [2, 3];
    expectSameBits(randomCombinations(sizes, 40, 5, 100_000), sizes, { ...gammaPrior, classes: 6 }, 3);
  });

  it('where products underflow and are formed in logs', () => {
    const sizes = Array.from({ length: 150 }, () => 300);
    const combinations = randomCombinations(sizes, 6, 6);
    // Random probabilities near 1/300 in each of 150 variables: densities near 1e-371.
    expectSameBits(combinations, sizes, { ...gammaPrior, classes: 3 }, 2);
  });

  it('and refuses a state in which a combination is impossible, as the plain program does', () => {
    const combinations = randomCombinations([2, 2], 10, 8);
    const settings = { ...gammaPrior, classes: 2 };
    const impossible: DpmpmState = {
      weights: Float64Array.of(1, 0),
      probabilities: new Float64Array(8),
      concentration: 1,
      occupiedClasses: 1,
    };
    for (const create of [createDpmpm, createReferenceDpmpm]) {
      const model = create(combinations, [2, 2], settings);
      expect(() => model.step(impossible, new RandomStream(1, 'x'))).toThrow(/probability zero/);
      expect(() => model.logLikelihood(impossible)).toThrow(/probability zero/);
      const infinite = { ...impossible, probabilities: new Float64Array(8).fill(Infinity) };
      expect(() => model.step(infinite, new RandomStream(1, 'x'))).toThrow(/not a number/);
    }
  });
});
