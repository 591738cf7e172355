import type { BoundedMeasure } from '../../shared/contracts/results/bounds.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { BOUNDS, boundedMeasure } from '../../shared/risk/bounds/bound-disclosure.ts';
import { keptPatterns, planResampling, resampleUniformly, resampleWithinPatterns } from '../../shared/risk/bounds/resample-synthesized.ts';
import { type CountedRows, countedRows } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { patternDistances, patternsOf } from '../../shared/utility/pattern-distributions.ts';
import { chooseTables, compareTable } from '../../shared/utility/table-deviations.ts';
import type { StudyRuns } from './runs.ts';

/** Resamples of each bound, as many as in Hu & Savitsky (2018). */
const RESAMPLES = 100;

/** Variables of the tables of counts that are compared. */
export const WAYS = [1, 2, 3] as const;

/** What utility is under both bounds, which no command measures: what the releases are read beside. */
export interface UtilityBounds {
  /** Sums of absolute deviations: ways x resamples. */
  readonly deviations: Readonly<Record<(typeof BOUNDS)[number], readonly (readonly number[])[]>>;
  /** Total variation within each pattern under the maximum, mean over resamples; and the patterns' records. */
  readonly distances: Float64Array;
  readonly records: Float64Array;
}

/** What the study finds. */
export interface Findings {
  readonly runs: StudyRuns;
  readonly bounds: UtilityBounds;
}

/**
 * Resamples both bounds of a table.
 *
 * @param table its last variable is synthesized
 */
export function utilityBounds(table: Table, seed: number): UtilityBounds {
  const last = table.columns.length - 1;
  const known = [...table.columns.keys()].slice(0, last);
  const resampling = planResampling(table, [last], keptPatterns(table, known, 1));
  const drawn = (bound: (typeof BOUNDS)[number]) => {
    const draw = bound === 'minimum' ? resampleUniformly : resampleWithinPatterns;
    return Array.from({ length: RESAMPLES }, (_, r) => countedRows(draw(resampling, new RandomStream(seed, `ny/${bound}/${r + 1}`))));
  };
  const [minimum, maximum] = BOUNDS.map(drawn);
  const ofTable = countedRows(table);
  const patterns = patternsOf(ofTable, known, last);
  const distances = maximum!.map((resample) => patternDistances(patterns, resample));
  return {
    deviations: { minimum: deviationsOfWays(ofTable, minimum!), maximum: deviationsOfWays(ofTable, maximum!) },
    distances: distances[0]!.map((_, b) => distances.reduce((sum, of) => sum + of[b]!, 0) / RESAMPLES),
    records: Float64Array.from(patterns.records),
  };
}

/** Deviations of tables of one number of ways: under both bounds, and in the release of a run. */
export function boundedDeviations({ runs, bounds }: Findings, synthesizer: number, way: (typeof WAYS)[number]): BoundedMeasure {
  const { tables, records } = runs[synthesizer]!.utility;
  const found = tables.find((one) => one.way === way);
  if (found === undefined) throw new RangeError(`tables of ${way} variables were not compared`);
  const { minimum, maximum } = bounds.deviations;
  const w = WAYS.indexOf(way);
  // The sum over tables, of which the command gives half the mean by the records, dataset by dataset.
  const sums = found.totalVariationByDataset.map((share) => 2 * share * records * found.tables);
  return boundedMeasure(minimum[w]!, maximum[w]!, sums);
}

/** Sums of absolute deviations over the tables of each number of ways that have the last variable: ways x datasets. */
export function deviationsOfWays(table: CountedRows, datasets: readonly CountedRows[]): number[][] {
  const variables = table.columns.length;
  return WAYS.map((way) => {
    const { sets } = chooseTables(variables, new Set([variables - 1]), way);
    const compared = sets.map((set) => compareTable(table, datasets, set, 'partial').deviations);
    return datasets.map((_, l) => compared.reduce((sum, deviations) => sum + deviations[l]!, 0));
  });
}

/** The table with other codes for its last variable. */
export function withLast(table: Table, codes: Uint16Array): Table {
  return { ...table, columns: [...table.columns.slice(0, -1), { type: 'categorical', codes }] };
}
