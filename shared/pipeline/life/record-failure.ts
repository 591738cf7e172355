import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { hasPart, type PartReference } from '../../artifacts/stored-part.ts';
import { batchFailureSchema, type EndEvent, type WorkflowInput } from '../../contracts/cloud/workflow.ts';
import { type ErrorReport, isNamedError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';
import { isHeldBy, noteEnd, readRunState } from './run-state.ts';
import { readTableOutcome, tellUpload } from './tell-upload.ts';

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

/** The error that a workflow caught, of a run or of what its execution was started with. */
export interface CaughtFailure {
  readonly runId?: string | undefined;
  readonly input?: WorkflowInput | undefined;
  readonly error: CaughtError;
}

/** The run that an execution carries out, by what it was started with; null where it holds none. */
async function heldRun(store: Store, input: WorkflowInput, execution: string): Promise<string | null> {
  const became = 'resume' in input ? input : await readTableOutcome(store, input);
  if (became === null || !('runId' in became)) return null;
  return (await isHeldBy(store, became.runId, execution)) ? became.runId : null;
}

/** What is said of planning that ended without a word of its own. */
const planningEnded = (name: string): ErrorReport => ({
  name,
  code: 'planning-ended',
  message: `Planning ended with ${name} and said no more, most often out of memory or time. Deploy with more stepMemoryMiB (10,240 at most), or upload a smaller table.`,
});

/**
 * Notes why a workflow ended: in the state of its run, or beside the upload that came to none. A named error of a function is
 * noted as it is. Of any other (a timeout, a container that stopped) only the name is: the rest may hold anything. When the step
 * itself has noted a named error, as the container and the batches do, that one counts. The state of a run that another
 * execution has taken over stays as it is.
 *
 * @returns the error that is noted, and the run, where there is one
 */
export async function recordFailure(
  store: Store,
  execution: string,
  { error: caught, input, runId: known }: CaughtFailure,
): Promise<{ readonly failure: ErrorReport; readonly runId: string | null }> {
  const runId = known ?? (input && (await heldRun(store, input, execution))) ?? null;
  const reported = reportedBy(caught);
  if (runId === null) {
    const failure = reported ?? planningEnded(caught.Error);
    if (input !== undefined && 'key' in input) await tellUpload(store, input, { error: failure });
    return { failure, runId };
  }
  const state = await readRunState(store, runId);
  const noted = state?.status === 'failed' ? state.error : undefined;
  // A batch first: what failed after it may have failed for want of its part.
  const failure: ErrorReport = (await findBatchFailure(store, runId)) ??
    reported ??
    noted ?? {
      name: caught.Error,
      code: 'step-failed',
      message: `A step of the workflow ended with ${caught.Error}. See its execution and the logs.`,
    };
  if (state !== null && (await isHeldBy(store, runId, execution))) {
    await noteEnd(store, runId, { status: 'failed', error: failure }, ['running', 'interrupted', 'failed']);
  }
  return { failure, runId };
}

const OUT_OF_TIME: ErrorReport = {
  name: 'States.Timeout',
  code: 'out-of-time',
  message: 'The run took longer than a run may in this environment (runTimeoutHours). It can be resumed.',
};

/** What is said of an upload whose execution was ended from outside before there was a run. */
const endedUnplanned = (status: EndEvent['status']): ErrorReport => ({
  name: status === 'ABORTED' ? 'InterruptedError' : 'States.Timeout',
  code: 'ended-before-its-run',
  message: `The execution was ${status === 'ABORTED' ? 'stopped' : 'out of time'} before there was a run. Upload the table again.`,
});

/**
 * Notes that the execution that carried a run out was ended from outside: stopped by a person, or out of time. An execution that
 * does not hold the run, and a run that is not under way any more, change nothing. Of an upload that had come to nothing by then,
 * it is noted beside it.
 *
 * @returns the run, or null when there is none to note it of
 */
export async function recordEnd(store: Store, { execution, input, status }: EndEvent): Promise<string | null> {
  if ('key' in input && (await readTableOutcome(store, input)) === null) {
    await tellUpload(store, input, { error: endedUnplanned(status) });
    return null;
  }
  const runId = await heldRun(store, input, execution);
  if (runId === null || (await readRunState(store, runId)) === null) return null;
  const end = status === 'ABORTED' ? ({ status: 'interrupted' } as const) : ({ status: 'failed', error: OUT_OF_TIME } as const);
  return (await noteEnd(store, runId, end, ['running'])) ? runId : null;
}
