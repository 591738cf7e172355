import { EVALUATIONS } from './chain-evaluations.ts';
import type { Evaluations, Evaluator } from './evaluator.ts';
import { type ExpectationTerm, evaluateTerms } from './expectation.ts';
import { informationBits, posterior, rank } from './posterior.ts';

/**
 * The program of kernels/evaluator.ts in plain TypeScript, to read and to test against: see `createEvaluator`.
 *
 * @throws RangeError as `createEvaluator` does
 */
export function createReferenceEvaluator(
  terms: readonly ExpectationTerm[],
  seed: number,
  candidates: number,
  slope: number,
): Evaluator {
  const evaluate = evaluateTerms(terms, seed, candidates);
  const result: Evaluations = {
    estimates: new Float64Array(candidates),
    ranks: new Float64Array(EVALUATIONS),
    probabilities: new Float64Array(EVALUATIONS),
    informationBits: new Float64Array(EVALUATIONS),
  };
  return (combination) => {
    const values = evaluate(combination);
    for (let i = 0; i < values.length; i++) {
      values[i]! *= slope;
      if (!(Math.abs(values[i]!) < Infinity)) {
        throw new RangeError(`combination ${combination} has no finite estimate`);
      }
    }
    result.estimates.set(values.subarray(0, candidates));
    for (let b = 0; b < EVALUATIONS; b++) {
      const from = b * candidates;
      result.ranks[b] = rank(values, from, candidates, 0);
      result.probabilities[b] = posterior(values, from, candidates)[0]!;
      result.informationBits[b] = informationBits(values, from, candidates);
    }
    return result;
  };
}
