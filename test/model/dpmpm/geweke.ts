import { dirichlet } from '../../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createDpmpm } from '../../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../../shared/model/dpmpm/dpmpm-synthesis.ts';
import type { RandomStream } from '../../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import type { Support } from '../../../shared/table/support/support.ts';
import { type Functional as JointFunctional, jointTest, priorWeights } from '../joint-test.ts';

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

export type Functional = JointFunctional<Uint16Array>;

/** Parameters straight from the prior, by stick breaking with beta variates as the model is written down. */
function priorState(model: GewekeModel, random: RandomStream): ChainState {
  const { sizes, classes, concentration } = model;
  const own = priorWeights(random, classes, concentration);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const probabilities = new Float64Array(total * classes);
  let offset = 0;
  for (const size of sizes) {
    for (let f = 0; f < classes; f++) {
      const phi = dirichlet(random, new Array<number>(size).fill(1));
      for (let c = 0; c < size; c++) probabilities[(offset + c) * classes + f] = phi[c]!;
    }
    offset += size;
  }
  return { ...own, probabilities, occupiedClasses: 0 };
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

/** Samplers at most that are kept: six records of six cells are one of 462 tables. */
const MOST_SAMPLERS = 500;

/** Samplers of data, one for each table that comes up: to open one takes as long as its step, and the order of records is of no matter. */
function samplers(model: GewekeModel, columns: readonly number[]): (codes: Uint16Array) => ReturnType<typeof createDpmpm> {
  const kept = new Map<string, ReturnType<typeof createDpmpm>>();
  return (codes) => {
    const rows = Array.from({ length: model.records }, (_, i) => codes.subarray(i * columns.length, (i + 1) * columns.length).join());
    const table = rows.sort().join();
    const known = kept.get(table);
    if (known) return known;
    const { combinations } = combinationsFromCodes(Uint16Array.from(table.split(','), Number), model.records, columns.length);
    const sampler = createDpmpm(combinations, model.sizes, model, columns, model.support);
    if (kept.size < MOST_SAMPLERS) kept.set(table, sampler);
    return sampler;
  };
}

/**
 * {@link jointTest} of the DPMPM.
 *
 * @param wrong applied to the state after each step, to see that the test would notice
 */
export function geweke<Name extends string>(
  model: GewekeModel,
  functionals: Record<Name, Functional>,
  seed: number,
  iterations: number,
  wrong: (state: ChainState, random: RandomStream) => ChainState = (state) => state,
): Record<Name, number> {
  const samplerOf = samplers(model, model.columns ?? [...model.sizes.keys()]);
  const joint = {
    prior: (random: RandomStream) => priorState(model, random),
    data: (state: ChainState, random: RandomStream) => drawData(model, state, random),
    step: (codes: Uint16Array, state: ChainState, random: RandomStream) => wrong(samplerOf(codes).step(state, random), random),
  };
  return jointTest(joint, functionals, { seed, iterations });
}
