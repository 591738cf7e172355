import { type ErrorReport, isNamedError } from '../../contracts/errors.ts';
import type { Store } from '../../storage/store.ts';
import { findBatchFailure } from './batch-failure.ts';
import { failRun } from './run-phase.ts';
import { readRunState } from './run-state.ts';

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
  if (state !== null && state.status !== 'finished') await failRun(store, state.runId, error);
  return error;
}
