import { beta } from '../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { gamma } from '../../shared/random/distributions.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';

/** A function of parameters and data whose expectation both simulations estimate. */
export type Functional<Data> = (state: ChainState, data: Data) => number;

/** A model whose joint distribution of parameters and data is simulated in two ways. */
export interface JointModel<Data> {
  /** Parameters straight from the prior. */
  readonly prior: (random: RandomStream) => ChainState;
  readonly data: (state: ChainState, random: RandomStream) => Data;
  /** The sampler under test. */
  readonly step: (data: Data, state: ChainState, random: RandomStream) => ChainState;
}

/** alpha and pi from the prior, by stick breaking with beta variates as the model is written down. */
export function priorWeights(random: RandomStream, classes: number, prior: { readonly shape: number; readonly rate: number }) {
  const concentration = gamma(random, prior.shape) / prior.rate;
  const weights = new Float64Array(classes);
  let rest = 1;
  for (let f = 0; f < classes; f++) {
    const stick = f === classes - 1 ? 1 : beta(random, 1, concentration);
    weights[f] = rest * stick;
    rest *= 1 - stick;
  }
  return { concentration, weights };
}

interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

/** Mean and its standard error from the means of 50 batches. */
function batchMeans(values: Float64Array): Estimate {
  const batches = 50;
  const length = Math.floor(values.length / batches);
  const means = Array.from({ length: batches }, (_, b) =>
    values.subarray(b * length, (b + 1) * length).reduce((sum, value) => sum + value / length, 0),
  );
  const mean = means.reduce((sum, value) => sum + value, 0) / batches;
  const squares = means.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (batches - 1) / batches) };
}

/**
 * Geweke's joint distribution test (2004, JASA 99(467)): parameters and data drawn from prior and likelihood
 * ("marginal-conditional") against a chain that draws data given parameters and then lets the sampler under
 * test move the parameters given these data ("successive-conditional"). A sampler that leaves the posterior
 * invariant gives both the same joint distribution.
 *
 * @param iterations of the chain; half as many independent draws
 * @returns for each functional, the difference in standard errors
 */
export function jointTest<Data, Name extends string>(
  model: JointModel<Data>,
  functionals: Record<Name, Functional<Data>>,
  { seed, iterations }: { readonly seed: number; readonly iterations: number },
): Record<Name, number> {
  const names = Object.keys(functionals) as Name[];
  const independent = names.map(() => new Float64Array(iterations / 2));
  const successive = names.map(() => new Float64Array(iterations));
  const record = (into: Float64Array[], at: number, state: ChainState, data: Data) => {
    for (const [i, name] of names.entries()) into[i]![at] = functionals[name](state, data);
  };

  const prior = new RandomStream(seed, 'marginal-conditional');
  for (let i = 0; i < iterations / 2; i++) {
    const state = model.prior(prior);
    record(independent, i, state, model.data(state, prior));
  }

  const random = new RandomStream(seed, 'successive-conditional');
  let state = model.prior(random);
  for (let i = 0; i < iterations; i++) {
    const data = model.data(state, random);
    state = model.step(data, state, random);
    record(successive, i, state, data);
  }

  return Object.fromEntries(
    names.map((name, i) => {
      const [a, b] = [batchMeans(independent[i]!), batchMeans(successive[i]!)];
      return [name, (b.mean - a.mean) / Math.hypot(a.standardError, b.standardError)];
    }),
  ) as Record<Name, number>;
}
