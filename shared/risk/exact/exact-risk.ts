import type { AttributeRisk } from '../attribute/attribute-risk.ts';
import { VALUE_COLUMNS, type ValueRisk } from '../attribute/value-risk.ts';

const SE_COLUMN = VALUE_COLUMNS.indexOf('probabilitySe');

/**
 * A risk that no simulation has a part in: its privacy loss, and no standard errors. Those of equal evaluations are what
 * rounding left.
 */
export function exactRisk<Risk extends AttributeRisk>(risk: Risk, privacyLoss: Float64Array): Risk {
  const none = () => new Float64Array(risk.rank.length);
  return { ...risk, privacyLoss, privacyLossSe: none(), probabilitySe: none(), bayesFactorSe: none() };
}

/** The same of the values of single variables. */
export function exactValues({ columns, ...sums }: ValueRisk): ValueRisk {
  return { ...sums, columns: columns.map((value, at) => (at % VALUE_COLUMNS.length === SE_COLUMN ? 0 : value)) };
}
