import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReferenceDpmpm } from '../../../bench/plain/dpmpm-reference.ts';
import type { Allocation, ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createDpmpm, type DpmpmSettings } from '../../../shared/model/dpmpm/dpmpm.ts';
import { sharingOrder } from '../../../shared/model/dpmpm/sharing-order.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import type { Combinations } from '../../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { holds, type Support, supportOf } from '../../../shared/table/support/support.ts';

/** Random distinct combinations with counts from 0 to `most`, and a share of missing values. */
function randomCombinations(sizes: readonly number[], rows: number, seed: number, most = 5, missing = 0): Combinations {
  const random = new RandomStream(seed, 'test/combinations');
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) => {
    const size = sizes[i % sizes.length]!;
    return missing > 0 && random.uniform() < missing ? size : random.below(size);
  });
  const { combinations } = combinationsFromCodes(codes, rows, sizes.length);
  return { ...combinations, counts: combinations.counts.map(() => random.below(most + 1)) };
}

/** Both programs run side by side must give the same bits: states, likelihood and what the stream gives next. */
function expectSameBits(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
  iterations: number,
  start?: ChainState,
  variableOfColumn?: readonly number[],
  support?: Support,
): void {
  const kernel = createDpmpm(combinations, sizes, settings, variableOfColumn, support);
  const reference = createReferenceDpmpm(combinations, sizes, settings, variableOfColumn, support);
  const ours = new RandomStream(7, 'test/bits');
  const theirs = new RandomStream(7, 'test/bits');
  // The kernel must take a stream over wherever it stands, also within a round of its generators.
  expect(normal(ours)).toBe(normal(theirs));
  let a = start ?? kernel.init(ours);
  let b = start ?? reference.init(theirs);
  for (let i = 0; i <= iterations; i++) {
    expect(a).toEqual(b);
    expect(kernel.logLikelihood(a)).toBe(reference.logLikelihood(b));
    expect(normal(ours)).toBe(normal(theirs));
    expect(ours.uniform()).toBe(theirs.uniform());
    // Several iterations at once are those iterations.
    a = kernel.step(a, ours, 2);
    b = reference.step(reference.step(b, theirs), theirs);
    expect(kernel.allocation?.()).toEqual(reference.allocation?.());
    if (kernel.allocation) expectAllocation(combinations, sizes, settings.classes, kernel.allocation());
  }
}

/** An allocation has every record once, and the class of each combination holds its categories. */
function expectAllocation(
  { codes, counts, count, variables }: Combinations,
  sizes: readonly number[],
  classes: number,
  { counts: allocated, classOfCombination }: Allocation,
): void {
  const offsets = categoryOffsets(sizes);
  const expected = new Float64Array(offsets[variables]!);
  for (let row = 0; row < count; row++) {
    for (let k = 0; k < variables; k++) {
      const code = codes[row * variables + k]!;
      if (code === sizes[k] || counts[row] === 0) continue;
      const category = offsets[k]! + code;
      expected[category]! += counts[row]!;
      expect(allocated[category * classes + classOfCombination[row]!]).toBeGreaterThan(0);
    }
  }
  const found = expected.map((_, category) =>
    allocated.subarray(category * classes, (category + 1) * classes).reduce((sum, own) => sum + own, 0),
  );
  expect(found).toEqual(expected);
}

const gammaPrior = { concentration: { shape: 0.25, rate: 0.25 } };

describe('the kernel of the sampler gives the bits of the plain program', () => {
  it('on random tables, with any number of classes, with and without label moves', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(1, 5, 60, 1_000_000),
        fc.constantFrom(0, 3, 40),
        fc.nat(1000),
        (sizes, classes, rows, most, labelMoves, seed) => {
          const settings = { ...gammaPrior, classes, labelMoves };
          expectSameBits(randomCombinations(sizes, rows, seed, most), sizes, settings, 4);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('with missing values, also in the first variable and in all of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0.1, 0.6, 1),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(1, 60),
        fc.nat(1000),
        (sizes, missing, classes, most, seed) => {
          const combinations = randomCombinations(sizes, 40, seed, most, missing);
          expectSameBits(combinations, sizes, { ...gammaPrior, classes }, 4);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('within a support, with missing values and without', () => {
    const rules = [
      [1, 4, 0],
      [1, 2, 2],
      [3, 0, 1],
    ];
    const sizes = [3, 4, 2];
    const support = supportOf({ rules: 3, codes: Uint16Array.from(rules.flat()) }, sizes);
    fc.assert(
      fc.property(
        fc.constantFrom(0, 0.2, 1),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(1, 60, 100_000),
        fc.nat(1000),
        (missing, classes, most, seed) => {
          const all = randomCombinations(sizes, 40, seed, most, missing);
          const rows = Array.from({ length: all.count }, (_, row) => row).filter((row) =>
            support.possible.some((box) => holds(box, all.codes, row * 3, sizes)),
          );
          const possible = {
            variables: 3,
            count: rows.length,
            codes: Uint16Array.from(rows.flatMap((row) => [...all.codes.subarray(3 * row, 3 * row + 3)])),
            counts: Uint32Array.from(rows, (row) => all.counts[row]!),
          };
          expectSameBits(possible, sizes, { ...gammaPrior, classes }, 4, undefined, undefined, support);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('with several columns of one variable, whichever they are', () => {
    const tables = fc
      .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
      .chain((sizes) => fc.tuple(fc.constant(sizes), fc.subarray([...sizes.keys()], { minLength: 1 })));
    fc.assert(
      fc.property(
        tables,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(1, 60),
        fc.nat(1000),
        ([sizes, shared], classes, rows, most, seed) => {
          const columns = [...sizes.keys(), ...shared];
          const widths = columns.map((k) => sizes[k]!);
          const combinations = randomCombinations(widths, rows, seed, most);
          expectSameBits(combinations, sizes, { ...gammaPrior, classes }, 4, undefined, columns);
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

  it.each([1, 6, 80])('with counts up to a million, and of zero, in %i classes', (classes) => {
    const sizes = [2, 3, 3];
    const combinations = randomCombinations(sizes, 40, 5, 1_000_000);
    combinations.counts[1] = 0;
    combinations.counts[2] = 1_000_000;
    expectSameBits(combinations, sizes, { ...gammaPrior, classes }, 6);
  });

  it('with one class, one category and one combination', () => {
    for (const classes of [1, 3]) {
      expectSameBits(randomCombinations([1], 1, 9), [1], { ...gammaPrior, classes }, 5);
      expectSameBits(randomCombinations([1, 1, 4], 4, 10), [1, 1, 4], { ...gammaPrior, classes }, 5);
    }
  });

  it('with no records at all', () => {
    const combinations = randomCombinations([2, 3], 6, 11);
    combinations.counts.fill(0);
    expectSameBits(combinations, [2, 3], { ...gammaPrior, classes: 4 }, 5);
    expect(createDpmpm(combinations, [2, 3], { ...gammaPrior, classes: 4 }).init(new RandomStream(1, 'none')).occupiedClasses).toBe(0);
  });

  it('where classes have weights that underflowed to zero, and combinations next to none', () => {
    const sizes = [3, 4];
    const combinations = randomCombinations(sizes, 12, 12, 300);
    const random = new RandomStream(13, 'test/zeros');
    for (const zeros of [1, 8, 15]) {
      const weights = Float64Array.from({ length: 17 }, (_, f) => (f < zeros ? 0 : random.uniform()));
      const probabilities = Float64Array.from({ length: 7 * 17 }, () => (random.uniform() < 0.3 ? Number.MIN_VALUE : random.uniform()));
      const start = { weights, probabilities, concentration: 0.5, occupiedClasses: 17 };
      expectSameBits(combinations, sizes, { ...gammaPrior, classes: 17 }, 2, start);
    }
  });

  it('where products underflow and are formed in logs, with counts of zero among them', () => {
    const sizes = Array.from({ length: 150 }, () => 300);
    const combinations = randomCombinations(sizes, 6, 6);
    // Random probabilities near 1/300 in each of 150 variables: densities near 1e-371.
    combinations.counts[3] = 0;
    expectSameBits(combinations, sizes, { ...gammaPrior, classes: 3 }, 2);
  });

  it('where columns are treated as one, also in logs', () => {
    const sizes = new Array<number>(160).fill(2);
    const combinations = randomCombinations(sizes, 300, 14);
    const { joints, runs } = sharingOrder(combinations, sizes);
    expect(joints.length).toBeGreaterThan(20);
    expect(runs).toBeLessThan(150);
    const settings = { ...gammaPrior, classes: 5 };
    expectSameBits(combinations, sizes, settings, 2);
    // Densities near 0.01^160, of which no double holds the digits.
    const random = new RandomStream(15, 'test/small');
    const start = {
      weights: new Float64Array(5).fill(0.2),
      probabilities: Float64Array.from({ length: 320 * 5 }, () => 0.005 + 0.01 * random.uniform()),
      concentration: 1,
      occupiedClasses: 5,
    };
    expectSameBits(combinations, sizes, settings, 2, start);
  });

  it('and refuses a state in which a combination is impossible, as the plain program does', () => {
    const combinations = randomCombinations([2, 2], 10, 8);
    const settings = { ...gammaPrior, classes: 2 };
    const impossible: ChainState = {
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
