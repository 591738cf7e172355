import * as z from 'zod';
import { reportSchema } from '../contracts/config/config.ts';
import { RunConflictError } from '../contracts/errors.ts';
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

/**
 * Refuses names for the report of a run that is there already with others: they would not be heard, since no run differs by them.
 *
 * @param plan of the run as it would be planned now
 * @param message what to do instead
 * @throws RunConflictError `other-names`
 */
export async function refuseOtherNames(store: Store, { runId, config: { report } }: Plan, message: string): Promise<void> {
  if (report === undefined || (await store.head(runKeys(runId).plan)) === null) return;
  const own = await readHeading(store, runId);
  if ((['table', 'by'] as const).some((name) => report[name] !== undefined && report[name] !== own[name])) {
    throw new RunConflictError('other-names', message);
  }
}
