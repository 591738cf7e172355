import * as z from 'zod';
import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/run/plan.ts';
import type { Store } from '../storage/store.ts';
import { readJson } from './stored-json.ts';

/** The one field that is read of a plan: an earlier version may have written others. */
const startedSchema = z.object({ startedOn: planSchema.shape.startedOn });

/** The day on which a run was planned, or null where its plan does not say. */
export async function readStartDate(store: Store, runId: string): Promise<string | null> {
  return (await readJson(store, runKeys(runId).plan, startedSchema)).startedOn ?? null;
}
