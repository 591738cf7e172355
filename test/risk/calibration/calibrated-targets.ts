import { categoricalFromSums } from '../../../shared/random/distributions.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { posterior } from '../../../shared/risk/attribute/posterior.ts';

/** Targets whose truth is drawn from their very posterior: exactly calibrated, by construction. */
export function calibratedTargets(seed: number, targets: number, candidates: number, spread: number) {
  const random = new RandomStream(seed, 'calibrated');
  const logLikelihoods = Float64Array.from({ length: targets * candidates }, () => -40 + spread * normal(random));
  const truths = Uint32Array.from({ length: targets }, (_, t) => {
    let sum = 0;
    const sums = posterior(logLikelihoods, t * candidates, candidates).map((p) => {
      sum += p;
      return sum;
    });
    return categoricalFromSums(random, sums, 0, candidates);
  });
  return { logLikelihoods, truths, candidates };
}
