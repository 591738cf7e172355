import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../../cli/cloud/run-status.ts';
import { watchRun } from '../../../cli/cloud/watch-run.ts';

describe('watchRun()', () => {
  it('ends on Ctrl-C at once, saying that the run goes on, and how it is stopped', async () => {
    const share = { done: 0, total: 8 };
    const status: RunStatus = {
      ...{ runId: '4f1c0a9b2d3e5f60', status: 'running', phase: 'batches', round: 1, chains: share, batches: share },
      ...{ secondsLeft: null, used: null, dollarsAtMost: null, budgetDollars: null },
    };
    const listeners = process.listenerCount('SIGINT');
    const watched = watchRun(async () => status);
    await new Promise((done) => setTimeout(done, 100));
    process.emit('SIGINT');
    await expect(watched).rejects.toMatchObject({
      exitCode: 130,
      message:
        'The run goes on. `synthrisk cloud status 4f1c0a9b2d3e5f60 --wait` waits for it again, `synthrisk cloud cancel 4f1c0a9b2d3e5f60` stops it.',
    });
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });
});
