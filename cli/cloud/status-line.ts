import { formatDuration } from '../progress.ts';
import type { RunStatus } from './run-status.ts';

/** Below a cent the digits that count. */
const formatDollars = (dollars: number) => `$${dollars < 0.01 ? dollars.toPrecision(1) : dollars.toFixed(2)}`;

/** How a run is doing, in one line: what is done, how long the phase still takes, what it has cost. */
export function statusLine(status: RunStatus): string {
  const { batches, chains, dollarsAtMost, phase, round, runId, secondsLeft } = status;
  const parts = [`Run ${runId}: ${status.status}`];
  if (status.status !== 'finished') {
    if (round > 1) parts.push(`round ${round}`);
    if (phase === 'closing') parts.push('puts the results together');
    else
      parts.push(`chains ${chains.done} of ${chains.total}`, `batches ${batches.done} of ${batches.total}`);
    if (secondsLeft !== null) parts.push(`${formatDuration(secondsLeft)} left for the ${phase}`);
  }
  if (dollarsAtMost !== null) parts.push(`${formatDollars(dollarsAtMost)} of compute at most`);
  return parts.join(', ');
}
