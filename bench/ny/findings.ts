import { identificationScenarioSchema } from '../../shared/contracts/config/identification-scenario.ts';
import type { BoundedMeasure, FoundBounds } from '../../shared/contracts/results/bounds.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { type Convergence, convergence } from '../../shared/model/chains/convergence.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import {
  type BoundsMeasures,
  measureBounds,
  summarizeBounds,
} from '../../shared/risk/bounds/bound-disclosure.ts';
import { boundedMeasure } from '../../shared/risk/bounds/bounded-measure.ts';
import { BOUNDS } from '../../shared/risk/bounds/measure-disclosure.ts';
import { openBounds, prepareBounds } from '../../shared/risk/bounds/open-bounds.ts';
import { resampleUniformly, resampleWithinPatterns } from '../../shared/risk/bounds/resample-synthesized.ts';
import { type CountedRows, countedRows } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { patternDistances, patternsOf } from '../../shared/utility/pattern-distributions.ts';
import { chooseTables, tableDeviation } from '../../shared/utility/table-deviations.ts';
import { type SampledReleases, TRACES } from './sample-releases.ts';

/** Resamples of each bound, as many as in 001. */
const RESAMPLES = 100;

/** Variables of the tables of counts that are compared. */
export const WAYS = [1, 2, 3] as const;

/** What is found of one synthesizer, beside the bounds of the table. */
export interface Finding {
  readonly inherent: Omit<FoundBounds, 'version' | 'runId'>;
  /** Sums of absolute deviations, one element for each number of ways. */
  readonly deviations: readonly BoundedMeasure[];
  /** Total variation within each pattern, mean over datasets. */
  readonly distances: Float64Array;
  readonly traces: Record<(typeof TRACES)[number], TraceFinding>;
  readonly datasets: readonly Table[];
}

/** How the chains of one synthesizer agree on a traced number. */
export interface TraceFinding extends Convergence {
  readonly mean: number;
  readonly standardDeviation: number;
}

/** What the study finds. */
export interface Findings {
  /** Measures of the resamples of both bounds. */
  readonly measures: Omit<BoundsMeasures, 'release'>;
  /** Total variation within each pattern under the maximum, mean over resamples. */
  readonly distances: Float64Array;
  readonly synthesizers: readonly Finding[];
}

/**
 * Measures the releases of both synthesizers, and what bounds them.
 *
 * @param table its last variable is synthesized
 * @param chains what the chains of each synthesizer gave
 */
export function studyFindings(table: Table, chains: readonly SampledReleases[][], seed: number): Findings {
  const names = table.schema.variables.map(({ name }) => name);
  const known = names.slice(0, -1);
  const releases = chains.map((ofChains) =>
    ofChains.flatMap(({ datasets }) => datasets.map((codes) => withLast(table, codes))),
  );
  const opened = openBounds(table.schema, {
    seed,
    synthesized: names.slice(-1),
    identification: known.map((_, last) =>
      identificationScenarioSchema.parse({ known: known.slice(0, last + 1) }),
    ),
    radius: {},
    resamples: RESAMPLES,
    bands: 1,
  });
  const request = prepareBounds(table, releases.flat(), opened);
  const streams = seededStreams(seed);
  const { release, ...measures } = finish(measureBounds(request, streams));

  const last = known.length;
  const ofTable = countedRows(table);
  const patterns = patternsOf(ofTable, [...known.keys()], last);
  const resamples = Object.fromEntries(
    BOUNDS.map((bound) => [
      bound,
      Array.from({ length: RESAMPLES }, (_, r) => {
        const draw = bound === 'minimum' ? resampleUniformly : resampleWithinPatterns;
        return draw(request.resampling, streams.open(`inherent/${bound}/${r + 1}`));
      }),
    ]),
  ) as Record<(typeof BOUNDS)[number], Table[]>;
  const deviationsOf = (datasets: readonly Table[]) =>
    deviationsOfWays(
      ofTable,
      datasets.map((dataset) => countedRows(dataset)),
    );
  const bounds = { minimum: deviationsOf(resamples.minimum), maximum: deviationsOf(resamples.maximum) };
  const distancesOf = (datasets: readonly Table[]) =>
    meanOf(datasets.map((d) => patternDistances(patterns, countedRows(d))));

  let before = 0;
  const synthesizers = releases.map((datasets, s): Finding => {
    const own = release.slice(before, before + datasets.length);
    before += datasets.length;
    const found = deviationsOf(datasets);
    return {
      inherent: summarizeBounds({ ...request, datasets }, { ...measures, release: own }).found,
      deviations: WAYS.map((_, w) => boundedMeasure(bounds.minimum[w]!, bounds.maximum[w]!, found[w]!)),
      distances: distancesOf(datasets),
      traces: Object.fromEntries(
        TRACES.map((trace) => [trace, traceFinding(chains[s]!.map(({ traces }) => traces[trace]))]),
      ) as Finding['traces'],
      datasets,
    };
  });
  return { measures, distances: distancesOf(resamples.maximum), synthesizers };
}

/** Sums of absolute deviations over the tables of each number of ways that have the last variable: ways x datasets. */
export function deviationsOfWays(table: CountedRows, datasets: readonly CountedRows[]): number[][] {
  const variables = table.columns.length;
  return WAYS.map((way) => {
    const { sets } = chooseTables(variables, new Set([variables - 1]), way);
    return datasets.map((dataset) => sets.reduce((sum, set) => sum + tableDeviation(table, dataset, set), 0));
  });
}

/** The table with other codes for its last variable. */
export function withLast(table: Table, codes: Uint16Array): Table {
  return { ...table, columns: [...table.columns.slice(0, -1), { type: 'categorical', codes }] };
}

function meanOf(vectors: readonly Float64Array[]): Float64Array {
  return vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0) / vectors.length);
}

function traceFinding(chains: readonly Float64Array[]): TraceFinding {
  const values = Float64Array.from(chains.flatMap((chain) => [...chain]));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    ...convergence(values, chains.length, chains[0]!.length),
    mean,
    standardDeviation: Math.sqrt(squares / (values.length - 1)),
  };
}
