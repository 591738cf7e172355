import { expect, it } from 'vitest';
import type { ChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { createDensityScorer, logCells } from '../../../shared/risk/scoring/density-scorer.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { logRatios } from '../../../shared/risk/scoring/log-ratios.ts';

const sizes = [2, 3, 3];
const names = ['a', 'b', 'c'];
/** Two classes: shares, and what they give each category. */
const weights = Float64Array.of(0.4, 0.6);
const phi = [
  [0.3, 0.9],
  [0.7, 0.1],
  [0.2, 0.5],
  [0.3, 0.25],
  [0.5, 0.25],
  [0.6, 0.1],
  [0.3, 0.2],
  [0.1, 0.7],
];
const probabilities = Float64Array.from(phi.flat());
const offsets = [0, 2, 5];
/** f(y), of what is there: a missing value is the number after the last category. */
const density = (codes: ArrayLike<number>) =>
  [0, 1].reduce(
    (sum, f) => sum + sizes.reduce((p, size, k) => (codes[k] === size ? p : p * phi[offsets[k]! + codes[k]!]![f]!), weights[f]!),
    0,
  );
const replaced = (space: ReturnType<typeof candidateSpace>, own: Uint16Array, candidate: number) => {
  const codes = own.slice();
  for (const { variable, code } of candidateChanges(space, own, candidate)) codes[variable] = code;
  return codes;
};

it.each(['one-change', 'two-changes', { unknown: ['a', 'c'] }])('ratios by logarithms are those of densities: %j', (candidates) => {
  const space = candidateSpace(candidates as Parameters<typeof candidateSpace>[0], names, sizes);
  const own = Uint16Array.of(1, 0, 2);
  const ratios = new Float64Array(space.perCombination);
  const logInverse = logRatios(space, { own, variableOfColumn: [0, 1, 2] }, { weights, probabilities }, ratios);
  expect(logInverse).toBeCloseTo(-Math.log(density(own)), 12);
  for (const [x, ratio] of ratios.entries()) expect(ratio).toBeCloseTo(density(replaced(space, own, x)) / density(own), 12);
});

it('a missing value has the places of its changes, and those of later variables stay in theirs', () => {
  const space = candidateSpace('one-change', names, sizes);
  const own = Uint16Array.of(1, 3, 2);
  const ratios = new Float64Array(space.perCombination);
  expect(logRatios(space, { own, variableOfColumn: [0, 1, 2] }, { weights, probabilities }, ratios)).toBeCloseTo(
    -Math.log(density(own)),
    12,
  );
  for (const x of [1, 4, 5]) expect(ratios[x]).toBeCloseTo(density(replaced(space, own, x)) / density(own), 12);
});

it('densities of records elsewhere are times the cells, in every draw and as means', () => {
  const space = candidateSpace('one-change', names, sizes);
  const codes = Uint16Array.of(1, 0, 2, 0, 2, 0);
  const asked = { candidates: space.perCombination, logUnit: logCells(sizes), isIntegrated: false };
  const scorer = createDensityScorer(createRatioScorer(space, codes), asked, 2);
  const found = new Float64Array(2 * space.perCombination);
  const logs = new Float64Array(2);
  scorer(weights, probabilities, found, logs);
  const expected = [0, 1].flatMap((row) => {
    const own = codes.slice(3 * row, 3 * row + 3);
    return Array.from({ length: space.perCombination }, (_, x) => 18 * density(replaced(space, own, x)));
  });
  expect([...found]).toEqual(expected.map((value) => expect.closeTo(value, 10)));
  expect([...logs]).toEqual([0, space.perCombination].map((at) => expect.closeTo(Math.log(expected[at]!), 10)));
  // Another draw of the second class alone.
  const none = new Float64Array(2);
  const draws: ChainDraws = {
    draws: 2,
    classes: 2,
    categories: 8,
    weights: Float64Array.of(...weights, 0, 1),
    probabilities: Float64Array.of(...probabilities, ...probabilities),
    concentration: none,
    occupiedClasses: new Uint16Array(2),
    logLikelihood: none,
  };
  const second = new Float64Array(found.length);
  scorer(Float64Array.of(0, 1), probabilities, second, logs);
  const both = [[...found], [...second]];
  const { mean, meanSquare, firstHalf } = scorer.means(draws, 1);
  const meanOf = (power: number) => both[0]!.map((value, at) => expect.closeTo((value ** power + both[1]![at]! ** power) / 2, 10));
  expect([[...mean], [...meanSquare], [...firstHalf!]]).toEqual([meanOf(1), meanOf(2), both[0]!.map((value) => expect.closeTo(value, 10))]);
  expect(() => scorer(weights, probabilities, found, logs, { counts: new Uint32Array(0), classOfCombination: new Uint16Array(0) })).toThrow(
    RangeError,
  );
});
