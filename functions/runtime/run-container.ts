import * as z from 'zod';
import { COMING_BACK, InterruptedError } from '../../shared/contracts/errors.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import { noteState, requireOwnCode } from '../../shared/pipeline/life/run-state.ts';
import type { RoundReference } from '../../shared/pipeline/rounds/stored-round.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { type Environment, parseEnvironment, readEnvironment } from './environment.ts';
import { nameError } from './name-error.ts';
import { SharedRequests } from './shared-requests.ts';
import { UsageMeter } from './usage-meter.ts';

/** What a container task does, and what it is paid by. */
export interface ContainerWork {
  /** The step that its use is counted for. */
  readonly step: StepName;
  readonly vcpus: number;
  readonly memoryGiB: number;
  /** Whether others work on the same run: they go on where this task ends, and so does another try of it. */
  readonly isShare: boolean;
  /** Done every minute while it is at work. */
  readonly everyMinute?: (store: Store) => Promise<void>;
  /** Throws the signal's reason when the task is stopped, which is some time before it is ended. */
  work(store: Store, interrupt: AbortSignal, requests: SharedRequests): Promise<void>;
}

/** What the environment of every task says beside that of a function: the run, and the round of it. */
const roundSchema = z.object({ RUN_ID: z.string().min(1), ROUND: z.coerce.number().int().positive() });

/** A container that is ended without a word has noted its use up to this long before. */
const NOTE_MILLISECONDS = 60_000;

const MIB_A_GIB = 1024;

/**
 * Carries out a container task to its end, with which the process ends. It notes what it uses, and in the run's state why it ended before
 * its end: of a task that is a share of a phase only an error that comes back. Step Functions knows a container's errors by no
 * name, and would try again what ends in the same way, so that such an error ends it well, where it is noted: the step that follows
 * raises it.
 */
export async function runContainer(open: (environment: Environment, reference: RoundReference) => ContainerWork): Promise<void> {
  let isNoted = false;
  try {
    const environment = readEnvironment();
    const { RUN_ID: runId, ROUND: round } = parseEnvironment(roundSchema);
    const { everyMinute, isShare, memoryGiB, step, vcpus, work } = open(environment, { runId, round });
    const requests = new SharedRequests();
    const store = new S3Store(environment.location, (kind) => requests.count(kind));
    const meter = new UsageMeter({ step, vcpus, memoryMiB: memoryGiB * MIB_A_GIB }, requests);
    let notedSeconds = 0;
    const noteUse = async (calls: number) => {
      const seconds = performance.now() / 1000;
      await meter.note(store, runId, { calls, seconds: seconds - notedSeconds });
      notedSeconds = seconds;
    };
    const interrupt = new AbortController();
    process.on('SIGTERM', () => interrupt.abort(new InterruptedError('interrupted', `A task of run ${runId} was interrupted.`)));
    let noting = noteUse(1);
    // A failure is thrown at the end, where it is waited for.
    noting.catch(() => undefined);
    const notes = setInterval(() => {
      noting = noting.then(() => noteUse(0)).then(() => everyMinute?.(store));
      noting.catch(() => undefined);
    }, NOTE_MILLISECONDS);
    try {
      await requireOwnCode(store, runId, environment.code);
      await work(store, interrupt.signal, requests);
    } catch (error) {
      const named = nameError(error);
      if (!isShare || COMING_BACK.includes(named.name)) {
        await noteState(
          store,
          runId,
          named instanceof InterruptedError ? { status: 'interrupted' } : { status: 'failed', error: named.report },
        );
        isNoted = true;
      }
      throw named;
    } finally {
      clearInterval(notes);
      await noting;
      await noteUse(0);
    }
  } catch (error) {
    const named = nameError(error);
    console.error(JSON.stringify({ level: 'error', ...named.report }));
    process.exitCode = isNoted && COMING_BACK.includes(named.name) ? 0 : named.exitCode;
    // What is still under way would go on until it is ended by force.
    if (named instanceof InterruptedError) process.exit();
  }
}
