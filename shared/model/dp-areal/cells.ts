import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { PatternCounts } from '../../table/pattern-counts.ts';

/** Which cluster each cell is in, and how many cells each cluster has. */
export interface CellClusters {
  /** z, one entry a cell. */
  readonly clusterOf: Uint32Array;
  readonly sizes: Float64Array;
}

/** Numbers that decide how much a draw of DP-areal holds. */
export interface ArealShape {
  /** B, the patterns. */
  readonly patterns: number;
  /** G, the categories of the synthesized variable. */
  readonly categories: number;
  /** R, the categories of all known variables together. */
  readonly regressors: number;
  /** K, the clusters at which stick breaking is truncated. */
  readonly clusters: number;
}

/** The parameters of DP-areal but alpha (Hu & Savitsky 2018, eq. 7-12), each a part of one array: what is written to one is in it. */
export interface ArealParameters {
  /** log lambda, patterns x categories. */
  readonly logRates: Float64Array;
  /** Clusters x (1 + R): theta*, then phi*, of each cluster. */
  readonly coefficients: Float64Array;
  /** log rho, one entry a cluster. */
  readonly logWeights: Float64Array;
  /** sigma, the standard deviations of phi*. */
  readonly scales: Float64Array;
  /** Omega, the correlations of phi*: R x R, both triangles. */
  readonly correlations: Float64Array;
  /** mu: one entry. */
  readonly intercept: Float64Array;
  /** tau of log lambda, of theta* and of mu: one entry each, by {@link PRECISION}. */
  readonly precisions: Float64Array;
}

/** Places in {@link ArealParameters.precisions}. */
export const PRECISION = { rates: 0, theta: 1, intercept: 2 } as const;

/** The one place that knows what a draw's latent array holds, in order. */
const LENGTHS: readonly [keyof ArealParameters, (shape: ArealShape) => number][] = [
  ['logRates', ({ patterns, categories }) => patterns * categories],
  ['coefficients', ({ clusters, regressors }) => clusters * (1 + regressors)],
  ['logWeights', ({ clusters }) => clusters],
  ['scales', ({ regressors }) => regressors],
  ['correlations', ({ regressors }) => regressors * regressors],
  ['intercept', () => 1],
  ['precisions', () => 3],
];

/** Length of a draw's latent array. */
export function latentLength(shape: ArealShape): number {
  return LENGTHS.reduce((sum, [, length]) => sum + length(shape), 0);
}

/**
 * The parameters that a latent array holds.
 *
 * @throws RangeError when it has not the length that the shape gives it
 */
export function arealParameters(latent: Float64Array, shape: ArealShape): ArealParameters {
  if (latent.length !== latentLength(shape)) {
    throw new RangeError(`${latent.length} latent numbers are not those of this table and model`);
  }
  let from = 0;
  const parts = LENGTHS.map(([name, length]) => {
    const part = latent.subarray(from, from + length(shape));
    from += part.length;
    return [name, part];
  });
  return Object.fromEntries(parts) as ArealParameters;
}

/** The cells that DP-areal is fitted to: a category of the synthesized variable in a pattern each, pattern by pattern. */
export interface ArealCells extends ArealShape {
  /** Coefficients of a cluster that enter each of its log rates: theta*, and one phi* a known variable. */
  readonly terms: number;
  /** Which they are, in each pattern: patterns x terms; 0 is theta*. */
  readonly columns: Uint32Array;
  /** c: records of the table in each cell. */
  readonly counts: Float64Array;
  /** c + s: those and the records of the synthetic dataset; the same as `counts` without one. */
  readonly allCounts: Float64Array;
  /** Logarithms of those, 0 where there is none. */
  readonly logCounts: Float64Array;
  /** S_b: records of the synthetic dataset in each pattern. */
  readonly syntheticRecords: Float64Array;
}

/** Lays out the cells of a table, and of the synthetic dataset that stands beside it, if any. */
export function arealCells(table: PatternCounts, sizes: readonly number[], clusters: number): ArealCells {
  const { known, patterns, categories, codes } = table;
  const [counts, ...synthetic] = table.counts;
  const offsets = categoryOffsets(known.map((k) => sizes[k]!));
  const terms = 1 + known.length;
  const columns = new Uint32Array(patterns * terms);
  for (let b = 0; b < patterns; b++) {
    for (let k = 0; k < known.length; k++) {
      columns[b * terms + 1 + k] = 1 + offsets[k]! + codes[b * known.length + k]!;
    }
  }
  const allCounts = counts!.slice();
  const syntheticRecords = new Float64Array(patterns);
  for (const own of synthetic) {
    for (let cell = 0; cell < own.length; cell++) {
      allCounts[cell]! += own[cell]!;
      syntheticRecords[Math.floor(cell / categories)]! += own[cell]!;
    }
  }
  return {
    patterns,
    categories,
    regressors: offsets[known.length]!,
    clusters,
    terms,
    columns,
    counts: counts!,
    allCounts,
    syntheticRecords,
    logCounts: allCounts.map((count) => (count === 0 ? 0 : log(count))),
  };
}

/** What is fixed in the sampler beside the data. */
export interface IterationSettings {
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  readonly labelMoves: number;
}

/** What the counts say of log rates: each log rate l has the likelihood exp(count l - weight exp(l)). */
export interface RateLikelihood {
  /** Records of a cell, those of the synthetic dataset too; one entry a cell. */
  readonly counts: Float64Array;
  readonly weights: Float64Array;
}

/** Cells of one pattern that are in one cluster, and so have one mean: a group each. */
export interface CellGroups {
  readonly groups: number;
  readonly groupOf: Uint32Array;
  /** Cluster, pattern and number of cells of each group. */
  readonly clusterOf: Uint32Array;
  readonly patternOf: Uint32Array;
  readonly cells: Float64Array;
  /**
   * Groups whose mean has coefficient c of cluster k: `members` from `starts[k * (1 + R) + c]` up to the next start. With
   * c = 0, that of theta*, these are all groups of the cluster.
   */
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
}

/** The groups of an allocation, pattern by pattern. */
export function groupCells(
  { patterns, categories, clusters, terms, columns, regressors }: ArealCells,
  allocation: CellClusters,
): CellGroups {
  const width = 1 + regressors;
  const groupOf = new Uint32Array(allocation.clusterOf.length);
  const clusterOf = new Uint32Array(groupOf.length);
  const patternOf = new Uint32Array(groupOf.length);
  const cells = new Float64Array(groupOf.length);
  const starts = new Uint32Array(clusters * width + 1);
  // The last group of each cluster, which is of this pattern or of one before it.
  const last = new Int32Array(clusters).fill(-1);
  let groups = 0;
  for (let b = 0; b < patterns; b++) {
    const firstOfPattern = groups;
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const k = allocation.clusterOf[cell]!;
      if (last[k]! < firstOfPattern) {
        last[k] = groups;
        clusterOf[groups] = k;
        patternOf[groups] = b;
        groups++;
        for (let t = b * terms; t < (b + 1) * terms; t++) starts[k * width + columns[t]!]!++;
      }
      const group = last[k]!;
      groupOf[cell] = group;
      cells[group]!++;
    }
  }
  // Ends of the ranges, which become starts as members are put before them.
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const members = new Uint32Array(groups * terms);
  for (let group = groups - 1; group >= 0; group--) {
    const from = clusterOf[group]! * width;
    const b = patternOf[group]!;
    for (let t = b * terms; t < (b + 1) * terms; t++) members[--starts[from + columns[t]!]!] = group;
  }
  return { groups, groupOf, clusterOf, patternOf, cells, starts, members };
}

/** Means of the log rates of each group: mu + theta*_k + the phi*_k of its pattern. */
export function groupMeans(
  { terms, columns, regressors }: ArealCells,
  { coefficients, intercept }: ArealParameters,
  { groups, clusterOf, patternOf }: CellGroups,
): Float64Array {
  const means = new Float64Array(groups);
  for (let group = 0; group < groups; group++) {
    const from = clusterOf[group]! * (1 + regressors);
    const b = patternOf[group]!;
    let mean = intercept[0]!;
    for (let t = b * terms; t < (b + 1) * terms; t++) mean += coefficients[from + columns[t]!]!;
    means[group] = mean;
  }
  return means;
}
