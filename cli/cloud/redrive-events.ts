import { type EndEvent, parseJson, undeliveredSchema } from '../../shared/contracts/cloud/workflow.ts';
import { isHeldBy, readRunState } from '../../shared/pipeline/life/run-state.ts';
import { readTableOutcome } from '../../shared/pipeline/life/tell-upload.ts';
import type { Store } from '../../shared/storage/store.ts';
import type { AwsEnvironment, UndeliveredMessage } from './aws-environment.ts';

/** So long nobody else is given an event that is being redriven (seconds). */
const TAKEN_SECONDS = 120;

/** What an undelivered event is of, and what becomes of it. */
export interface RedrivenEvent {
  readonly kind: 'upload' | 'end' | 'unknown';
  /** Key of the table that was put, or the execution that was ended. */
  readonly of: string | null;
  /** Why EventBridge could not deliver it. */
  readonly why: string;
  /** Of the end of an execution: the run that does not say so. */
  readonly runId: string | null;
  /** `started`: its upload starts the workflow; `known`: nothing is left to do; `left`: it needs somebody. In a dry run what would be. */
  readonly outcome: 'started' | 'known' | 'left';
}

/** The run that is under way by its own word, although its execution was ended; null where there is none. */
async function unnotedRun(store: Store, { execution, input }: EndEvent): Promise<string | null> {
  const became = 'resume' in input ? input : await readTableOutcome(store, input);
  if (became === null || !('runId' in became) || !(await isHeldBy(store, became.runId, execution))) return null;
  return (await readRunState(store, became.runId))?.status === 'running' ? became.runId : null;
}

/** Does with one event what its rule would have done. The event stays where it is. */
async function redriveEvent(
  environment: AwsEnvironment,
  store: Store,
  { message, bucket, dryRun }: { readonly message: UndeliveredMessage; readonly bucket: string; readonly dryRun: boolean },
): Promise<RedrivenEvent> {
  const { why } = message;
  const event = undeliveredSchema.safeParse(parseJson(message.body)).data;
  if (event === undefined) return { kind: 'unknown', of: null, why, runId: null, outcome: 'left' };
  if ('end' in event) {
    const { execution: of, input } = event.end;
    const runId = await unnotedRun(store, event.end);
    const unnoted = runId !== null || ('key' in input && (await readTableOutcome(store, input)) === null);
    return { kind: 'end', of, why, runId, outcome: unnoted ? 'left' : 'known' };
  }
  const { id, input, upload } = event;
  const table = { kind: 'upload', of: upload.key, why, runId: null } as const;
  if (upload.bucket !== bucket) return { ...table, outcome: 'left' };
  if ((await readTableOutcome(store, upload)) !== null) return { ...table, outcome: 'known' };
  // By the name of the event, so that whoever was killed after this starts nothing a second time.
  return { ...table, outcome: dryRun || (await environment.startOnce(`redrive-${id}`, input)) ? 'started' : 'known' };
}

/**
 * Redrives all undelivered events: tables that arrived and started nothing start the workflow. An event is deleted once nothing is
 * left to do about it, and given back where somebody has to.
 *
 * @param dryRun only says what would become of each, and gives all of them back
 * @param discard deletes also what somebody has to do something about
 */
export async function redriveEvents(
  environment: AwsEnvironment,
  store: Store,
  { bucket, discard, dryRun }: { readonly bucket: string; readonly dryRun: boolean; readonly discard: boolean },
): Promise<RedrivenEvent[]> {
  const redriven: RedrivenEvent[] = [];
  const back = new Map<string, UndeliveredMessage>();
  try {
    for (;;) {
      const messages = await environment.takeUndelivered(TAKEN_SECONDS);
      // Those that are to be given back come again where the others take long.
      const fresh = messages.filter(({ id }) => !back.has(id));
      for (const message of messages) back.set(message.id, message);
      if (fresh.length === 0) break;
      for (const message of fresh) {
        const event = await redriveEvent(environment, store, { message, bucket, dryRun });
        redriven.push(event);
        if (dryRun || (event.outcome === 'left' && !discard)) continue;
        await environment.dropUndelivered(message);
        back.delete(message.id);
      }
    }
  } finally {
    for (const message of back.values()) await environment.giveBackUndelivered(message);
  }
  return redriven;
}
