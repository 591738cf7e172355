import type { AttackOutcome } from '../../contracts/results/attack.ts';

/** The normal quantile of a two-sided interval of 95 %. */
const Z = 1.959963984540054;

/** A share of attempts as Anonymeter estimates it: the centre of Wilson's interval, and half of its width, Z standard errors. */
export interface SuccessRate {
  readonly rate: number;
  readonly error: number;
}

/**
 * The share of attempts that succeed, with the 95 % interval of Wilson (1927), whose centre is the estimate as in
 * Anonymeter (Giomi et al. 2023, section 3.2). Successes of a control may be no whole number; attempts are at least 1.
 */
export function successRate(attempts: number, successes: number): SuccessRate {
  const denominator = attempts + Z * Z;
  const variance = (successes * (attempts - successes)) / attempts;
  return { rate: (successes + (Z * Z) / 2) / denominator, error: (Z / denominator) * Math.sqrt(variance + (Z * Z) / 4) };
}

/** Standard error of a share: half of the width of Wilson's interval by Z, which is not 0 where none or all succeed. */
export const wilsonError = (attempts: number, successes: number): number => successRate(attempts, successes).error / Z;

/** What an attack does beyond one on a control: (attack - control) / (1 - control), with both errors (Giomi et al. 2023, eq. 4). */
function residualRate(attack: SuccessRate, control: SuccessRate): SuccessRate {
  const left = 1 - control.rate;
  const byAttack = attack.error / left;
  const byControl = (control.error * (attack.rate - 1)) / (left * left);
  return { rate: (attack.rate - control.rate) / left, error: Math.sqrt(byAttack * byAttack + byControl * byControl) };
}

/** Ends of an interval that are as near to 0 or 1 as rounding alone: of no success, and of nothing else. */
const ROUNDING = 1e-12;

const bound = (value: number) => (value < ROUNDING ? 0 : value > 1 - ROUNDING ? 1 : value);

/** A rate with its interval, all within 0 and 1. */
export function boundedRate({ rate, error }: SuccessRate): { rate: number; low: number; high: number } {
  return { rate: bound(rate), low: bound(rate - error), high: bound(rate + error) };
}

/** How often something was tried, and how often it succeeded. */
export interface Tries {
  readonly attempts: number;
  readonly successes: number;
}

/** The figures of an attack, as Anonymeter has them: rates by Wilson's intervals, and the risk beyond a control's. */
export function attackOutcome(
  named: Pick<AttackOutcome, 'attack' | 'dataset'> & Partial<AttackOutcome>,
  { table, baseline, control }: { readonly table: Tries; readonly baseline: Tries; readonly control: Tries | null },
): AttackOutcome {
  const tableRate = successRate(table.attempts, table.successes);
  const baselineRate = successRate(baseline.attempts, baseline.successes);
  const guessRate = boundedRate(baselineRate);
  const controlRate = control && successRate(control.attempts, Math.min(control.attempts, control.successes));
  const attack = boundedRate(tableRate);
  const riskRate = controlRate === null ? tableRate : residualRate(tableRate, controlRate);
  const { rate: risk, low, high } = boundedRate(riskRate);
  return {
    ...named,
    attempts: table.attempts,
    successes: table.successes,
    rate: attack.rate,
    rateSe: tableRate.error / Z,
    rateLow: attack.low,
    rateHigh: attack.high,
    risk,
    riskSe: riskRate.error / Z,
    low,
    high,
    baseline: guessRate.rate,
    baselineSe: baselineRate.error / Z,
    baselineLow: guessRate.low,
    baselineHigh: guessRate.high,
    baselineAttempts: baseline.attempts,
    baselineSuccesses: baseline.successes,
    control: controlRate === null ? null : boundedRate(controlRate).rate,
    controlSe: controlRate === null ? null : controlRate.error / Z,
    controlAttempts: control?.attempts ?? null,
    controlSuccesses: control?.successes ?? null,
  };
}
