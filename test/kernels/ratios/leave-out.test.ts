import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReferenceScorer } from '../../../bench/plain/likelihood-ratio-reference.ts';
import type { Candidates } from '../../../shared/contracts/candidates.ts';
import type { Allocation } from '../../../shared/model/chains/chain-sampler.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { createTruthScorer, heldValues } from '../../../shared/risk/calibration/calibration-targets.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { leaveOut } from '../../../shared/risk/scoring/leave-out.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { randomCodes, randomState } from '../../model/random-state.ts';

const names = (sizes: readonly number[]) => sizes.map((_, k) => `v${k}`);

/** Records in classes at random: the first of each combination stands for it. */
function allocate(codes: Uint16Array, sizes: readonly number[], classes: number, random: RandomStream) {
  const variables = sizes.length;
  const offsets = categoryOffsets(sizes);
  const { combinations, combinationOfRecord } = combinationsFromCodes(codes, codes.length / variables, variables);
  const counts = new Uint32Array(offsets[variables]! * classes);
  const classOfCombination = new Uint16Array(combinations.count).fill(0xffff);
  for (const [record, combination] of combinationOfRecord.entries()) {
    const f = random.below(classes);
    if (classOfCombination[combination] === 0xffff) classOfCombination[combination] = f;
    for (let k = 0; k < variables; k++) {
      const code = codes[record * variables + k]!;
      if (code < sizes[k]!) counts[(offsets[k]! + code) * classes + f]!++;
    }
  }
  const allocation: Allocation = { counts, classOfCombination };
  return { combinations, allocation };
}

/** Largest relative difference of two sets of ratios. */
function difference(ours: Float64Array, theirs: Float64Array): number {
  return ours.reduce((most, value, i) => Math.max(most, Math.abs(value / theirs[i]! - 1)), 0);
}

/** Ratios and log weights by the plain program, from phi in the mean without each row's own record. */
function plainRatios(
  candidates: Candidates,
  sizes: readonly number[],
  centres: Uint16Array,
  held: Uint16Array,
  weights: Float64Array,
  allocation: Allocation,
) {
  const space = candidateSpace(candidates, names(sizes), sizes);
  const rows = centres.length / sizes.length;
  const ratios = new Float64Array(rows * space.perCombination);
  const logWeights = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const own = (codes: Uint16Array) => codes.subarray(row * sizes.length, (row + 1) * sizes.length);
    const phi = leaveOut(allocation, row, own(held), sizes, weights.length);
    const part = ratios.subarray(row * space.perCombination, (row + 1) * space.perCombination);
    createReferenceScorer(space, own(centres))(weights, phi, part, logWeights.subarray(row, row + 1));
  }
  return { ratios, logWeights };
}

function compare(candidates: Candidates, sizes: readonly number[], classes: number, records: number, seed: number, missing = false): void {
  const random = new RandomStream(seed, 'test/leave-out');
  const widths = sizes.map((size) => size + (missing ? 1 : 0));
  const { combinations, allocation } = allocate(randomCodes(random, widths, records), sizes, classes, random);
  const { codes } = combinations;
  const { weights, probabilities } = randomState(random, sizes, classes, 0.7);
  const space = candidateSpace(candidates, names(sizes), sizes);
  const expected = plainRatios(candidates, sizes, codes, codes, weights, allocation);
  const ratios = new Float64Array(expected.ratios.length);
  const logWeights = new Float64Array(expected.logWeights.length);
  const scorer = createRatioScorer(space, codes);
  scorer(weights, probabilities, ratios, logWeights, allocation);
  expect(difference(ratios, expected.ratios)).toBeLessThan(1e-7);
  expect(Math.max(...logWeights.map((value, row) => Math.abs(value - expected.logWeights[row]!)))).toBeLessThan(1e-7);
  // A draw of phi after it is scored as ever.
  const plain = new Float64Array(ratios.length);
  const reference = new Float64Array(ratios.length);
  scorer(weights, probabilities, plain);
  createReferenceScorer(space, codes)(weights, probabilities, reference);
  expect(plain).toEqual(reference);
}

const sizesOf = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 7 });

describe('ratios with phi integrated out are those of its mean without the record', () => {
  for (const candidates of ['one-change', 'two-changes'] as const) {
    it(`for ${candidates}`, () => {
      fc.assert(
        fc.property(sizesOf, fc.integer({ min: 1, max: 9 }), fc.nat(1000), (sizes, classes, seed) =>
          compare(candidates, sizes, classes, 30, seed),
        ),
        // The first variable of a half may have nothing to change.
        { numRuns: 100, examples: [[[1, 2, 2], 1, 0]] },
      );
    });
  }

  it('for unknown variables', () => {
    const table = sizesOf.chain((sizes) => fc.tuple(fc.constant(sizes), fc.subarray([...sizes.keys()], { minLength: 1 })));
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 9 }), fc.nat(1000), ([sizes, unknown], classes, seed) =>
        compare({ unknown: unknown.map((k) => `v${k}`) }, sizes, classes, 30, seed),
      ),
      { numRuns: 100 },
    );
  });

  it('where values are missing, for the candidates that change another', () => {
    // A change of a missing value means nothing; with one variable of one category there is none.
    for (let seed = 0; seed < 20; seed++) compare('one-change', [1, 1, 1, 1], 4, 40, seed, true);
  });

  it('where a record alone in its class has nearly all of its density from itself', () => {
    compare(
      'one-change',
      Array.from({ length: 40 }, () => 3),
      30,
      20,
      1,
    );
    compare(
      { unknown: ['v1', 'v7'] },
      Array.from({ length: 40 }, () => 3),
      30,
      20,
      2,
    );
  });

  it('where densities underflow', () => {
    compare(
      'one-change',
      Array.from({ length: 150 }, () => 300),
      3,
      2,
      3,
    );
  });

  it('around values that the record had before it was replaced', () => {
    const sizes = [3, 4, 2, 5];
    for (const candidates of ['one-change', 'two-changes', { unknown: ['v0', 'v3'] }] as Candidates[]) {
      const space = candidateSpace(candidates, names(sizes), sizes);
      const random = new RandomStream(5, 'test/leave-out/replaced');
      const rows = 12;
      const centres = randomCodes(random, sizes, rows);
      const truths = Uint32Array.from({ length: rows }, () => random.below(space.perCombination));
      const held = heldValues(space, { centres, truths });
      for (const [t, truth] of truths.entries()) {
        const centre = centres.subarray(4 * t, 4 * t + 4);
        for (const { variable, code } of candidateChanges(space, centre, truth)) {
          expect(held[4 * t + variable]).toBe(code);
        }
      }
      const { allocation, combinations } = allocate(held, sizes, 5, random);
      const rowsOf = Uint16Array.from({ length: rows }, (_, t) => {
        const own = [...held.subarray(4 * t, 4 * t + 4)].join();
        const at = Array.from({ length: combinations.count }, (__, c) => [...combinations.codes.subarray(4 * c, 4 * c + 4)].join()).indexOf(
          own,
        );
        return allocation.classOfCombination[at]!;
      });
      const ofRows = { counts: allocation.counts, classOfCombination: rowsOf };
      const { weights, probabilities } = randomState(random, sizes, 5, 0.7);
      const expected = plainRatios(candidates, sizes, centres, held, weights, ofRows).ratios;
      const ratios = new Float64Array(expected.length);
      createTruthScorer(space, { centres, truths })(weights, probabilities, ratios, undefined, ofRows);
      const scaled = expected.map((value, i) => {
        const row = Math.floor(i / space.perCombination);
        return value / expected[row * space.perCombination + truths[row]!]!;
      });
      expect(difference(ratios, scaled)).toBeLessThan(1e-9);
    }
  });
});
