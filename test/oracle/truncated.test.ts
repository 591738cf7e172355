import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { isImpossible, supportOf } from '../../shared/table/support/support.ts';
import { normalized } from '../exact-posterior.ts';
import { naiveLogDensity, randomState } from '../model/random-state.ts';
import { largest, mistakenReleases, type RiskRow, recordOf, runExactly, standardized } from './exact-run.ts';

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

const rowsOf = (codes: Uint16Array) => Array.from({ length: codes.length / 2 }, (_, i) => [codes[2 * i]!, codes[2 * i + 1]!]);

/** The integral of a function of a and b times the likelihood of records, over the uniform prior. */
function integral(codes: Uint16Array, of: (a: number, b: number) => number = () => 1, steps = 500): number {
  const rows = rowsOf(codes);
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    for (let j = 0; j < steps; j++) {
      const [a, b] = [(i + 0.5) / steps, (j + 0.5) / steps];
      const share = 1 - a * b;
      sum += rows.reduce((product, row) => (product * observed(row, a, b)) / share, of(a, b)) / steps ** 2;
    }
  }
  return sum;
}

const table = Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0);

describe('the truncated sampler has the posterior that integration gives', () => {
  it.each([
    ['where all values are there', []],
    ['where values are missing', [1, MISSING, MISSING, 1, MISSING, 1, MISSING, 0, MISSING, MISSING, 1, MISSING]],
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
    const logLikelihood = rowsOf(codes).reduce((sum, row) => sum + Math.log(observed(row, a, b) / (1 - a * b)), 0);
    expect(bound.logLikelihood(state)).toBeCloseTo(logLikelihood, 11);
  });

  it('gives values in any set of categories, or in several boxes, the probability that summing over cells gives', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 4 }), (seed, rules) => {
        const own = [3, 4, 3];
        const random = new RandomStream(seed, 'sets');
        const openOr = (size: number, share: number) => (random.uniform() < share ? size : random.below(size));
        const codesOf = (rows: number, share: number) => Uint16Array.from({ length: 3 * rows }, (_, i) => openOr(own[i % 3]!, share));
        // Rules leave one variable open at least by chance, and never all: the first is fixed where they would.
        const zeros = codesOf(rules, 0.4).map((code, i, all) => (i % 3 === 0 && all[i + 1] === 4 && all[i + 2] === 3 ? 1 : code));
        const within = supportOf({ rules, codes: zeros }, own);
        const cells = Array.from({ length: 36 }, (_, c) => [c % 3, Math.floor(c / 3) % 4, Math.floor(c / 12)]);
        const possible = cells.filter((cell) => !isImpossible(within, Uint16Array.from(cell), 0, own));
        const state = randomState(random, own, 5);
        const probability = (some: number[][]) => some.reduce((sum, cell) => sum + Math.exp(naiveLogDensity(state, own, cell)), 0);
        let expected = 0;
        const codes: number[] = [];
        for (let i = 0; i < 20; i++) {
          const record = [...codesOf(1, 0.5)];
          const agree = possible.filter((cell) => cell.every((x, k) => record[k] === own[k] || x === record[k]));
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
      probabilities: Float64Array.from({ length: 24 }, (_, i) => (i % 6 === 0 ? 0.5 : Math.floor(i / 6) % 2 === 1 ? 1 - 1e-9 : 1e-9)),
      concentration: 1,
      occupiedClasses: 1,
    };
    expect(bound.step(state, new RandomStream(96, 'occupied')).occupiedClasses).toBe(1);
  });

  it('keeps its digits where products underflow', () => {
    const many = [2, 2, ...new Array<number>(150).fill(300)];
    const random = new RandomStream(95, 'underflow');
    const state = randomState(random, many, 3);
    const within = supportOf({ rules: 1, codes: Uint16Array.from(many, (size, k) => (k < 2 ? 1 : size)) }, many);
    const codes = Uint16Array.from(many, (size, k) => (k === 0 ? MISSING : k === 1 ? 1 : random.below(size)));
    const { combinations } = combinationsFromCodes(codes, 1, many.length);
    const bound = createDpmpm(combinations, many, { ...model, classes: 3 }, undefined, within);
    const impossible = [0, 1, 2].reduce((sum, f) => sum + state.weights[f]! * state.probabilities[3 + f]! * state.probabilities[9 + f]!, 0);
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

describe('the risk of a run with structural zeros', () => {
  const mcmc = { chains: 24, burnIn: 50, draws: 200, thin: 4, pairedChains: 16, pairedDraws: 200, pairedThin: 4 };
  const possible = [
    [0, 0],
    [0, 1],
    [1, 0],
  ];
  /** P(Z(l) | D_i^x) up to a constant, by what a dataset and the table with a guess hold: their integrals are found once. */
  const integrals = new Map<string, number>();
  const integralOf = (codes: Uint16Array) => {
    const counts = possible.map(([x, y]) => rowsOf(codes).filter(([p, q]) => p === x && q === y).length).join();
    if (!integrals.has(counts))
      integrals.set(
        counts,
        integral(codes, () => 1, 150),
      );
    return integrals.get(counts)!;
  };
  const exactOf = (rows: readonly RiskRow[], datasets: readonly Uint16Array[]) =>
    rows.map((row) => {
      const at = recordOf({ codes: table, sizes }, row);
      const logs = possible
        .filter((cell) => cell.filter((code, k) => code !== row.codes[k]).length <= 1)
        .sort((one) => (one.every((code, k) => code === row.codes[k]) ? -1 : 0))
        .map((candidate) => {
          const guessed = table.slice();
          guessed.set(candidate, 2 * at);
          return datasets.reduce(
            (sum, dataset) => sum + Math.log(integralOf(Uint16Array.of(...guessed, ...dataset)) / integralOf(guessed)),
            0,
          );
        });
      return normalized(Float64Array.from(logs))[0]!;
    });
  /** log2 P(Z | D) / P(Z | D without the record). */
  const bitsOf = (rows: readonly RiskRow[], datasets: readonly Uint16Array[]) =>
    rows.map((row) => {
      const at = recordOf({ codes: table, sizes }, row);
      const without = Uint16Array.from([...table].toSpliced(2 * at, 2));
      const log = (codes: Uint16Array, dataset: Uint16Array) =>
        Math.log2(integralOf(Uint16Array.of(...codes, ...dataset)) / integralOf(codes));
      return datasets.reduce((sum, dataset) => sum + log(table, dataset) - log(without, dataset), 0);
    });
  const elsewhere = [
    Uint16Array.of(0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0),
    Uint16Array.of(1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0),
  ];

  it.each([
    ['its own datasets', { synthesis: { datasets: 3 } }],
    ['datasets made elsewhere', { elsewhere }],
  ])('is the exact posterior of the possible candidates: %s', async (_, given) => {
    const zeros = [['c1', 'c1']];
    const { rows, datasets } = await runExactly({ codes: table, sizes }, { model, mcmc, zeros, ...given });
    expect(rows).toHaveLength(3);
    expect(largest(standardized(rows, exactOf(rows, datasets)))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.02);
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, exactOf(rows, mistaken)))).toBeGreaterThan(5);
    }
    const exact = bitsOf(rows, datasets);
    const bits = rows.map(({ figure }, i) => (figure('membership_bits') - exact[i]!) / figure('membership_bits_se'));
    expect(largest(bits)).toBeLessThan(4);
    expect(largest(rows.map(({ figure }) => figure('membership_bits_se')))).toBeLessThan(0.05);
  });
});
