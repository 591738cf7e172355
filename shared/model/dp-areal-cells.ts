import type { PatternCounts } from '../table/pattern-counts.ts';
import type { ArealShape } from './dp-areal-latent.ts';
import { categoryOffsets } from './sharing-order.ts';

/** The cells that DP-areal is fitted to: a category of the synthesized variable in a pattern each, pattern by pattern. */
export interface ArealCells extends ArealShape {
  /** Coefficients of a cluster that enter each of its log rates: theta*, and one phi* a known variable. */
  readonly terms: number;
  /** Which they are, in each pattern: patterns x terms; 0 is theta*. */
  readonly columns: Uint32Array;
  /** For each coefficient, the patterns in whose log rates it enters; theta* is in all. */
  readonly patternsWith: readonly Uint32Array[];
  /** c: records of the table in each cell. */
  readonly counts: Float64Array;
  /** s: records of the synthetic dataset in each cell; zeros without one. */
  readonly syntheticCounts: Float64Array;
  /** S_b: records of the synthetic dataset in each pattern. */
  readonly syntheticRecords: Float64Array;
}

/** Lays out the cells of a table, and of a synthetic dataset with the same patterns. */
export function arealCells(
  table: PatternCounts,
  sizes: readonly number[],
  clusters: number,
  syntheticCounts: Float64Array = new Float64Array(table.counts.length),
): ArealCells {
  const { known, patterns, categories, codes, counts } = table;
  const offsets = categoryOffsets(known.map((k) => sizes[k]!));
  const terms = 1 + known.length;
  const columns = new Uint32Array(patterns * terms);
  for (let b = 0; b < patterns; b++) {
    for (let k = 0; k < known.length; k++) {
      columns[b * terms + 1 + k] = 1 + offsets[k]! + codes[b * known.length + k]!;
    }
  }
  const regressors = offsets[known.length]!;
  const patternsWith = Array.from({ length: 1 + regressors }, (): number[] => []);
  for (let at = 0; at < columns.length; at++) patternsWith[columns[at]!]!.push(Math.floor(at / terms));
  const syntheticRecords = Float64Array.from({ length: patterns }, (_, b) =>
    syntheticCounts.subarray(b * categories, (b + 1) * categories).reduce((sum, count) => sum + count, 0),
  );
  return {
    ...{ patterns, categories, regressors, clusters, terms, columns },
    patternsWith: patternsWith.map((own) => Uint32Array.from(own)),
    ...{ counts, syntheticCounts, syntheticRecords },
  };
}
