import { RandomStream } from '../../shared/random/random-stream.ts';
import { keptPatterns, planResampling, resampleWithinPatterns } from '../../shared/risk/bounds/resample-synthesized.ts';
import { countedRows } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { deviationsOfWays, withLast } from './findings.ts';
import { type SampledReleases, sampleReleases, TRIED_SYNTHESIZERS } from './sample-releases.ts';
import { simulatedTable } from './simulated-table.ts';

/** Resamples under Max, as many as datasets of a release in Hu & Savitsky (2018). */
const RESAMPLES = 20;

/** What is found of the datasets of one synthesizer, as means over them. */
export interface TriedFigures {
  /** Sums of absolute deviations of one-, two- and three-way tables. */
  readonly deviations: readonly number[];
  /** Exact attribute disclosures. */
  readonly disclosures: number;
  /** Occupied classes or clusters, mean over the traced draws; null under Max, which has none. */
  readonly occupied: number | null;
}

/** What is found on one simulated table. */
export interface SimulatedFindings {
  readonly synthesizers: Record<keyof typeof TRIED_SYNTHESIZERS, TriedFigures>;
  readonly maximum: TriedFigures;
}

/**
 * Draws a table and tries each synthesizer on it, with one chain.
 *
 * @param dependence as {@link simulatedTable} takes it
 * @param number of the table, from 1, which has random streams of its own
 */
export function simulatedFindings(dependence: number, seed: number, number: number): SimulatedFindings {
  const table = simulatedTable(dependence, new RandomStream(seed, `ny/simulated/${dependence}/${number}`));
  const figuresOf = (datasets: readonly Uint16Array[]) => ({
    deviations: deviationsOfWays(
      countedRows(table),
      datasets.map((d) => countedRows(withLast(table, d))),
    ).map(mean),
    disclosures: mean(datasets.map((d) => disclosures(table, d))),
  });
  const tried = (synthesizer: (typeof TRIED_SYNTHESIZERS)[keyof typeof TRIED_SYNTHESIZERS]) => {
    const { datasets, occupied }: SampledReleases = sampleReleases(table, synthesizer, seed, number);
    return { ...figuresOf(datasets), occupied: mean(occupied) };
  };
  const last = table.columns.length - 1;
  const patterns = keptPatterns(table, [...table.columns.keys()].slice(0, last), 1);
  const resampling = planResampling(table, [last], patterns);
  const resamples = Array.from({ length: RESAMPLES }, (_, r) =>
    lastCodes(resampleWithinPatterns(resampling, new RandomStream(seed, `ny/simulated/${dependence}/${number}/${r + 1}`))),
  );
  return {
    synthesizers: {
      unmoved: tried(TRIED_SYNTHESIZERS.unmoved),
      prior: tried(TRIED_SYNTHESIZERS.prior),
      dpmpm: tried(TRIED_SYNTHESIZERS.dpmpm),
      areal: tried(TRIED_SYNTHESIZERS.areal),
    },
    maximum: { ...figuresOf(resamples), occupied: null },
  };
}

function lastCodes({ columns }: Table): Uint16Array {
  const column = columns.at(-1);
  if (column?.type !== 'categorical') throw new RangeError('the last variable is not categorical');
  return Uint16Array.from(column.codes);
}

function disclosures(table: Table, dataset: Uint16Array): number {
  const truth = lastCodes(table);
  return dataset.filter((code, record) => code === truth[record]).length;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}
