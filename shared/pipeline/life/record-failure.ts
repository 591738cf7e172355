import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { hasPart, type PartReference } from '../../artifacts/stored-part.ts';
import {
  batchFailureSchema,
  type EndEvent,
  runLockSchema,
  uploadOutcomeSchema,
  type WorkflowInput,
} from '../../contracts/cloud/workflow.ts';
import { type ErrorReport, isNamedError } from '../../contracts/errors.ts';
import { runKeys, uploadKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';
import { noteState, readRunState } from './run-state.ts';

/** Notes why a batch failed: of a map over many, Step Functions tells only that too many items did. */
export async function noteBatchFailure(store: Store, { runId, round, batch }: PartReference, error: ErrorReport): Promise<void> {
  const note = { runId, round, batch, error };
  await store.put(runKeys(runId).tasks.failure(round, batch), encodeJson(note));
}

/** The error of a batch that failed and has not been assessed since, or null. */
export async function findBatchFailure(store: Store, runId: string): Promise<ErrorReport | null> {
  for (const key of await store.list(runKeys(runId).tasks.failures)) {
    const { error, ...part } = await readJson(store, key, batchFailureSchema);
    if (!(await hasPart(store, part))) return error;
  }
  return null;
}

/** An error as Step Functions catches it: its name, and what there is to tell of it. */
export interface CaughtError {
  readonly Error: string;
  readonly Cause?: string | undefined;
}

/** What a function answers when it throws `code: message`, as it does for named errors; null for any other error. */
export function reportedBy({ Error: name, Cause = '' }: CaughtError): ErrorReport | null {
  if (!isNamedError(name)) return null;
  let cause: unknown;
  try {
    cause = JSON.parse(Cause);
  } catch {
    return null;
  }
  const text = (cause as { errorMessage?: unknown } | null)?.errorMessage;
  const parts = typeof text === 'string' ? /^([\w-]+): ([\s\S]+)$/.exec(text) : null;
  return parts && { name, code: parts[1]!, message: parts[2]! };
}

/**
 * Notes in a run's state why its workflow ended, and gives the error back. A named error of a function is noted as
 * it is. Of any other (a timeout, a container that stopped) only the name is: the rest may hold anything. When the
 * step itself has noted a named error, as the container and the batches do, that one counts.
 *
 * @param runId absent when the workflow ended before there was a run
 */
export async function recordFailure(store: Store, runId: string | undefined, caught: CaughtError): Promise<ErrorReport> {
  const state = runId === undefined ? null : await readRunState(store, runId);
  const noted = state?.status === 'failed' ? state.error : undefined;
  // A batch first: what failed after it may have failed for want of its part.
  const ofBatch = runId === undefined ? null : await findBatchFailure(store, runId);
  const error: ErrorReport = ofBatch ??
    reportedBy(caught) ??
    noted ?? {
      name: caught.Error,
      code: 'step-failed',
      message: `A step of the workflow ended with ${caught.Error}. Its execution and the logs tell more.`,
    };
  // The results of a run that has finished are whole, whatever happened to the workflow afterwards.
  if (state !== null && state.status !== 'finished') await noteState(store, state.runId, { status: 'failed', error: error });
  return error;
}

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
  if (status === 'ABORTED') await noteState(store, runId, { status: 'interrupted' });
  else await noteState(store, runId, { status: 'failed', error: OUT_OF_TIME });
  return runId;
}
