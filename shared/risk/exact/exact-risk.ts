import type { RiskFigures } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { AttributeRisk } from '../attribute/attribute-risk.ts';
import { weightedMedian, weightedQuantile } from '../attribute/attribute-summary.ts';
import { VALUE_COLUMNS, type ValueRisk } from '../attribute/value-risk.ts';

const SE_COLUMN = VALUE_COLUMNS.indexOf('probabilitySe');

/** A risk without simulation: its privacy loss, and no standard errors, since those of equal evaluations are rounding. */
export function exactRisk<Risk extends AttributeRisk>(risk: Risk, privacyLoss: Float64Array): Risk {
  const none = () => new Float64Array(risk.rank.length);
  return { ...risk, privacyLoss, privacyLossSe: none(), probabilitySe: none(), bayesFactorSe: none() };
}

/** The same of the values of single variables. */
export function exactValues({ columns, ...sums }: ValueRisk): ValueRisk {
  return { ...sums, columns: columns.map((value, at) => (at % VALUE_COLUMNS.length === SE_COLUMN ? 0 : value)) };
}

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
export const exactFigures = ({ privacyLoss, probability, rank }: RiskFigures, counts: ArrayLike<number>): ExactFigures => ({
  privacyLossMedian: weightedMedian(privacyLoss, counts),
  privacyLoss99: weightedQuantile(privacyLoss, counts, 0.99),
  privacyLossMax: privacyLoss.reduce((most, loss) => Math.max(most, loss), 0),
  probabilityVaries: varies(probability),
  rankVaries: varies(rank),
});
