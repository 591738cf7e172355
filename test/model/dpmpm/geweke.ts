import { beta, dirichlet } from '../../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createDpmpm } from '../../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { gamma } from '../../../shared/random/distributions.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import type { Support } from '../../../shared/table/support/support.ts';

/** A small model whose joint distribution of parameters and data is simulated in two ways. */
export interface GewekeModel {
  readonly sizes: readonly number[];
  readonly records: number;
  readonly classes: number;
  readonly concentration: { readonly shape: number; readonly rate: number };
  readonly labelMoves: number;
  /** The variable of each column of the data; a column a variable if not said otherwise. */
  readonly columns?: readonly number[];
  /** The possible cells, when some are not. */
  readonly support?: Support;
  /** Whether the value of a record (from 0) in a variable is missing. */
  readonly isMissing?: (record: number, variable: number) => boolean;
}

/** A function of parameters and data whose expectation both simulations estimate. */
export type Functional = (state: ChainState, codes: Uint16Array) => number;

/** Parameters straight from the prior, by stick breaking with beta variates as the model is written down. */
function priorState(model: GewekeModel, random: RandomStream): ChainState {
  const { sizes, classes, concentration } = model;
  const alpha = gamma(random, concentration.shape) / concentration.rate;
  const weights = new Float64Array(classes);
  let rest = 1;
  for (let f = 0; f < classes; f++) {
    const stick = f === classes - 1 ? 1 : beta(random, 1, alpha);
    weights[f] = rest * stick;
    rest *= 1 - stick;
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const probabilities = new Float64Array(total * classes);
  let offset = 0;
  for (const size of sizes) {
    for (let f = 0; f < classes; f++) {
      const own = dirichlet(random, new Array<number>(size).fill(1));
      for (let c = 0; c < size; c++) probabilities[(offset + c) * classes + f] = own[c]!;
    }
    offset += size;
  }
  return { weights, probabilities, concentration: alpha, occupiedClasses: 0 };
}

/** Data of a model whose columns may share variables: every column is drawn from the phi of its variable. */
function drawData(
  { sizes, classes, records, columns = [...sizes.keys()], support, isMissing }: GewekeModel,
  { weights, probabilities }: ChainState,
  random: RandomStream,
): Uint16Array {
  const offsets = categoryOffsets(sizes);
  const own = columns.flatMap((k) => [...probabilities.subarray(offsets[k]! * classes, offsets[k + 1]! * classes)]);
  const widths = columns.map((k) => sizes[k]!);
  const codes = synthesizeRecords({ weights, probabilities: Float64Array.from(own) }, widths, records, random, support);
  return codes.map((code, i) => {
    const column = i % widths.length;
    return isMissing?.((i - column) / widths.length, column) ? widths[column]! : code;
  });
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
 * @param wrong applied to the state after each step, to see that the test would notice
 * @returns for each functional, the difference in standard errors
 */
export function geweke<Name extends string>(
  model: GewekeModel,
  functionals: Record<Name, Functional>,
  seed: number,
  iterations: number,
  wrong: (state: ChainState, random: RandomStream) => ChainState = (state) => state,
): Record<Name, number> {
  const { sizes, records, columns = [...sizes.keys()] } = model;
  const names = Object.keys(functionals) as Name[];
  const independent = names.map(() => new Float64Array(iterations / 2));
  const successive = names.map(() => new Float64Array(iterations));
  const record = (into: Float64Array[], at: number, state: ChainState, codes: Uint16Array) => {
    for (const [i, name] of names.entries()) into[i]![at] = functionals[name](state, codes);
  };

  const prior = new RandomStream(seed, 'marginal-conditional');
  for (let i = 0; i < iterations / 2; i++) {
    const state = priorState(model, prior);
    record(independent, i, state, drawData(model, state, prior));
  }

  const random = new RandomStream(seed, 'successive-conditional');
  let state = priorState(model, random);
  for (let i = 0; i < iterations; i++) {
    const codes = drawData(model, state, random);
    const { combinations } = combinationsFromCodes(codes, records, columns.length);
    state = wrong(createDpmpm(combinations, sizes, model, columns, model.support).step(state, random), random);
    record(successive, i, state, codes);
  }

  return Object.fromEntries(
    names.map((name, i) => {
      const [a, b] = [batchMeans(independent[i]!), batchMeans(successive[i]!)];
      return [name, (b.mean - a.mean) / Math.hypot(a.standardError, b.standardError)];
    }),
  ) as Record<Name, number>;
}
