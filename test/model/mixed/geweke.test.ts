import { describe, expect, it } from 'vitest';
import { dirichlet } from '../../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { normalParameters } from '../../../shared/model/mixed/mixed-draws.ts';
import { MISSING, type MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { gamma } from '../../../shared/random/distributions.ts';
import { normalWithin } from '../../../shared/random/normal-within.ts';
import type { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { type Functional, jointTest, priorWeights } from '../joint-test.ts';

const CLASSES = 3;
const ROWS = 6;
const SMALLEST = 0.08;
const PRIOR = { kappa: 0.5, shape: 3, rate: 0.05 };
const SETTINGS = { classes: CLASSES, concentration: { shape: 2, rate: 2 }, labelMoves: 4, normal: PRIOR };
const ITERATIONS = 24_000;
/** A categorical variable, the indicator of the first continuous one, and a second one without masses. */
const SIZES = [2, 2];

function priorState(random: RandomStream): ChainState {
  const phi = SIZES.flatMap((size) => {
    const own = Array.from({ length: CLASSES }, () => dirichlet(random, new Array<number>(size).fill(1)));
    return Array.from({ length: size * CLASSES }, (_, i) => own[i % CLASSES]![Math.floor(i / CLASSES)]!);
  });
  const latent = new Float64Array(4 * CLASSES);
  const state = {
    ...priorWeights(random, CLASSES, SETTINGS.concentration),
    probabilities: Float64Array.from(phi),
    latent,
    occupiedClasses: 0,
  };
  for (const { means, variances } of normalParameters(state)) {
    for (let f = 0; f < CLASSES; f++) {
      do variances[f] = PRIOR.rate / gamma(random, PRIOR.shape);
      while (variances[f]! < SMALLEST * SMALLEST);
      means[f] = 0.5 + Math.sqrt(variances[f]! / PRIOR.kappa) * normal(random);
    }
  }
  return state;
}

/** Rows drawn from a state, some of a release; the first two lack the categorical variable, and the second its values. */
function drawRows(state: ChainState, random: RandomStream, releasedFrom = ROWS): MixedRows {
  const codes = new Uint16Array(2 * ROWS);
  const values = new Float64Array(2 * ROWS);
  const normals = normalParameters(state);
  for (let row = 0; row < ROWS; row++) {
    let f = 0;
    for (let rest = random.uniform(); f < CLASSES - 1 && rest >= state.weights[f]!; f++) rest -= state.weights[f]!;
    for (const k of [0, 1]) codes[k * ROWS + row] = random.uniform() < state.probabilities[2 * k * CLASSES + f]! ? 0 : 1;
    for (const [j, { means, variances }] of normals.entries()) {
      const deviation = Math.sqrt(variances[f]!);
      values[j * ROWS + row] = row < releasedFrom ? means[f]! + deviation * normal(random) : normalWithin(random, means[f]!, deviation);
    }
    if (codes[ROWS + row] === 1) values[row] = Number.NaN;
    if (row < 2) codes[row] = MISSING;
    if (row === 1) values[ROWS + row] = Number.NaN;
  }
  const continuous = [
    { smallest: SMALLEST, indicator: 1 },
    { smallest: SMALLEST, indicator: null },
  ];
  return { rows: ROWS, sizes: SIZES, codes, continuous, values, released: { row: releasedFrom } };
}

/** Log-likelihood of rows, as the model is written down. */
function logLikelihood(state: ChainState, { codes, values }: MixedRows): number {
  const normals = normalParameters(state);
  let sum = 0;
  for (let row = 0; row < ROWS; row++) {
    let density = 0;
    for (let f = 0; f < CLASSES; f++) {
      let own = state.weights[f]!;
      for (const k of [0, 1]) {
        const code = codes[k * ROWS + row]!;
        if (code !== MISSING) own *= state.probabilities[(2 * k + code) * CLASSES + f]!;
      }
      for (const [j, { means, variances }] of normals.entries()) {
        const value = values[j * ROWS + row]!;
        const variance = variances[f]!;
        if (!Number.isNaN(value)) own *= Math.exp(-((value - means[f]!) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
      }
      density += own;
    }
    sum += Math.log(density);
  }
  return sum;
}

const second = (state: ChainState) => normalParameters(state)[1]!;
const present = (rows: MixedRows) => rows.values.filter((value) => !Number.isNaN(value));
/** Bounded, so that a few far values do not decide. */
const bounded = (value: number) => Math.tanh(2 * (value - 0.5));

const functionals = {
  alpha: ({ concentration }) => concentration,
  firstWeight: ({ weights }) => weights[0]!,
  lastWeight: ({ weights }) => weights[CLASSES - 1]!,
  squaredWeights: ({ weights }) => weights.reduce((sum, weight) => sum + weight * weight, 0),
  firstPhiSquared: ({ probabilities }) => probabilities[0]! ** 2,
  indicatorPhiSquared: ({ probabilities }) => probabilities[2 * CLASSES + 1]! ** 2,
  firstMean: (state) => bounded(normalParameters(state)[0]!.means[0]!),
  firstDeviation: (state) => Math.sqrt(normalParameters(state)[0]!.variances[0]!),
  lastDeviation: (state) => Math.sqrt(second(state).variances[CLASSES - 1]!),
  logVariance: (state) => Math.log(second(state).variances[0]!),
  precision: (state) => 1 / second(state).variances[1]!,
  meansApart: (state) => Math.abs(bounded(second(state).means[0]!) - bounded(second(state).means[1]!)),
  meanOfLargest: (state) => bounded(second(state).means[state.weights.indexOf(Math.max(...state.weights))]!),
  values: (_, rows) => present(rows).reduce((sum, value) => sum + bounded(value), 0),
  valuesTimesMean: (state, rows) => present(rows).reduce((sum, value) => sum + bounded(value), 0) * bounded(second(state).means[0]!),
  spreadTimesDeviation: (state, rows) =>
    Math.abs(bounded(rows.values[8]!) - bounded(rows.values[9]!)) * Math.sqrt(second(state).variances[0]!),
  logLikelihood: (state, rows) => Math.max(-60, logLikelihood(state, rows)),
} satisfies Record<string, Functional<MixedRows>>;

/** By default no row is of a release; the sampler may take others for those that are. */
const run = (settings: typeof SETTINGS, seed: number, iterations: number, { drawn, taken }: { drawn?: number; taken?: number } = {}) =>
  jointTest(
    {
      prior: priorState,
      data: (state, random) => drawRows(state, random, drawn),
      step: (rows, state, random) =>
        createMixed({ ...rows, ...(taken === undefined ? {} : { released: { row: taken } }) }, settings).step(state, random),
    },
    functionals,
    { seed, iterations },
  );

describe('the sampler of mixed tables', () => {
  it('passes the joint distribution test of Geweke (2004)', () => {
    const z = run(SETTINGS, 41, ITERATIONS);
    for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
  });

  it('passes it with rows of a release, whose values are drawn again while they are beyond the range', () => {
    const z = run(SETTINGS, 43, ITERATIONS, { drawn: 2 });
    for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
  });

  it('is found out where it takes these for whole normals', () => {
    expect(Math.abs(run(SETTINGS, 44, ITERATIONS, { drawn: 2, taken: ROWS }).meansApart)).toBeGreaterThan(6);
  });

  it.each([
    ['prior rate of variances', { ...PRIOR, rate: 0.06 }, 'logVariance'],
    ['weight of the prior’s mean', { ...PRIOR, kappa: 1 }, 'meansApart'],
  ] as const)('is found out where it has a wrong %s', (_, wrong, name) => {
    expect(Math.abs(run({ ...SETTINGS, normal: wrong }, 42, ITERATIONS / 2)[name])).toBeGreaterThan(6);
  });
});
