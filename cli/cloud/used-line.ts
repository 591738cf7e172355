import type { Used } from '../../shared/contracts/run/usage.ts';
import { formatQuantity } from '../../shared/report/words/format-number.ts';
import { formatDollars } from '../print/format-dollars.ts';

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
