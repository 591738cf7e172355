import { CLOSING_TASK } from '../../shared/contracts/cloud/cloud-environment.ts';
import { closeRound } from '../../shared/pipeline/life/run-round.ts';
import { continueRun, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { writeDigests } from '../../shared/pipeline/life/write-manifest.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { runContainer } from '../runtime/run-container.ts';

// Judges the round of a large run, and unless another follows puts its results together: all but what is signed, for which it has no key.
await runContainer((_environment, reference) => ({
  step: 'aggregate-run',
  ...CLOSING_TASK,
  isShare: false,
  async work(store, interrupt) {
    const { runId } = reference;
    const close = async () => {
      // Whatever an earlier try noted is over.
      await continueRun(store, runId);
      const next = await timePhase(store, runId, 'aggregate', () => closeRound(store, reference));
      if (next !== null) return;
      await timePhase(store, runId, 'report', () => reportRun(store, reference));
      await timePhase(store, runId, 'aggregate', () => writeDigests(store, reference));
    };
    // It has no units to stop between: another try does it again.
    const interrupted = new Promise<never>((_, reject) => interrupt.addEventListener('abort', () => reject(interrupt.reason)));
    await Promise.race([close(), interrupted]);
  },
}));
