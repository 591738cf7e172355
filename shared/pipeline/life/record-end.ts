import { readJson } from '../../artifacts/stored-json.ts';
import { type EndEvent, runLockSchema, uploadOutcomeSchema, type WorkflowInput } from '../../contracts/cloud/workflow.ts';
import type { ErrorReport } from '../../contracts/errors.ts';
import { runKeys, uploadKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';
import { failRun, interruptRun } from './run-phase.ts';
import { readRunState } from './run-state.ts';

const OUT_OF_TIME: ErrorReport = {
  name: 'States.Timeout',
  code: 'out-of-time',
  message: 'The run took longer than a run may in this environment (runTimeoutHours). It can be resumed.',
};

/** The run that an input started or went on with, or null when the upload came to none. */
async function runOf(store: Store, input: WorkflowInput): Promise<string | null> {
  if ('resume' in input) return input.runId;
  const outcome = uploadKeys(input.key)?.outcome;
  if (outcome === undefined || (await store.head(outcome)) === null) return null;
  const found = await readJson(store, outcome, uploadOutcomeSchema);
  return 'runId' in found ? found.runId : null;
}

/**
 * Notes in a run's state that the execution that carried it out was ended from outside: stopped by a person, or out of
 * time. An execution that does not hold the run, and a run that is not under way any more, change nothing.
 *
 * @returns the run, or null when there is none to note it of
 */
export async function recordEnd(store: Store, { execution, input, status }: EndEvent): Promise<string | null> {
  const runId = await runOf(store, input);
  const { lock } = runKeys(runId ?? '0');
  if (runId === null || (await store.head(lock)) === null) return null;
  const { holder } = await readJson(store, lock, runLockSchema);
  if (holder !== execution || (await readRunState(store, runId))?.status !== 'running') return null;
  if (status === 'ABORTED') await interruptRun(store, runId);
  else await failRun(store, runId, OUT_OF_TIME);
  return runId;
}
