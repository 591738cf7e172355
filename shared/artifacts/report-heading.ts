import * as z from 'zod';
import { reportSchema } from '../contracts/config/config.ts';
import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema, type ReportHeading } from '../contracts/run/plan.ts';
import type { Store } from '../storage/store.ts';
import { encodeCheckedJson, readJson } from './stored-json.ts';

/** The fields that are read of a plan: an earlier version may have written others. */
const headingSchema = z.object({ startedOn: planSchema.shape.startedOn, config: z.object({ report: reportSchema.optional() }).optional() });

/** What a run's plan says of it beside figures. */
export async function readHeading(store: Store, runId: string): Promise<ReportHeading> {
  const { startedOn, config } = await readJson(store, runKeys(runId).plan, headingSchema);
  return { startedOn, ...config?.report };
}

/** Names that a run's reports are to say, put into its plan: in the place of those that it has, of which others stay. */
export async function writeNames(store: Store, plan: Plan, { table, by }: NonNullable<Plan['config']['report']>): Promise<void> {
  const report = { ...plan.config.report, ...(table !== undefined && { table }), ...(by !== undefined && { by }) };
  await store.put(runKeys(plan.runId).plan, encodeCheckedJson({ ...plan, config: { ...plan.config, report } }));
}
