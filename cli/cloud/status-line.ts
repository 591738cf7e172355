import type { Used } from '../../shared/contracts/run/usage.ts';
import { formatDollars } from '../../shared/cost/format-dollars.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatQuantity } from '../../shared/report/words/format-number.ts';
import type { RunStatus } from './run-status.ts';

/** How a run is doing, in one line: what is done, how long the phase still takes, what it has cost. */
export function statusLine(status: RunStatus): string {
  const { batches, budgetDollars, chains, dollarsAtMost, phase, round, runId, secondsLeft } = status;
  const parts = [`Run ${runId}: ${status.status}`];
  if (status.status !== 'finished') {
    if (round > 1) parts.push(`round ${round}`);
    if (phase === 'closing') parts.push('puts the results together');
    else parts.push(`chains ${chains.done} of ${chains.total}`, `batches ${batches.done} of ${batches.total}`);
    if (secondsLeft !== null) parts.push(`${formatDuration(secondsLeft)} left for the ${phase}`);
  }
  if (dollarsAtMost !== null) {
    const budget = budgetDollars === null ? '' : ` of ${formatDollars(budgetDollars)}`;
    parts.push(`${formatDollars(dollarsAtMost)}${budget} ${phase === null ? 'used' : 'used at most'}`);
  }
  return parts.join(', ');
}

/** What a run has used and cost, in one line. */
export function usedLine(used: Used): string {
  const parts = [
    ...(used.containerVcpuSeconds > 0 ? [`${formatQuantity(used.containerVcpuSeconds, 'vCPU-second')} of containers`] : []),
    `${formatQuantity(used.lambdaGiBSeconds, 'GiB-second')} in ${formatQuantity(used.lambdaCalls, 'call')}`,
    `${formatQuantity(used.s3Reads, 'read')} and ${formatQuantity(used.s3Writes, 'write')}`,
    formatQuantity(used.stateTransitions, 'state transition'),
  ];
  return `${formatDollars(used.dollars)} at list prices of ${used.pricesDate}, without storage: ${parts.join(', ')}`;
}
