import { setTimeout } from 'node:timers/promises';
import { InterruptedError } from '../../shared/contracts/errors.ts';
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
 * @throws InterruptedError on Ctrl-C, which the run goes on without noticing
 */
export async function watchRun(read: () => Promise<RunStatus>, deadline = Number.POSITIVE_INFINITY): Promise<RunStatus> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.on('SIGINT', onInterrupt);
  try {
    return await watchUntil(read, deadline, interrupt.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

async function watchUntil(read: () => Promise<RunStatus>, deadline: number, signal: AbortSignal): Promise<RunStatus> {
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
    await setTimeout(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      if (stderr.isTTY) stderr.write('\n');
      const { runId } = status;
      throw new InterruptedError(
        'interrupted',
        `The run goes on. \`synthrisk cloud status ${runId} --wait\` waits for it again, \`synthrisk cloud cancel ${runId}\` stops it.`,
      );
    }
  }
}
