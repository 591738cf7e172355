import type { AttackOutcome } from '../../contracts/results/attack.ts';
import { boundedRate, residualRate, successRate } from './success-rate.ts';

/** How often something was tried, and how often it succeeded. */
export interface Tries {
  readonly attempts: number;
  readonly successes: number;
}

/** What was tried against the table, by guessing, and against a control where there is one. */
export interface AttackTries {
  readonly table: Tries;
  readonly baseline: Tries;
  readonly control: Tries | null;
}

/** The figures of an attack, as Anonymeter has them: rates by Wilson's intervals, and the risk beyond a control's. */
export function attackOutcome(
  named: Pick<AttackOutcome, 'attack' | 'dataset'> & Partial<AttackOutcome>,
  { table, baseline, control }: AttackTries,
): AttackOutcome {
  const own = successRate(table.attempts, table.successes);
  const guessed = boundedRate(successRate(baseline.attempts, baseline.successes));
  const held = control && successRate(control.attempts, Math.min(control.attempts, control.successes));
  const attack = boundedRate(own);
  const { rate: risk, low, high } = held === null ? attack : boundedRate(residualRate(own, held));
  return {
    ...named,
    attempts: table.attempts,
    successes: table.successes,
    rate: attack.rate,
    rateLow: attack.low,
    rateHigh: attack.high,
    risk,
    low,
    high,
    baseline: guessed.rate,
    baselineLow: guessed.low,
    baselineHigh: guessed.high,
    baselineAttempts: baseline.attempts,
    baselineSuccesses: baseline.successes,
    control: held === null ? null : boundedRate(held).rate,
    controlAttempts: control?.attempts ?? null,
    controlSuccesses: control?.successes ?? null,
  };
}
