import { RandomStream } from '../random/random-stream.ts';

/** Resamples of chains behind every standard error and interval (docs/estimators.md, Monte Carlo error). */
export const RESAMPLES = 200;

/** Random splits of the chains in halves behind the file's reproducibility. */
export const HALF_SPLITS = 8;

/** Evaluations of every estimate: the estimate itself, its resamples, then pairs of half-sample estimates. */
export const EVALUATIONS = 1 + RESAMPLES + 2 * HALF_SPLITS;

/** Evaluation that holds half `half` (0 or 1) of split `split`. */
export function halfEvaluation(split: number, half: 0 | 1): number {
  return 1 + RESAMPLES + 2 * split + half;
}

/**
 * How often each chain counts in each evaluation: EVALUATIONS x chains. Row 0 counts every chain once; a
 * resample draws chains with replacement; the two halves of a split count each chain in one of them (in
 * both, when there is only one chain; with an odd number the first half has one chain fewer).
 *
 * The stream depends on the seed and the name alone: every batch of combinations sees the same resamples,
 * so that figures of the whole file can be resampled too.
 */
export function chainCounts(seed: number, name: string, chains: number): Float64Array {
  const random = new RandomStream(seed, `evaluations/${name}`);
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
    for (let i = 0; i < chains; i++) {
      if (i < half || chains === 1) counts[halfEvaluation(split, 0) * chains + order[i]!] = 1;
      if (i >= half) counts[halfEvaluation(split, 1) * chains + order[i]!] = 1;
    }
  }
  return counts;
}
