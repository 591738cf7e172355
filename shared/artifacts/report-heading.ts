import * as z from 'zod';
import { reportSchema } from '../contracts/config/config.ts';
import { runKeys } from '../contracts/keys.ts';
import { planSchema, type ReportHeading } from '../contracts/run/plan.ts';
import type { Store } from '../storage/store.ts';
import { readJson } from './stored-json.ts';

/** The fields that are read of a plan: an earlier version may have written others. */
const headingSchema = z.object({ startedOn: planSchema.shape.startedOn, config: z.object({ report: reportSchema.optional() }).optional() });

/** What a run's plan says of it beside figures. */
export async function readHeading(store: Store, runId: string): Promise<ReportHeading> {
  const { startedOn, config } = await readJson(store, runKeys(runId).plan, headingSchema);
  return { startedOn, ...config?.report };
}
