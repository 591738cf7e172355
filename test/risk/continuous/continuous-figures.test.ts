import { expect, it } from 'vitest';
import { beforeAndAfter, CONTINUOUS_FIGURES, intervalsOf, weighCells } from '../../../shared/risk/continuous/continuous-figures.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { mixedSpace, mixedValueSets } from '../../../shared/risk/mixed/mixed-space.ts';
import { SCALED_NUMBER } from '../mixed/scaled-number.ts';

const space = mixedSpace(candidateSpace('one-change', ['a'], [2]), [SCALED_NUMBER]);

/** Masses and cells in ascending order: where each begins and ends. */
const ENTRIES = [
  [-5, -5],
  [0, 2.5],
  [2.5, 5],
  [5, 5],
  [5, 7.5],
  [7.5, 10],
] as const;

/** The distribution function of these probabilities. */
const functionOf = (probabilities: readonly number[]) => (y: number) =>
  probabilities.reduce((sum, own, v) => {
    const [from, to] = ENTRIES[v]!;
    return sum + (y >= to ? own : y <= from ? 0 : (own * (y - from)) / (to - from));
  }, 0);

/** The integral of (F(y) - 1(y >= truth))^2, by its definition; steps begin where anything jumps. */
function integralOf(probabilities: readonly number[], truth: number): number {
  const [below, step] = [functionOf(probabilities), 0.005];
  let sum = 0;
  for (let k = 0; k < 17 / step; k++) {
    const y = -6 + (k + 0.5) * step;
    sum += step * (below(y) - (y >= truth ? 1 : 0)) ** 2;
  }
  return sum;
}

const normalised = (weights: readonly number[]) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

const WEIGHTS = [1, 2, 3, 2, 4, 1];
const LIKELIHOODS = [0.5, 1, 2, 0.25, 3, 0.5];
const [BEFORE, AFTER] = [normalised(WEIGHTS), normalised(WEIGHTS.map((w, v) => w * LIKELIHOODS[v]!))];

/** Weights and likelihoods of the entries, at the numbers of their candidates; candidate 0 is the truth, of a density of its own. */
function arrangedFor(candidates: ArrayLike<number>, truth: { readonly weight: number; readonly likelihood: number }) {
  const [prior, estimates] = [new Float64Array(space.perRecord), new Float64Array(space.perRecord)];
  [prior[0], estimates[0]] = [Math.log(truth.weight), Math.log(truth.likelihood)];
  for (let v = 0; v < candidates.length; v++) {
    prior[candidates[v]!] = Math.log(WEIGHTS[v]!);
    estimates[candidates[v]!] = Math.log(LIKELIHOODS[v]!);
  }
  return [prior, estimates] as const;
}

const TRUTH = { weight: 0.4, likelihood: 2.5 };
const sets = mixedValueSets(space, { codes: Uint16Array.of(0, 0, 0, 0), values: Float64Array.of(6, -5, 5, 9.9) });
const figuresOf = (row: number) => {
  const set = sets.of(row)[1]!;
  const figures = weighCells(set, ...arrangedFor(set.candidates, TRUTH));
  return Object.fromEntries(CONTINUOUS_FIGURES.map((name, place) => [name, figures[place]!]));
};

it.each([
  // Near 6 is from 5.4 to 6.6, of a cell of 2.5; near a mass itself, and near 5 what is beside it; near 9.9 what lies above 8.91.
  { row: 0, truth: 6, near: [0, 0, 0, 0, 1.2 / 2.5, 0] },
  { row: 1, truth: -5, near: [1, 0, 0, 0, 0, 0] },
  { row: 2, truth: 5, near: [0, 0, 0.2, 1, 0.2, 0] },
  { row: 3, truth: 9.9, near: [0, 0, 0, 0, 0, 1.09 / 2.5] },
])('CRPS and the probability near $truth follow their definitions', ({ row, truth, near }) => {
  const figures = figuresOf(row);
  const nearOf = (probabilities: readonly number[]) => probabilities.reduce((sum, own, v) => sum + own * near[v]!, 0);
  expect(figures.withinBefore).toBeCloseTo(nearOf(BEFORE), 12);
  expect(figures.withinAfter).toBeCloseTo(nearOf(AFTER), 12);
  expect(figures.crpsBefore).toBeCloseTo(integralOf(BEFORE, truth), 4);
  expect(figures.crpsAfter).toBeCloseTo(integralOf(AFTER, truth), 4);
});

it('the gain is that of the truth over the mean likelihood, and the claim what the distribution after expects of it', () => {
  const { claimedBits, gainBits, lackedBits } = figuresOf(0);
  const mean = BEFORE.reduce((sum, own, v) => sum + own * LIKELIHOODS[v]!, 0);
  expect(gainBits).toBeCloseTo(Math.log2(TRUTH.likelihood / mean), 12);
  expect(claimedBits).toBeCloseTo(
    AFTER.reduce((sum, own, v) => sum + own * Math.log2(LIKELIHOODS[v]! / mean), 0),
    12,
  );
  // A value with one decimal is a hundredth of the scale, on which densities are.
  expect(lackedBits).toBeCloseTo(-Math.log2((0.01 * TRUTH.weight) / WEIGHTS.reduce((sum, weight) => sum + weight, 0)), 12);
});

it('90 % intervals hold what lies between their ends, and of a mass at an end the share within', () => {
  // Beyond the highest twentieth is 9.9; the mass at -5 has 1 in 13 before the release, of which what is above the lowest twentieth is held.
  expect(figuresOf(0)).toMatchObject({ coveredBefore: 1, coveredAfter: 1 });
  expect(figuresOf(3)).toMatchObject({ coveredBefore: 0, coveredAfter: 0 });
  expect(figuresOf(1).coveredBefore).toBeCloseTo((1 / 13 - 0.05) * 13, 12);
  // After it the mass has 0.5 / 23.5, all of it below.
  expect(figuresOf(1).coveredAfter).toBe(0);
  expect(figuresOf(2)).toMatchObject({ coveredBefore: expect.closeTo(1, 12), coveredAfter: expect.closeTo(1, 12) });
});

it('ends of intervals and medians are quantiles of the distribution function', () => {
  const set = sets.of(0)[1]!;
  const [prior, estimates] = arrangedFor(set.candidates, TRUTH);
  const [lowBefore, highBefore, medianBefore, lowAfter, highAfter, medianAfter] = intervalsOf(set, beforeAndAfter(set, prior, estimates));
  // The lowest twentieth before is within the mass, and half lies below the mass at 5.
  expect([lowBefore, medianBefore]).toEqual([-5, 5]);
  const [before, after] = [functionOf(BEFORE), functionOf(AFTER)];
  expect(before(highBefore!)).toBeCloseTo(0.95, 12);
  expect([lowAfter!, medianAfter!, highAfter!].map(after)).toEqual([0.05, 0.5, 0.95].map((share) => expect.closeTo(share, 12)));
});

it('refuses the set of a variable without a scale', () => {
  const [categorical] = sets.of(0);
  const [prior, estimates] = arrangedFor(sets.of(0)[1]!.candidates, TRUTH);
  expect(() => weighCells(categorical!, prior, estimates)).toThrow(RangeError);
  expect(() => intervalsOf(categorical!, beforeAndAfter(categorical!, prior, estimates))).toThrow(RangeError);
});
