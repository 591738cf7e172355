import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { PatternCounts } from '../../table/pattern-counts.ts';
import type { ArealShape } from './latent.ts';

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
  /** One entry a pattern. */
  readonly weights: Float64Array;
}
