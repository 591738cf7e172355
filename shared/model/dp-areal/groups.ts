import type { ArealCells, ArealParameters } from './cells.ts';
import type { CellClusters } from './clusters.ts';

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
