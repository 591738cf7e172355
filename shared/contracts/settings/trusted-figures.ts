import { isSimulated } from '../config/config.ts';
import { halfWidth } from '../figure-errors.ts';
import type { AttributeRiskSummary, Summary } from '../results/summary.ts';

/**
 * Two evaluations whose probabilities or ranks correlate less differ in more than a fifth of what tells records apart: their
 * chains have not converged on the risk.
 */
const LEAST_REPRODUCIBILITY = 0.8;

/** Figures of attribute risk that follow from the settings, or tell how far the others can be relied upon. */
const NO_ESTIMATES: ReadonlySet<string> = new Set<keyof AttributeRiskSummary>([
  'records',
  'candidatesPerCombinationMax',
  'slope',
  'randomGuessingShare',
  'epsilon',
  ...([
    'gainBitsExcess',
    'gainBitsExcessSe',
    'gainBitsExcessHalfWidth',
    'ruledOutShare',
    'releaseQuantile',
    'reproducibility',
    'rankReproducibility',
  ] as const),
  'effectiveDrawsMin',
  'paretoKMax',
  'paretoKThreshold',
  'heavyTailShare',
]);

/** Whether a field of attribute risk holds what is estimated of the release. */
export const isEstimate = (field: string) => !NO_ESTIMATES.has(field);

/**
 * Whether the gain at the truth differs from what the estimate claims by more than errors allow: its 95 % interval, which is wide
 * where few datasets tell how releases differ, has no 0. What an exact likelihood
 * claims it is worth: how the records are spread is then at odds with the model's prior alone.
 */
export function claimDiffers({
  estimator,
  gainBitsExcess,
  gainBitsExcessHalfWidth,
}: Pick<AttributeRiskSummary, 'estimator' | 'gainBitsExcess' | 'gainBitsExcessHalfWidth'>): boolean {
  return (
    isSimulated(estimator) &&
    gainBitsExcess !== null &&
    gainBitsExcessHalfWidth !== null &&
    Math.abs(gainBitsExcess) > gainBitsExcessHalfWidth
  );
}

/** Share of true values ruled out from which an estimate misleads: where it is right as many are with a probability of 0.001 at most. */
const MOST_RULED_OUT = 1e-3;

/** Whether an estimate rules out so many true values that chance does not explain it. */
export function rulesTruthsOut({ estimator, ruledOutShare }: Pick<AttributeRiskSummary, 'estimator' | 'ruledOutShare'>): boolean {
  return isSimulated(estimator) && (ruledOutShare ?? 0) >= MOST_RULED_OUT;
}

/**
 * Whether the likelihood ratios of membership are not what they claim to be: the 95 % interval of their power has no 1. Of an intruder
 * who knows less nobody expects 1: people outside the table are like those in it, and not drawn from what he believes beforehand.
 */
export function membershipDiffers({
  knows,
  membership,
  releaseQuantile,
}: Pick<AttributeRiskSummary, 'knows' | 'membership' | 'releaseQuantile'>): boolean {
  if (knows !== undefined || membership === null || membership.power === null) return false;
  const half = halfWidth(membership.powerSimulationSe, membership.powerReleaseSe, releaseQuantile);
  return half !== null && Math.abs(membership.power - 1) > half;
}

/**
 * Why no figure of a scenario can be relied upon; null where they can.
 *
 * @param synthesis of the run: datasets of its own have its model
 */
export function untrustedReason(
  risk: AttributeRiskSummary,
  { warnings = [], synthesis }: Partial<Pick<Summary, 'warnings' | 'synthesis'>>,
): string | null {
  if (warnings.some(({ code }) => code === 'copies-unexplained')) {
    return 'The datasets hold more exact copies of unique records than the model explains: it is not the one that made them.';
  }
  if (rulesTruthsOut(risk)) {
    return 'The estimate makes many true values a million times less probable than they were without the release: it misleads about them.';
  }
  if (claimDiffers(risk)) {
    const ofOwn = warnings.some(({ code }) => code === 'skip-patterns')
      ? 'the model releases combinations that no record has (skip-patterns), which were not declared as impossible'
      : 'chains with a dataset and without it have come to different fits of the table';
    const why = synthesis?.chains === 'foreign' ? 'the model is not the one that made it' : ofOwn;
    return risk.gainBitsExcess! > 0
      ? `The release reveals less than the estimate claims, by more than errors allow: ${why}.`
      : 'The release reveals more than the estimate claims, by more than errors allow: risks may be larger than stated.';
  }
  const reached = [risk.reproducibility, risk.rankReproducibility].filter((one) => one !== null);
  const isUnsettled = isSimulated(risk.estimator) && reached.some((one) => one < LEAST_REPRODUCIBILITY);
  return isUnsettled && warnings.some(({ code }) => code === 'chains-differ')
    ? 'The chains have not converged on this risk: another evaluation could find another. Ask for more chains (mcmc.reproducibility, --reproducibility).'
    : null;
}
