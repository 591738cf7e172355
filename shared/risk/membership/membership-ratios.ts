import { exp, log } from '../../numeric/portable-math.ts';
import type { Streams } from '../../random/streams.ts';
import { chainCounts } from '../attribute/chain-evaluations.ts';
import { datasetsOf } from '../attribute/expectation.ts';
import { KEPT_HALF, keptEvaluations } from '../attribute/kept-evaluations.ts';
import type { MembershipTerm } from './membership-terms.ts';

const LOG_2 = log(2);

/**
 * The logarithm of an expectation over chains for one person, from the logarithms of their means, which are overwritten.
 *
 * @returns by how often each chain counts: from `from` on in `counts`
 */
function pooling(pool: MembershipTerm['pool'], values: Float64Array): (counts: ArrayLike<number>, from: number) => number {
  const chains = values.length;
  let largest = 0;
  if (pool !== 'geometric') {
    largest = -Infinity;
    for (let c = 0; c < chains; c++) largest = Math.max(largest, values[c]!);
    for (let c = 0; c < chains; c++) values[c] = exp(values[c]! - largest);
  }
  return (counts, from) => {
    let sum = 0;
    for (let c = 0; c < chains; c++) sum += counts[from + c]! * values[c]!;
    return pool === 'geometric' ? sum / chains : largest + log(sum / chains);
  };
}

/** Evaluations that are kept of each person. */
export const membershipWidth = (terms: readonly MembershipTerm[]): number => keptEvaluations(datasetsOf(terms).length);

/**
 * The likelihood ratio of every person's being in the table against being absent, in bits: log2 P(Z | D_-i, x) / P(Z | D_-i),
 * in each of the evaluations that are kept (`kept-evaluations.ts`). Chains are resampled as those of attribute risk are, of
 * which they are the same.
 *
 * @returns persons x `membershipWidth`
 */
export function membershipRatios(terms: readonly MembershipTerm[], streams: Streams): Float64Array {
  const datasets = datasetsOf(terms);
  const width = membershipWidth(terms);
  const persons = terms[0]!.logMeans[0]!.length;
  const bits = new Float64Array(persons * width);
  for (const term of terms) {
    const { coefficient, pool, logMeans, logHalves, dataset } = term;
    if (coefficient === 0) continue;
    const chains = logMeans.length;
    const counts = chainCounts(streams, term.chains, chains);
    const once = new Uint8Array(chains).fill(1);
    const stretch = chains > 1 ? Math.sqrt(chains / (chains - 1)) : 1;
    const ofPerson = new Float64Array(chains);
    for (let person = 0; person < persons; person++) {
      const at = person * width;
      const add = (evaluation: number, value: number) => {
        bits[at + evaluation]! += (coefficient * value) / LOG_2;
      };
      for (let c = 0; c < chains; c++) ofPerson[c] = logMeans[c]![person]!;
      const pooled = pooling(pool, ofPerson);
      const estimate = pooled(once, 0);
      add(0, estimate);
      for (let b = 1; b < KEPT_HALF; b++) add(b, estimate + stretch * (pooled(counts, b * chains) - estimate));
      for (let c = 0; c < logHalves.length; c++) ofPerson[c] = logHalves[c]![person]!;
      add(KEPT_HALF, logHalves.length > 0 ? pooling(pool, ofPerson)(once, 0) : estimate);
      // Without a dataset its own terms go, and its part of what is of none.
      for (const [l, other] of datasets.entries()) {
        if (dataset === undefined) add(KEPT_HALF + 1 + l, estimate * (1 - 1 / datasets.length));
        else if (dataset !== other) add(KEPT_HALF + 1 + l, estimate);
      }
    }
  }
  return bits;
}
