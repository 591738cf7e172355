import type { Used } from '../../shared/contracts/run/usage.ts';
import { formatDollars } from '../print/format-dollars.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** What a run has used and cost, in one line. */
export function usedLine(used: Used): string {
  const parts = [
    ...(used.containerVcpuSeconds > 0
      ? [`${whole(used.containerVcpuSeconds)} vCPU-seconds of containers`]
      : []),
    `${whole(used.lambdaGiBSeconds)} GiB-seconds in ${whole(used.lambdaCalls)} calls`,
    `${whole(used.s3Reads)} reads and ${whole(used.s3Writes)} writes`,
    `${whole(used.stateTransitions)} state transitions`,
  ];
  return `${formatDollars(used.dollars)} at list prices of ${used.pricesDate}, without storage: ${parts.join(', ')}`;
}
