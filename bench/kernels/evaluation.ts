import type { Candidates } from '../../shared/contracts/candidates.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { createEvaluator } from '../../shared/risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../../shared/risk/attribute/expectation.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createReferenceEvaluator } from '../plain/evaluator-reference.ts';
import type { BenchTable } from '../tables/bench-table.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';

/** Candidates, and chains of each side of a dataset: fewer than by default, and as many. */
const CASES: readonly { readonly candidates: Candidates; readonly pairs: number; readonly calls: number }[] = [
  { candidates: 'one-change', pairs: 8, calls: 10 },
  { candidates: 'two-changes', pairs: 24, calls: 1 },
];

/** The terms of five datasets with so many pairs of chains each, and of 32 base chains. */
function someTerms(perCombination: number, pairs: number): ExpectationTerm[] {
  const random = new RandomStream(1, 'bench/evaluation');
  return [
    ...Array.from({ length: 5 }, (_, l) => ({ chains: `stacked/${l}`, count: pairs, coefficient: 1 })),
    ...Array.from({ length: 5 }, (_, l) => ({ chains: `alone/${l}`, count: pairs, coefficient: -1 })),
    { chains: 'base', count: 32, coefficient: 0 },
  ].map(
    ({ chains, count, coefficient }): ExpectationTerm => ({
      coefficient,
      chains,
      means: Array.from({ length: count }, () => Float64Array.from({ length: perCombination }, () => random.uniform())),
      draws: 20 * count,
      pool: 'arithmetic',
    }),
  );
}

/** Evaluating the resamples of one combination, with 5 datasets, against the plain program. */
export function measureEvaluation({ sizes }: BenchTable): Measurement[] {
  return CASES.map(({ candidates, pairs, calls }) => {
    const { perCombination } = candidateSpace(candidates, sizes.map(String), sizes);
    const terms = someTerms(perCombination, pairs);
    const evaluate = (create: typeof createEvaluator) => {
      const evaluator = create({ terms, streams: seededStreams(1), candidates: perCombination, slope: 1 });
      return milliseconds(calls, () => evaluator(0));
    };
    return compared(
      `evaluate one combination, ${perCombination} candidates, ${10 * pairs + 32} chains`,
      evaluate(createEvaluator),
      'plain TypeScript',
      evaluate(createReferenceEvaluator),
    );
  });
}
