import type { Streams } from '../../random/streams.ts';

/** Resamples of chains behind every standard error and interval (docs/explanation/estimators.md, Monte Carlo error). */
export const RESAMPLES = 200;

/** Random splits of all chains in halves behind the file's reproducibility. */
export const WHOLE_SPLITS = 8;

/** Random splits of the base chains alone, which tell how much of the disagreement is theirs. */
const BASE_SPLITS = 4;

/** Splits of either kind, those of all chains first. */
export const HALF_SPLITS = WHOLE_SPLITS + BASE_SPLITS;

/** Evaluations of every estimate: the estimate itself, its resamples, then pairs of half-sample estimates. */
export const EVALUATIONS = 1 + RESAMPLES + 2 * HALF_SPLITS;

/** Name of the base chains; all others are the paired chains of some dataset. */
export const BASE_CHAINS = 'base';

/** Evaluation that holds half `half` (0 or 1) of split `split`. */
export function halfEvaluation(split: number, half: 0 | 1): number {
  return 1 + RESAMPLES + 2 * split + half;
}

/**
 * How often each chain counts in each evaluation: EVALUATIONS x chains. Row 0 counts every chain once; a
 * resample draws chains with replacement; the two halves of a split count each chain in one of them (in
 * both, when there is only one chain, or when the split is of the base chains and these are others; with an odd
 * number the first half has one chain fewer).
 *
 * The stream depends on the streams and the name alone: every batch of combinations sees the same resamples,
 * so that figures of the whole file can be resampled too.
 */
export function chainCounts(streams: Streams, name: string, chains: number): Float64Array {
  const random = streams.open(`evaluations/${name}`);
  const counts = new Float64Array(EVALUATIONS * chains);
  counts.fill(1, 0, chains);
  for (let b = 1; b <= RESAMPLES; b++) {
    for (let c = 0; c < chains; c++) counts[b * chains + random.below(chains)]!++;
  }
  const order = Uint32Array.from({ length: chains }, (_, c) => c);
  const half = Math.floor(chains / 2);
  for (let split = 0; split < HALF_SPLITS; split++) {
    for (let c = chains - 1; c > 0; c--) {
      const other = random.below(c + 1);
      [order[c], order[other]] = [order[other]!, order[c]!];
    }
    const whole = chains === 1 || (split >= WHOLE_SPLITS && name !== BASE_CHAINS);
    for (let i = 0; i < chains; i++) {
      if (i < half || whole) counts[halfEvaluation(split, 0) * chains + order[i]!] = 1;
      if (i >= half || whole) counts[halfEvaluation(split, 1) * chains + order[i]!] = 1;
    }
  }
  return counts;
}
