import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { isImpossible, supportOf } from '../../shared/table/support/support.ts';
import { naiveLogDensity, randomState } from '../model/random-state.ts';
import { evaluateInMemory } from './evaluate-in-memory.ts';

/**
 * One class on two variables of two categories, of which the cell (1, 1) is impossible. The posterior of
 * a = phi_1(1) and b = phi_2(1) is a function of two numbers, integrated here on a grid.
 */
const sizes = [2, 2];
const model = { classes: 1, concentration: { value: 1 } };
const support = supportOf({ rules: 1, codes: Uint16Array.of(1, 1) }, sizes);
const MISSING = 2;

/** Probability of the values of a record that are there, under a and b, up to what all possible cells share. */
function observed([x, y]: readonly number[], a: number, b: number): number {
  let sum = 0;
  for (const [p, q, probability] of [
    [0, 0, (1 - a) * (1 - b)],
    [0, 1, (1 - a) * b],
    [1, 0, a * (1 - b)],
  ] as const) {
    if ((x === MISSING || x === p) && (y === MISSING || y === q)) sum += probability;
  }
  return sum;
}

const rowsOf = (codes: Uint16Array) =>
  Array.from({ length: codes.length / 2 }, (_, i) => [codes[2 * i]!, codes[2 * i + 1]!]);

/** The integral of a function of a and b times the likelihood of records, over the uniform prior. */
function integral(codes: Uint16Array, of: (a: number, b: number) => number = () => 1): number {
  const STEPS = 500;
  const rows = rowsOf(codes);
  let sum = 0;
  for (let i = 0; i < STEPS; i++) {
    for (let j = 0; j < STEPS; j++) {
      const [a, b] = [(i + 0.5) / STEPS, (j + 0.5) / STEPS];
      const share = 1 - a * b;
      sum += rows.reduce((product, row) => (product * observed(row, a, b)) / share, of(a, b)) / STEPS ** 2;
    }
  }
  return sum;
}

const table = Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0);

describe('the truncated sampler has the posterior that integration gives', () => {
  it.each([
    ['where all values are there', []],
    [
      'where values are missing',
      [1, MISSING, MISSING, 1, MISSING, 1, MISSING, 0, MISSING, MISSING, 1, MISSING],
    ],
  ])('%s', (_, missing) => {
    const codes = Uint16Array.of(...table, ...missing);
    const { combinations } = combinationsFromCodes(codes, codes.length / 2, 2);
    const bound = createDpmpm(combinations, sizes, model, undefined, support);
    const random = new RandomStream(90, 'truncated');
    const functions = {
      a: (a: number) => a,
      b: (_: number, b: number) => b,
      ab: (a: number, b: number) => a * b,
      aSquared: (a: number) => a * a,
      possible: (a: number, b: number) => (1 - a) / (1 - a * b),
    };
    const batches = 60;
    const length = 600;
    let state = bound.step(bound.init(random), random, 200);
    const means = Object.fromEntries(Object.keys(functions).map((name) => [name, new Float64Array(batches)]));
    for (let batch = 0; batch < batches; batch++) {
      for (let i = 0; i < length; i++) {
        state = bound.step(state, random);
        const [a, b] = [state.probabilities[1]!, state.probabilities[3]!];
        for (const [name, f] of Object.entries(functions)) means[name]![batch]! += f(a, b) / length;
      }
    }
    const total = integral(codes);
    for (const [name, f] of Object.entries(functions)) {
      const found = means[name]!;
      const mean = found.reduce((sum, value) => sum + value, 0) / batches;
      const squares = found.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      const error = Math.sqrt(squares / (batches - 1) / batches);
      expect(Math.abs(mean - integral(codes, f) / total) / error, name).toBeLessThan(4);
      expect(error, name).toBeLessThan(0.01);
    }
    const [a, b] = [state.probabilities[1]!, state.probabilities[3]!];
    const logLikelihood = rowsOf(codes).reduce(
      (sum, row) => sum + Math.log(observed(row, a, b) / (1 - a * b)),
      0,
    );
    expect(bound.logLikelihood(state)).toBeCloseTo(logLikelihood, 11);
  });

  it('gives values in any set of categories, or in several boxes, the probability that summing over cells gives', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 4 }), (seed, rules) => {
        const own = [3, 4, 3];
        const random = new RandomStream(seed, 'sets');
        const openOr = (size: number, share: number) =>
          random.uniform() < share ? size : random.below(size);
        const codesOf = (rows: number, share: number) =>
          Uint16Array.from({ length: 3 * rows }, (_, i) => openOr(own[i % 3]!, share));
        // Rules leave one variable open at least by chance, and never all: the first is fixed where they would.
        const zeros = codesOf(rules, 0.4).map((code, i, all) =>
          i % 3 === 0 && all[i + 1] === 4 && all[i + 2] === 3 ? 1 : code,
        );
        const within = supportOf({ rules, codes: zeros }, own);
        const cells = Array.from({ length: 36 }, (_, c) => [
          c % 3,
          Math.floor(c / 3) % 4,
          Math.floor(c / 12),
        ]);
        const possible = cells.filter((cell) => !isImpossible(within, Uint16Array.from(cell), 0, own));
        const state = randomState(random, own, 5);
        const probability = (some: number[][]) =>
          some.reduce((sum, cell) => sum + Math.exp(naiveLogDensity(state, own, cell)), 0);
        let expected = 0;
        const codes: number[] = [];
        for (let i = 0; i < 20; i++) {
          const record = [...codesOf(1, 0.5)];
          const agree = possible.filter((cell) =>
            cell.every((x, k) => record[k] === own[k] || x === record[k]),
          );
          if (agree.length === 0) continue;
          codes.push(...record);
          expected += Math.log(probability(agree) / probability(possible));
        }
        const { combinations } = combinationsFromCodes(Uint16Array.from(codes), codes.length / 3, 3);
        const bound = createDpmpm(combinations, own, { ...model, classes: 5 }, undefined, within);
        expect(bound.logLikelihood(state)).toBeCloseTo(expected, 10);
      }),
    );
  });

  it('counts the classes that hold records of the table, not those of the impossible ones alone', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(0, 0, 0, MISSING), 2, 2);
    const bound = createDpmpm(combinations, sizes, { ...model, classes: 6 }, undefined, support);
    // In the last five classes almost everything is impossible, which takes hundreds of records there.
    const state = {
      weights: Float64Array.of(0.01, 0.198, 0.198, 0.198, 0.198, 0.198),
      probabilities: Float64Array.from({ length: 24 }, (_, i) =>
        i % 6 === 0 ? 0.5 : Math.floor(i / 6) % 2 === 1 ? 1 - 1e-9 : 1e-9,
      ),
      concentration: 1,
      occupiedClasses: 1,
    };
    expect(bound.step(state, new RandomStream(96, 'occupied')).occupiedClasses).toBe(1);
  });

  it('keeps its digits where products underflow', () => {
    const many = [2, 2, ...new Array<number>(150).fill(300)];
    const random = new RandomStream(95, 'underflow');
    const state = randomState(random, many, 3);
    const within = supportOf(
      { rules: 1, codes: Uint16Array.from(many, (size, k) => (k < 2 ? 1 : size)) },
      many,
    );
    const codes = Uint16Array.from(many, (size, k) => (k === 0 ? MISSING : k === 1 ? 1 : random.below(size)));
    const { combinations } = combinationsFromCodes(codes, 1, many.length);
    const bound = createDpmpm(combinations, many, { ...model, classes: 3 }, undefined, within);
    const impossible = [0, 1, 2].reduce(
      (sum, f) => sum + state.weights[f]! * state.probabilities[3 + f]! * state.probabilities[9 + f]!,
      0,
    );
    // The missing value can be 0 alone.
    const expected = naiveLogDensity(state, many, codes.with(0, 0)) - Math.log(1 - impossible);
    expect(expected).toBeLessThan(-800);
    expect(bound.logLikelihood(state) / expected).toBeCloseTo(1, 12);
    expect(bound.step(state, random).weights.every((weight) => weight > 0)).toBe(true);
  });

  it('and refuses a record that nothing could make possible', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(0, 0, 1, 1), 2, 2);
    const bound = createDpmpm(combinations, sizes, model, undefined, support);
    const random = new RandomStream(91, 'impossible');
    const state = bound.init(random);
    expect(() => bound.step(state, random)).toThrow(/probability zero/);
    expect(bound.logLikelihood(state)).toBe(-Infinity);
  });
});

describe('synthesizeRecords() within a support', () => {
  it('draws from the distribution that is truncated, and no impossible record', () => {
    const state = { weights: Float64Array.of(1), probabilities: Float64Array.of(0.4, 0.6, 0.3, 0.7) };
    const random = new RandomStream(92, 'synthesis');
    const records = 60_000;
    const codes = synthesizeRecords(state, sizes, records, random, support);
    const found = new Float64Array(4);
    for (let i = 0; i < records; i++) {
      expect(isImpossible(support, codes, 2 * i, sizes)).toBe(false);
      found[2 * codes[2 * i]! + codes[2 * i + 1]!]! += 1 / records;
    }
    for (const [cell, probability] of [0.12, 0.28, 0.18].entries()) {
      const expected = probability / 0.58;
      const error = Math.sqrt((expected * (1 - expected)) / records);
      expect(Math.abs(found[cell]! - expected)).toBeLessThan(4 * error);
    }
  });
});

describe('attribute risk within a support', () => {
  it('is the exact posterior of the possible candidates, with all terms from truncated chains', () => {
    const datasets = [Uint16Array.of(0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0)];
    const chains = { chains: 24, burnIn: 50, draws: 400, thin: 4 };
    const { risk, combinations } = evaluateInMemory(
      { codes: table, sizes, datasets, model, seed: 93, base: chains, paired: chains, support },
      'augmented',
    );
    const candidatesOf = [
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      [
        [0, 1],
        [0, 0],
      ],
      [
        [1, 0],
        [0, 0],
      ],
    ];
    for (const [row, candidates] of candidatesOf.entries()) {
      const truth = [...combinations.codes.subarray(2 * row, 2 * row + 2)];
      expect(truth).toEqual(candidates[0]);
      const at = rowsOf(table).findIndex(([x, y]) => x === truth[0] && y === truth[1]);
      const likelihoods = candidates.map((candidate) => {
        const guessed = table.slice();
        guessed.set(candidate, 2 * at);
        return integral(Uint16Array.of(...guessed, ...datasets[0]!)) / integral(guessed);
      });
      const expected = likelihoods[0]! / likelihoods.reduce((sum, value) => sum + value, 0);
      expect(Math.abs(risk.probability[row]! - expected) / risk.probabilitySe[row]!, `${row}`).toBeLessThan(
        4,
      );
      expect(risk.probabilitySe[row]).toBeLessThan(0.02);
    }
  });
});

describe('attribute risk of records with missing values', () => {
  it('is the exact posterior of what they have', () => {
    const codes = Uint16Array.of(...table, 1, MISSING, 0, MISSING);
    const datasets = [Uint16Array.of(0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1)];
    const chains = { chains: 24, burnIn: 0, draws: 400, thin: 1 };
    const { risk, combinations } = evaluateInMemory(
      { codes, sizes, datasets, model, seed: 94, base: chains, paired: chains },
      'augmented',
    );
    // With one class the first variable alone matters: counts of ones and zeros, of the table and with the dataset.
    const ones = (rows: Uint16Array, value: number) =>
      rows.filter((code, i) => i % 2 === 0 && code === value).length;
    const both = Uint16Array.of(...codes, ...datasets[0]!);
    for (const value of [0, 1]) {
      const row = Array.from({ length: combinations.count }, (_, c) => c).find(
        (c) => combinations.codes[2 * c] === value && combinations.codes[2 * c + 1] === MISSING,
      )!;
      // E[phi(other) / phi(value)] over a beta distribution: (other + 1) / value, in counts.
      const ratio =
        (ones(both, 1 - value) + 1) / ones(both, value) / ((ones(codes, 1 - value) + 1) / ones(codes, value));
      const expected = 1 / (1 + ratio);
      expect(Math.abs(risk.probability[row]! - expected) / risk.probabilitySe[row]!).toBeLessThan(4);
      expect(risk.probabilitySe[row]).toBeLessThan(0.02);
    }
  });
});
