import { setTimeout } from 'node:timers/promises';
import type { RunStatus } from './run-status.ts';
import { statusLine } from './status-line.ts';

/** Between two questions: Step Functions allows one DescribeMapRun a second, for the whole account. */
const POLL_MILLISECONDS = 4_000;

/** Where lines cannot be rewritten, as in a log file, one a minute is enough. */
const LOG_MILLISECONDS = 60_000;

/**
 * Shows on standard error how a run is doing until its execution has ended, or it is late; returns how it ended, or is doing then.
 *
 * @param deadline when it is late, as `performance.now()` tells the time
 */
export async function watchRun(read: () => Promise<RunStatus>, deadline = Number.POSITIVE_INFINITY): Promise<RunStatus> {
  const { stderr } = process;
  let shown = -LOG_MILLISECONDS;
  for (;;) {
    const status = await read();
    if (stderr.isTTY) stderr.write(`\r\u001b[K${statusLine(status)}`);
    if (status.status !== 'running' || performance.now() >= deadline) {
      if (stderr.isTTY) stderr.write('\r\u001b[K');
      return status;
    }
    if (!stderr.isTTY && performance.now() - shown >= LOG_MILLISECONDS) {
      shown = performance.now();
      stderr.write(`${statusLine(status)}\n`);
    }
    await setTimeout(POLL_MILLISECONDS);
  }
}
