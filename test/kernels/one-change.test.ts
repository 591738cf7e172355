import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dirichlet } from '../../shared/random/distributions.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/likelihood-ratio.ts';
import { createReferenceScorer } from '../../shared/risk/likelihood-ratio-reference.ts';

/** Scores random rows under random parameters with both programs and expects the same bits. */
function expectSameBits(sizes: readonly number[], classes: number, rows: number, seed: number): void {
  const random = new RandomStream(seed, 'test/one-change');
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) =>
    random.below(sizes[i % sizes.length]!),
  );
  const kernel = createRatioScorer(space, codes);
  const reference = createReferenceScorer(space, codes);
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  for (let draw = 0; draw < 2; draw++) {
    const weights = dirichlet(random, new Float64Array(classes).fill(0.5));
    const probabilities = new Float64Array(categories * classes);
    for (let f = 0; f < classes; f++) {
      let at = 0;
      for (const size of sizes) {
        for (const p of dirichlet(random, new Float64Array(size).fill(0.7))) {
          probabilities[at++ * classes + f] = p;
        }
      }
    }
    const ours = new Float64Array(rows * space.perCombination);
    const theirs = new Float64Array(rows * space.perCombination);
    kernel(weights, probabilities, ours);
    reference(weights, probabilities, theirs);
    expect(ours).toEqual(theirs);
  }
}

describe('the kernel of one-change candidates gives the bits of the plain program', () => {
  it('on random combinations and parameters, with any number of classes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 13 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(1000),
        (sizes, classes, rows, seed) => expectSameBits(sizes, classes, rows, seed),
      ),
      { numRuns: 150 },
    );
  });

  it('with a variable of 1,000 categories', () => expectSameBits([1000, 3], 8, 5, 1));

  it('where densities underflow and the row is scored in logs', () => {
    expectSameBits(
      Array.from({ length: 150 }, () => 300),
      3,
      3,
      2,
    );
  });
});
