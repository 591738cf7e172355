import type { AttributeRisk } from '../attribute/attribute-risk.ts';
import { weightedMedian, weightedQuantile } from '../attribute/attribute-summary.ts';

/** What is known of a file beside its figures where they are exact: they have no errors. */
export interface ExactFigures {
  /** Median, 99 % quantile and largest privacy loss over records, in nats; Infinity where it has no bound. */
  readonly privacyLossMedian: number;
  readonly privacyLoss99: number;
  readonly privacyLossMax: number;
  /** Whether the probability of the truth varies over rows, and its rank: two evaluations find both again. */
  readonly probabilityVaries: boolean;
  readonly rankVaries: boolean;
}

const varies = (values: Float64Array) => values.some((value) => value !== values[0]);

/**
 * Privacy loss over records, and what varies over rows.
 *
 * @param counts records of every row
 */
export const exactFigures = ({ privacyLoss, probability, rank }: AttributeRisk, counts: ArrayLike<number>): ExactFigures => ({
  privacyLossMedian: weightedMedian(privacyLoss, counts),
  privacyLoss99: weightedQuantile(privacyLoss, counts, 0.99),
  privacyLossMax: privacyLoss.reduce((most, loss) => Math.max(most, loss), 0),
  probabilityVaries: varies(probability),
  rankVaries: varies(rank),
});
