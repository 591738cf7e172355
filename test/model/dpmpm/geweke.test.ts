import { describe, expect, it } from 'vitest';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { supportOf } from '../../../shared/table/support/support.ts';
import { naiveLogDensity } from '../random-state.ts';
import { type Functional, type GewekeModel, geweke } from './geweke.ts';

const model: GewekeModel = { sizes: [2, 3], records: 6, classes: 3, concentration: { shape: 2, rate: 2 }, labelMoves: 4 };
const CLASSES = model.classes;
const ITERATIONS = 30_000;

/** pi_f times phi of category 0 of the first variable, and of category 0 of the second, summed over classes. */
const cell = ({ weights, probabilities }: ChainState) => {
  let sum = 0;
  for (let f = 0; f < CLASSES; f++) {
    sum += weights[f]! * probabilities[f]! * probabilities[2 * CLASSES + f]!;
  }
  return sum;
};

const pairsThatAgree: Functional = (_, codes) => {
  let pairs = 0;
  for (let i = 0; i < model.records; i++) {
    for (let j = 0; j < i; j++) {
      if (codes[2 * i] === codes[2 * j] && codes[2 * i + 1] === codes[2 * j + 1]) pairs++;
    }
  }
  return pairs;
};

/** Log-likelihood of the data. */
const logLikelihood: Functional = (state, codes) => {
  let sum = 0;
  for (let i = 0; i < model.records; i++) {
    sum += naiveLogDensity(state, model.sizes, codes.subarray(2 * i, 2 * i + 2));
  }
  return sum;
};

const functionals = {
  alpha: ({ concentration }) => concentration,
  alphaSquared: ({ concentration }) => concentration ** 2,
  firstWeight: ({ weights }) => weights[0]!,
  lastWeight: ({ weights }) => weights[CLASSES - 1]!,
  largestWeight: ({ weights }) => Math.max(...weights),
  squaredWeights: ({ weights }) => weights.reduce((sum, weight) => sum + weight ** 2, 0),
  alphaTimesFirst: ({ concentration, weights }) => concentration * weights[0]!,
  firstClassPhi: ({ probabilities }) => probabilities[2 * CLASSES]!,
  firstClassPhiSquared: ({ probabilities }) => probabilities[2 * CLASSES]! ** 2,
  lastClassPhiSquared: ({ probabilities }) => probabilities[4 * CLASSES - 1]! ** 2,
  phiAcrossClasses: ({ probabilities }) => probabilities[0]! * probabilities[1]!,
  cell,
  cellSquared: (state) => cell(state) ** 2,
  pairsThatAgree,
  // Parameters together with the data they are drawn given: either alone can be right when the pair is not.
  logLikelihood,
  largestWeightTimesPairs: (state, codes) => Math.max(...state.weights) * pairsThatAgree(state, codes),
} satisfies Record<string, Functional>;

describe('the blocked Gibbs sampler passes the joint distribution test of Geweke (2004)', () => {
  it.each([
    ['with label moves', 4],
    ['without label moves', 0],
  ])('%s', (_, labelMoves) => {
    const z = geweke({ ...model, labelMoves }, functionals, 31, ITERATIONS);
    for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
  });

  it('with columns that share the phi of a variable, as records and what was synthesized from their classes', () => {
    // Values of the first variable stand in columns 0 and 2, those of the second in 1 and 3.
    const agree: Functional = (_, codes) => {
      let records = 0;
      for (let i = 0; i < model.records; i++) if (codes[4 * i + 1] === codes[4 * i + 3]) records++;
      return records;
    };
    const own = {
      alpha: functionals.alpha,
      firstWeight: functionals.firstWeight,
      squaredWeights: functionals.squaredWeights,
      lastWeight: functionals.lastWeight,
      firstClassPhiSquared: functionals.firstClassPhiSquared,
      phiAcrossClasses: functionals.phiAcrossClasses,
      cellSquared: functionals.cellSquared,
      agree,
      largestWeightTimesAgree: (state: ChainState, codes: Uint16Array) => Math.max(...state.weights) * agree(state, codes),
      firstClassTimesZeros: ({ weights, probabilities }: ChainState, codes: Uint16Array) =>
        weights[0]! * probabilities[2 * CLASSES]! * codes.filter((code) => code === 0).length,
    };
    const z = geweke({ ...model, columns: [0, 1, 0, 1] }, own, 36, ITERATIONS);
    for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
  });

  describe('where values are missing or impossible', () => {
    // Category 1 of the first variable goes with category 0 of the second alone.
    const support = supportOf({ rules: 2, codes: Uint16Array.of(1, 1, 1, 2) }, model.sizes);
    // Category 1 of the first does not go with category 2 of the second, which leaves sets of two, or two boxes.
    const wider = supportOf({ rules: 1, codes: Uint16Array.of(1, 2) }, model.sizes);
    // Of six records, two lack the first variable, two the second, one of these both.
    const isMissing = (record: number, variable: number) => (record < 2 && variable === 0) || (record > 0 && record < 3 && variable === 1);
    const own = {
      alpha: functionals.alpha,
      firstWeight: functionals.firstWeight,
      squaredWeights: functionals.squaredWeights,
      lastWeight: functionals.lastWeight,
      firstClassPhi: functionals.firstClassPhi,
      firstClassPhiSquared: functionals.firstClassPhiSquared,
      lastClassPhiSquared: functionals.lastClassPhiSquared,
      phiAcrossClasses: functionals.phiAcrossClasses,
      cell,
      cellSquared: functionals.cellSquared,
      pairsThatAgree,
      cellTimesPairs: (state: ChainState, codes: Uint16Array) => cell(state) * pairsThatAgree(state, codes),
      firstTimesOnes: ({ weights, probabilities }: ChainState, codes: Uint16Array) =>
        weights[0]! * probabilities[CLASSES]! * codes.filter((code, i) => i % 2 === 0 && code === 1).length,
    };

    it.each([
      ['missing', undefined, isMissing],
      ['impossible', support, undefined],
      ['missing and impossible', support, isMissing],
      ['missing within sets', wider, isMissing],
    ])('%s', (_, possible, absent) => {
      const truncated = { ...model, ...(possible ? { support: possible } : {}), ...(absent ? { isMissing: absent } : {}) };
      const z = geweke(truncated, own, 37, ITERATIONS / 2);
      for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
    });
  });

  it('with one record and with two classes, where few moves are possible', () => {
    const cases = [
      { ...model, records: 1 },
      { ...model, classes: 2 },
    ];
    for (const small of cases) {
      const own = {
        alpha: functionals.alpha,
        firstWeight: functionals.firstWeight,
        squaredWeights: functionals.squaredWeights,
        lastWeight: ({ weights }: ChainState) => weights.at(-1)!,
      };
      const z = geweke(small, own, 32, ITERATIONS / 2);
      for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
    }
  });
});

describe('the joint distribution test finds', () => {
  const { rate } = model.concentration;

  it('a wrong rate of alpha', () => {
    // alpha ~ Gamma(., rate - log pi_F) becomes Gamma(., rate + 0.3 - log pi_F).
    const z = geweke(model, functionals, 33, ITERATIONS, (state) => {
      // A weight that underflowed has a logarithm all the same.
      const spread = -Math.log(Math.max(state.weights[CLASSES - 1]!, Number.MIN_VALUE));
      return { ...state, concentration: (state.concentration * (rate + spread)) / (rate + 0.3 + spread) };
    });
    expect(Math.abs(z.alpha)).toBeGreaterThan(6);
  });

  it('labels that switch without the acceptance of Papaspiliopoulos and Roberts', () => {
    const swapped = (values: Float64Array) => values.map((_, i) => values[i % CLASSES < 2 ? i + 1 - 2 * (i % CLASSES) : i]!);
    const z = geweke(model, functionals, 34, ITERATIONS, (state, random) =>
      random.uniform() < 0.1 ? { ...state, weights: swapped(state.weights), probabilities: swapped(state.probabilities) } : state,
    );
    expect(Math.abs(z.firstWeight)).toBeGreaterThan(6);
  });

  it('a phi drawn with a prior that is not uniform', () => {
    // The second variable's probabilities shrink a little towards equal ones, in every class.
    const z = geweke(model, functionals, 35, ITERATIONS, (state) => ({
      ...state,
      probabilities: state.probabilities.map((p, i) => (i < 2 * CLASSES ? p : 0.85 * p + 0.05)),
    }));
    expect(z.firstClassPhiSquared).toBeLessThan(-6);
  });
});
