import type { ChainSampler } from '../../shared/model/chains/chain-sampler.ts';
import { createDpAreal } from '../../shared/model/dp-areal/dp-areal.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeFromOwnClass, synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { uniqueCombinations } from '../../shared/table/distinct-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { SYNTHESIZERS } from './setting.ts';

/** How the chains of a model run, and the datasets that each gives. */
export interface ReleaseSchedule {
  readonly burnIn: number;
  /** Iterations from one trace to the next. */
  readonly thin: number;
  /** Traces from one dataset to the next. */
  readonly spacing: number;
  readonly datasets: number;
}

/** What a synthesizer that is tried is; the last variable is synthesized. */
export interface Synthesizer {
  readonly name: string;
  readonly bind: (combinations: Combinations, sizes: readonly number[]) => ChainSampler;
  readonly schedule: ReleaseSchedule;
  /** Whether a record's class is drawn given its values, or from pi whatever they are, as Hu & Savitsky (2018, eq. 2) has it. */
  readonly classes?: 'own' | 'prior';
}

const { model: DPMPM } = SYNTHESIZERS.dpmpm;
const { model: AREAL } = SYNTHESIZERS.areal;
const TRIED_DPMPM = { burnIn: 2000, thin: 5, spacing: 100, datasets: 5 };

/**
 * Those that are tried on simulated tables: the DPMPM as Hu & Savitsky (2018) had it, without moves between labels, with classes drawn
 * either way; and both synthesizers as they are here. One chain each, so that many tables can be tried.
 */
export const TRIED_SYNTHESIZERS = {
  unmoved: { name: 'DPMPM without moves', bind: bindUnmoved, schedule: TRIED_DPMPM },
  prior: { name: 'DPMPM from pi', bind: bindUnmoved, schedule: TRIED_DPMPM, classes: 'prior' },
  dpmpm: { name: SYNTHESIZERS.dpmpm.name, bind: (combinations, sizes) => createDpmpm(combinations, sizes, DPMPM), schedule: TRIED_DPMPM },
  areal: {
    name: SYNTHESIZERS.areal.name,
    bind: (combinations, sizes) => createDpAreal(combinations, sizes, [sizes.length - 1], AREAL),
    schedule: { burnIn: 500, thin: 2, spacing: 50, datasets: 5 },
  },
} as const satisfies Record<string, Synthesizer>;

function bindUnmoved(combinations: Combinations, sizes: readonly number[]): ChainSampler {
  return createDpmpm(combinations, sizes, { ...DPMPM, labelMoves: 0 });
}

/** What one chain gave. */
export interface SampledReleases {
  /** Occupied classes or clusters at each traced draw. */
  readonly occupied: Float64Array;
  /** Codes of the last variable in each dataset, in the order of the records. */
  readonly datasets: Uint16Array[];
}

/**
 * Runs a chain of a synthesizer on a table whose last variable is synthesized. Its datasets are drawn at the end of
 * equal stretches.
 *
 * @param chain number of the chain, from 1, which has random streams of its own
 */
export function sampleReleases(
  table: Table,
  { name, bind, schedule, classes = 'own' }: Synthesizer,
  seed: number,
  chain: number,
): SampledReleases {
  const sizes = table.schema.variables.map((variable) => {
    if (variable.type !== 'categorical') throw new RangeError(`variable ${variable.name} is continuous`);
    return variable.categories.length;
  });
  const last = sizes.length - 1;
  const ofRecords = uniqueCombinations(table);
  const model = bind(ofRecords.combinations, sizes);
  const { burnIn, thin, spacing, datasets } = schedule;
  const random = new RandomStream(seed, `ny/${name}/${chain}`);
  const draws = spacing * datasets;
  const occupied = new Float64Array(draws);
  const released: Uint16Array[] = [];
  let state = model.step(model.init(random), random, burnIn);
  for (let draw = 0; draw < draws; draw++) {
    state = model.step(state, random, thin);
    occupied[draw] = state.occupiedClasses;
    if ((draw + 1) % spacing > 0) continue;
    const stream = new RandomStream(seed, `ny/${name}/${chain}/dataset/${released.length + 1}`);
    released.push(
      classes === 'own'
        ? synthesizeFromOwnClass(state, ofRecords, { sizes, synthesized: [last] }, stream)[0]!
        : lastColumn(synthesizeRecords(state, sizes, table.records, stream), sizes.length),
    );
  }
  return { occupied, datasets: released };
}

function lastColumn(codes: Uint16Array, variables: number): Uint16Array {
  return Uint16Array.from({ length: codes.length / variables }, (_, i) => codes[(i + 1) * variables - 1]!);
}
