import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { createEvaluator } from '../../shared/risk/attribute/evaluator.ts';
import { createReferenceEvaluator } from '../../shared/risk/attribute/evaluator-reference.ts';
import type { ExpectationTerm } from '../../shared/risk/attribute/expectation.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import type { BenchTable } from '../tables/bench-table.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';

/** Evaluating the resamples of one combination, with 5 datasets, against the plain program. */
export function measureEvaluation({ sizes }: BenchTable): Measurement[] {
  const { perCombination } = candidateSpace('one-change', sizes.map(String), sizes);
  const random = new RandomStream(1, 'bench/evaluation');
  // The terms of five datasets, with 8 pairs of chains each, and of 32 base chains.
  const terms = [
    ...Array.from({ length: 5 }, (_, l) => ({ chains: `stacked/${l}`, count: 8, coefficient: 1 })),
    ...Array.from({ length: 5 }, (_, l) => ({ chains: `alone/${l}`, count: 8, coefficient: 1 / 5 - 1 })),
    { chains: 'base', count: 32, coefficient: -1 },
  ].map(
    ({ chains, count, coefficient }): ExpectationTerm => ({
      coefficient,
      chains,
      means: Array.from({ length: count }, () =>
        Float64Array.from({ length: perCombination }, () => random.uniform()),
      ),
      draws: 50 * count,
      pool: 'arithmetic',
    }),
  );
  const evaluate = (create: typeof createEvaluator) => {
    const evaluator = create(terms, seededStreams(1), perCombination, 1);
    return milliseconds(10, () => evaluator(0));
  };
  return [
    compared(
      `evaluate one combination, ${perCombination} candidates, 112 chains`,
      evaluate(createEvaluator),
      'plain TypeScript',
      evaluate(createReferenceEvaluator),
    ),
  ];
}
