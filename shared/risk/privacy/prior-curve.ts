import { type RiskUnderPrior, riskUnderPrior } from './risk-under-prior.ts';

/** Priors of a curve, equally spaced in (0, 1): as many as in Figures 3 and 4 of 003. */
const PRIORS = 1000;

/** The risks under a prior. */
export interface PriorPoint extends RiskUnderPrior {
  readonly prior: number;
}

/** The risks of a record under every prior, from the least to the largest: a curve of Figures 3 and 4 of 003. */
export function priorCurve(logFactor: number): PriorPoint[] {
  return Array.from({ length: PRIORS }, (_, index) => {
    const prior = (index + 1) / (PRIORS + 1);
    return { prior, ...riskUnderPrior(logFactor, prior) };
  });
}
