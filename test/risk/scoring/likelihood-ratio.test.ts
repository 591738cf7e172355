import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidates } from '../../../shared/contracts/candidates.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { naiveLogDensity, randomCodes, randomState } from '../../model/random-state.ts';

/** Relative error of the scorer against f(x) / f(x_i) from the definition, the largest over rows and candidates (every `stride`th). */
function largestError(
  candidates: Candidates,
  sizes: readonly number[],
  rows: number,
  classes: number,
  shape: number,
  seed: number,
  stride = 1,
): number {
  const random = new RandomStream(seed, 'ratios');
  const space = candidateSpace(
    candidates,
    sizes.map((_, k) => `v${k}`),
    sizes,
  );
  const codes = randomCodes(random, sizes, rows);
  const scorer = createRatioScorer(space, codes);
  const ratios = new Float64Array(rows * space.perCombination);
  // A first draw of other parameters: nothing of it may remain.
  const before = randomState(random, sizes, classes, shape);
  scorer(before.weights, before.probabilities, ratios);
  const state = randomState(random, sizes, classes, shape);
  scorer(state.weights, state.probabilities, ratios);
  let largest = 0;
  for (let r = 0; r < rows; r++) {
    const own = codes.subarray(r * sizes.length, (r + 1) * sizes.length);
    const logOwn = naiveLogDensity(state, sizes, own);
    for (let x = 0; x < space.perCombination; x += stride) {
      const row = own.slice();
      for (const { variable, code } of candidateChanges(space, own, x)) row[variable] = code;
      const expected = naiveLogDensity(state, sizes, row) - logOwn;
      const found = Math.log(ratios[r * space.perCombination + x]!);
      largest = Math.max(largest, Math.abs(Math.expm1(found - expected)));
    }
  }
  return largest;
}

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const classes = fc.integer({ min: 1, max: 9 });

describe('createRatioScorer()', () => {
  for (const candidates of ['one-change', 'two-changes'] as const) {
    it(`scores ${candidates} candidates as f(x | Theta) / f(x_i | Theta), whatever the number of classes`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
          fc.integer({ min: 1, max: 5 }),
          classes,
          seeds,
          (sizes, rows, count, seed) => {
            expect(largestError(candidates, sizes, rows, count, 1, seed)).toBeLessThan(1e-11);
          },
        ),
      );
    });
  }

  it('scores all values of the unknown variables the same way', () => {
    const table = fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 })
      .chain((sizes) => fc.tuple(fc.constant(sizes), fc.subarray([...sizes.keys()], { minLength: 1 })));
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 4 }), classes, seeds, ([sizes, unknown], rows, count, seed) => {
        const candidates = { unknown: unknown.map((k) => `v${k}`) };
        expect(largestError(candidates, sizes, rows, count, 1, seed)).toBeLessThan(1e-11);
      }),
    );
  });

  const long = new Array<number>(60).fill(200);
  it.each([
    ['of 60 variables with few probable categories', 0.05, 60],
    // About 200^-k: normal, among the subnormal doubles with few digits left, and below all of them.
    ['of 130 variables, beside the subnormal range', 1, 130],
    ['of 137 variables, in the subnormal range', 1, 137],
    ['of 150 variables, below it', 1, 150],
  ])('keeps its digits for densities %s', (_, shape, variables) => {
    const sizes = new Array<number>(variables).fill(200);
    for (const count of [1, 3, 6]) {
      expect(largestError('one-change', sizes, 2, count, shape, 100 + count, 97)).toBeLessThan(1e-9);
      expect(largestError({ unknown: ['v3', 'v40'] }, sizes, 2, count, shape, 200 + count, 397)).toBeLessThan(1e-9);
    }
  });

  it('keeps its digits for two changes in the same places', () => {
    // Few categories, as the number of candidates asks, but so rare ones that no double holds their product.
    const sizes = new Array<number>(150).fill(3);
    for (const count of [1, 3, 6]) {
      expect(largestError('two-changes', sizes, 1, count, 0.02, 300 + count, 397)).toBeLessThan(1e-9);
    }
  });

  it('meets densities that no double holds in the test above', () => {
    const random = new RandomStream(3, 'underflow');
    const few = randomState(random, long, 3, 0.05);
    expect(naiveLogDensity(few, long, randomCodes(random, long, 1))).toBeLessThan(-745);
    const sizes = new Array<number>(150).fill(200);
    const many = randomState(random, sizes, 3, 1);
    expect(naiveLogDensity(many, sizes, randomCodes(random, sizes, 1))).toBeLessThan(-745);
    const threes = new Array<number>(150).fill(3);
    const rare = randomState(random, threes, 3, 0.02);
    expect(naiveLogDensity(rare, threes, randomCodes(random, threes, 1))).toBeLessThan(-745);
  });

  it('scores the record itself as exactly one, also through the logs', () => {
    const random = new RandomStream(4, 'self');
    for (const candidates of ['one-change', { unknown: ['v0', 'v2'] }] as const) {
      const names = long.map((_, k) => `v${k}`);
      for (const shape of [0.05, 1]) {
        const space = candidateSpace(typeof candidates === 'string' ? candidates : { unknown: [...candidates.unknown] }, names, long);
        const state = randomState(random, long, 3, shape);
        const ratios = new Float64Array(space.perCombination);
        createRatioScorer(space, randomCodes(random, long, 1))(state.weights, state.probabilities, ratios);
        expect(ratios[0]).toBe(1);
      }
    }
  });
});
