import * as z from 'zod';
import { nonNegative, positiveInteger } from '../number-schemas.ts';
import { runId, version } from '../shared-fields.ts';
import { budgetDollarsSchema, usedSchema } from './usage.ts';

/** Seconds of wall time a step took, all sessions of a resumed run together. */
const secondsSchema = z.strictObject({
  fit: nonNegative.describe('Fitting chains or trees.'),
  synthesize: nonNegative.describe('Drawing the datasets.'),
  augment: nonNegative.describe('Paired chains.'),
  assess: nonNegative.describe('Scoring the candidates.'),
  aggregate: nonNegative.describe('Putting results together.'),
  report: nonNegative.describe('Writing the report.'),
  total: nonNegative.describe('All of it.'),
});

/** What a run is for. A `calibrate` run consists of replicates, each of which is a run with a plan of its own. */
export const purposeSchema = z.enum(['evaluate', 'synthesize', 'assess', 'calibrate', 'replicate']);

/** A named error, as it is noted. */
export const errorReportSchema = z.strictObject({
  name: z.string().describe('Name of the error.'),
  code: z.string().describe('Stable word for programs.'),
  message: z.string().describe('The same for people.'),
});

/** `run.json`: the state of a run and what depends on time and place. */
export const runStateSchema = z.strictObject({
  runId,
  version,
  status: z.enum(['running', 'interrupted', 'failed', 'finished']).describe('`running`, `interrupted`, `failed` or `finished`.'),
  purpose: purposeSchema.describe('`evaluate`, `synthesize`, `assess`, `calibrate` or `replicate`.'),
  error: errorReportSchema.optional().describe('Why it failed.'),
  seconds: secondsSchema.describe('Wall time by phase, all sessions together; 0 for tasks of `batch`.'),
  assessingSince: z.iso.datetime().optional().describe('While functions assess batches: since when.'),
  chainsSince: z.iso.datetime().optional().describe('While tasks share a round’s chains: since when.'),
  fitTasks: positiveInteger.optional().describe('In AWS: tasks that share a round’s chains.'),
  closesInTask: z.literal(true).optional().describe('In AWS: a container task puts results together.'),
  peakMemoryMiB: nonNegative.describe('Memory at most.'),
  used: usedSchema.optional().describe('In AWS: use and cost.'),
  budgetDollars: budgetDollarsSchema.optional().describe('What the run may cost at most.'),
});

/**
 * SHA-256 (hexadecimal) of artifacts, by path below the run: in `manifest.json` of the release alone, in
 * `confidential/manifest.json` of everything. A digest of anything else would tell whether a guess at it is right.
 */
export const manifestSchema = z.strictObject({
  version,
  runId,
  artifacts: z
    .record(
      z.string(),
      z.strictObject({ sha256: z.string().describe('SHA-256, hexadecimal.'), bytes: z.int().describe('Size.') }).describe('One file.'),
    )
    .describe('Files, by path below the run.'),
});

/** The state of a run. */
export type RunState = z.infer<typeof runStateSchema>;
/** The manifest of a run. */
export type Manifest = z.infer<typeof manifestSchema>;
