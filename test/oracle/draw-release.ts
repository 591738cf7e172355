import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm, type DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeFromOwnClass, synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';

/**
 * Datasets of as many records as the table, each from one draw of a chain of its own.
 *
 * @param synthesized variables that are drawn from each record's own class: the datasets are of these alone
 */
export function release(
  codes: Uint16Array,
  sizes: readonly number[],
  model: DpmpmSettings,
  datasets: number,
  burnIn: number,
  seed: number,
  synthesized?: readonly number[],
): { datasets: Uint16Array[]; generating: ChainState[] } {
  const records = codes.length / sizes.length;
  const table = combinationsFromCodes(codes, records, sizes.length);
  const bound = createDpmpm(table.combinations, sizes, model);
  const generating = Array.from({ length: datasets }, (_, l) => {
    const random = new RandomStream(seed, `synthesis/${l + 1}`);
    const schedule = { burnIn, draws: 1, thin: 1 };
    return sampleChain(bound, bound.init(random), random, schedule, { name: `synthesis/${l + 1}` }).last;
  });
  return {
    generating,
    datasets: generating.map((state, l) => {
      const random = new RandomStream(seed, `dataset/${l + 1}`);
      if (!synthesized) return synthesizeRecords(state, sizes, records, random);
      const columns = synthesizeFromOwnClass(state, table, { sizes, synthesized }, random);
      const width = columns.length;
      return Uint16Array.from({ length: records * width }, (_, at) => columns[at % width]![Math.floor(at / width)]!);
    }),
  };
}

/** The record in which each combination of a table first appears. */
export function firstRecords(codes: Uint16Array, variables: number): Uint32Array {
  const { combinations, combinationOfRecord } = combinationsFromCodes(codes, codes.length / variables, variables);
  return Uint32Array.from({ length: combinations.count }, (_, c) => combinationOfRecord.indexOf(c));
}
