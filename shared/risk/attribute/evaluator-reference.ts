import type { Streams } from '../../random/streams.ts';
import { EVALUATIONS } from './chain-evaluations.ts';
import type { Evaluator } from './evaluator.ts';
import { type ExpectationTerm, evaluateTerms } from './expectation.ts';
import { informationBits, posterior, rank } from './posterior.ts';

/**
 * The program of kernels/evaluator.ts in plain TypeScript, to read and to test against: see `createEvaluator`.
 *
 * @throws RangeError as `createEvaluator` does
 */
export function createReferenceEvaluator(
  terms: readonly ExpectationTerm[],
  streams: Streams,
  candidates: number,
  slope: number,
  considered?: readonly Uint32Array[],
): Evaluator {
  const evaluateAll = evaluateTerms(terms, streams, candidates);
  /** Evaluates a combination as if it were the only one, and had those candidates alone. */
  const evaluateSome = (combination: number, own: Uint32Array) => {
    const some = terms.map((term) => ({
      ...term,
      means: term.means.map((means) => Float64Array.from(own, (x) => means[combination * candidates + x]!)),
    }));
    return evaluateTerms(some, streams, own.length)(0);
  };
  const result = {
    ranks: new Float64Array(EVALUATIONS),
    probabilities: new Float64Array(EVALUATIONS),
    informationBits: new Float64Array(EVALUATIONS),
  };
  return (combination) => {
    const own = considered?.[combination];
    const values = own === undefined ? evaluateAll(combination) : evaluateSome(combination, own);
    const count = own?.length ?? candidates;
    for (let i = 0; i < values.length; i++) {
      values[i]! *= slope;
      if (!(Math.abs(values[i]!) < Infinity)) {
        throw new RangeError(`combination ${combination} has no finite estimate`);
      }
    }
    for (let b = 0; b < EVALUATIONS; b++) {
      const from = b * count;
      result.ranks[b] = rank(values, from, count, 0);
      result.probabilities[b] = posterior(values, from, count)[0]!;
      result.informationBits[b] = informationBits(values, from, count);
    }
    return { ...result, estimates: values.slice(0, count) };
  };
}
