import { beforeAll, describe, expect, it } from 'vitest';
import { UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import type { ChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import { chainOfDraw, sampleChain, stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import { arealParameters } from '../../../shared/model/dp-areal/cells.ts';
import { createDpAreal } from '../../../shared/model/dp-areal/dp-areal.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import type { Combinations } from '../../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { type ArealModel, combinationsOf, patternsOf, poisson } from './areal-prior.ts';

const concentration = { shape: 1, rate: 1 };
const settings = { clusters: 6, concentration };
const sizes = [3, 4, 2];

const beside = [0, 1, 2, 1];

/** Records of three variables, of which the second is synthesized; perhaps with a synthetic value beside each. */
function table(records: number, columns: readonly number[] = [0, 1, 2]): Combinations {
  const random = new RandomStream(81, 'table');
  const rows = Array.from({ length: records }, () => beside.map((variable) => random.below(sizes[variable]!)));
  const codes = Uint16Array.from(rows.flatMap((row) => row.slice(0, columns.length)));
  return combinationsFromCodes(codes, records, columns.length).combinations;
}

const run = (columns: readonly number[] | undefined, iterations: number) => {
  const areal = createDpAreal(table(60, columns), sizes, [1], settings, columns);
  const random = new RandomStream(82, 'chain');
  return { areal, state: areal.step(areal.init(random), random, iterations) };
};

describe('createDpAreal()', () => {
  it('gives states in the layout of the DPMPM: a class a pattern', () => {
    const { state } = run(undefined, 5);
    const patterns = state.weights.length;
    expect(patterns).toBe(6);
    expect(state.weights.every((weight) => weight === 1 / 6)).toBe(true);
    expect(state.probabilities).toHaveLength(9 * patterns);
    const { logRates } = arealParameters(state.latent!, { patterns, categories: 4, regressors: 5, clusters: 6 });
    const combinations = table(60);
    // Patterns are in order of first appearance.
    const seen: string[] = [];
    for (let c = 0; c < combinations.count; c++) {
      const [first, , third] = combinations.codes.subarray(3 * c, 3 * c + 3);
      const key = `${first},${third}`;
      if (!seen.includes(key)) seen.push(key);
    }
    for (const [b, key] of seen.entries()) {
      const [first, third] = key.split(',').map(Number);
      const at = (category: number) => state.probabilities[category * patterns + b]!;
      expect([0, 1, 2].map((c) => at(c))).toEqual([0, 1, 2].map((c) => (c === first ? 1 : 0)));
      expect([0, 1].map((c) => at(7 + c))).toEqual([0, 1].map((c) => (c === third ? 1 : 0)));
      const rates = [0, 1, 2, 3].map((i) => Math.exp(logRates[4 * b + i]!));
      const total = rates.reduce((sum, rate) => sum + rate, 0);
      for (const [i, rate] of rates.entries()) expect(at(3 + i)).toBeCloseTo(rate / total, 12);
    }
  });

  it('gives the same draws for the same seed, whether or not the states between are looked at', () => {
    for (const columns of [undefined, beside]) {
      const { areal, state } = run(columns, 10);
      expect(run(columns, 10).state).toEqual(state);
      const random = new RandomStream(82, 'chain');
      let stepped = areal.init(random);
      for (let i = 0; i < 10; i++) stepped = areal.step(stepped, random);
      expect(stepped).toEqual(state);
    }
  });

  it('does not change the state that it goes on from', () => {
    const { areal, state } = run(undefined, 3);
    const before = structuredClone(state);
    areal.step(state, new RandomStream(83, 'on'), 4);
    expect(state).toEqual(before);
  });

  it('goes on from a kept draw as from the state itself', () => {
    const areal = createDpAreal(table(60), sizes, [1], settings);
    const random = new RandomStream(84, 'kept');
    const { draws, last } = sampleChain(areal, areal.init(random), random, { burnIn: 3, draws: 4, thin: 2 }, { name: 'c' });
    expect(draws.latent).toHaveLength(4 * last.latent!.length);
    expect(stateOfDraw(draws, 3)).toEqual(last);
    expect(stateOfDraw(chainOfDraw(draws, 2), 0)).toEqual(stateOfDraw(draws, 2));
  });

  it('has the log-likelihood of Poisson counts, and of the shares for synthetic records', () => {
    const rows = [
      [0, 1, 1, 1],
      [0, 1, 1, 3],
      [0, 0, 0, 3],
    ];
    const combine = (columns: number) =>
      combinationsFromCodes(Uint16Array.from(rows.flatMap((row) => row.slice(0, columns))), 3, columns).combinations;
    const alone = createDpAreal(combine(3), sizes, [1], settings);
    const stacked = createDpAreal(combine(4), sizes, [1], settings, beside);
    const random = new RandomStream(85, 'likelihood');
    const state = alone.step(alone.init(random), random, 3);
    const l = [...state.latent!.subarray(0, 8)];
    // Pattern 0 holds category 1 twice, pattern 1 category 0 once; released are 1 and 3, and 3.
    const rates = l.map(Math.exp);
    const ofTable = 2 * l[1]! - Math.log(2) + l[4]! - rates.reduce((sum, rate) => sum + rate, 0);
    const logTotal = (b: number) => Math.log(rates.slice(4 * b, 4 * b + 4).reduce((sum, rate) => sum + rate, 0));
    const ofRelease = l[1]! + l[3]! - 2 * logTotal(0) + l[7]! - logTotal(1);
    expect(alone.logLikelihood(state)).toBeCloseTo(ofTable, 10);
    expect(stacked.logLikelihood(state)).toBeCloseTo(ofTable + ofRelease, 10);
  });

  it('refuses several synthesized variables, and states that are not its own', () => {
    expect(() => createDpAreal(table(20), sizes, [1, 2], settings)).toThrow(UnsupportedOptionError);
    const { areal, state } = run(undefined, 1);
    const random = new RandomStream(86, 'refuse');
    const { latent: _, ...without } = state;
    expect(() => areal.step(without, random)).toThrow(RangeError);
    expect(() => areal.step({ ...state, latent: new Float64Array(3) }, random)).toThrow(RangeError);
  });

  it('takes a table of one variable, and one cluster', () => {
    const { combinations } = combinationsFromCodes(Uint16Array.of(1, 0, 1, 2), 4, 1);
    const areal = createDpAreal(combinations, [3], [0], { clusters: 1, concentration: { value: 1 } });
    const random = new RandomStream(87, 'single');
    const state = areal.step(areal.init(random), random, 50);
    expect(state.occupiedClasses).toBe(1);
    expect(state.probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });
});

describe('given many counts from known parameters, the sampler of DP-areal', () => {
  const model: ArealModel = { known: [4, 5], categories: 12, clusters: 8, concentration };
  const patterns = patternsOf(model);
  const random = new RandomStream(88, 'known');
  /** Two kinds of cells far apart, the first falling and the other rising with the second variable. */
  const kinds = patterns.map(() => Array.from({ length: 12 }, () => (random.uniform() < 0.7 ? 0 : 1)));
  const TAU = 25;
  const logRates = patterns.map(([, second], b) =>
    kinds[b]!.map((kind) => (kind === 0 ? 6 - 0.5 * second! : 1 + 0.5 * second!) + normal(random) / Math.sqrt(TAU)),
  );
  const counts = logRates.map((own) => own.map((l) => poisson(random, Math.exp(l))));
  const shape = { patterns: 20, categories: 12, regressors: 9, clusters: 8 };
  let draws: ChainDraws;

  beforeAll(() => {
    const areal = createDpAreal(combinationsOf(model, counts), [4, 5, 12], [2], model);
    const schedule = { burnIn: 500, draws: 500, thin: 1 };
    ({ draws } = sampleChain(areal, areal.init(random), random, schedule, { name: 'known' }));
  });

  const each = <T>(read: (p: ReturnType<typeof arealParameters>) => T) =>
    Array.from({ length: 500 }, (_, draw) => read(arealParameters(stateOfDraw(draws, draw).latent!, shape)));

  it('recovers the rates: 90 % intervals hold the truth nine times in ten', () => {
    const truths = logRates.flat();
    const samples = each((p) => p.logRates);
    const held = truths.filter((truth, cell) => {
      const below = samples.filter((own) => own[cell]! < truth).length;
      return below > 25 && below < 475;
    }).length;
    expect(Math.abs(held - 0.9 * truths.length)).toBeLessThan(4 * Math.sqrt(truths.length * 0.09));
  });

  it('recovers the two kinds of cells, their levels and the spread about them', () => {
    const tau = each((p) => p.precisions[0]!);
    const mean = tau.reduce((sum, value) => sum + value, 0) / tau.length;
    const deviation = Math.sqrt(tau.reduce((sum, value) => sum + (value - mean) ** 2, 0) / tau.length);
    expect(Math.abs(mean - TAU)).toBeLessThan(3 * deviation);
    expect(deviation).toBeLessThan(0.3 * TAU);
    // The level of the largest cluster at both ends of the second variable, averaged over the first.
    const levels = each(({ coefficients, logWeights, intercept }) => {
      const k = logWeights.indexOf(logWeights.reduce((most, w) => Math.max(most, w), -Infinity));
      const own = coefficients.subarray(10 * k, 10 * k + 10);
      const base = intercept[0]! + own[0]! + (own[1]! + own[2]! + own[3]! + own[4]!) / 4;
      return [base + own[5]!, base + own[9]!];
    });
    for (const [end, truth] of [6, 4].entries()) {
      const level = levels.reduce((sum, own) => sum + own[end]! / levels.length, 0);
      expect(Math.abs(level - truth)).toBeLessThan(0.2);
    }
  });
});
