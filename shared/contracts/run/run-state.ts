import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';
import { budgetDollarsSchema, usedSchema } from './usage.ts';

/** Seconds of wall time a step took, all sessions of a resumed run together. */
const secondsSchema = z.strictObject({
  fit: nonNegative,
  synthesize: nonNegative,
  augment: nonNegative,
  assess: nonNegative,
  aggregate: nonNegative,
  report: nonNegative,
  total: nonNegative,
});

/** What a run is for. A `calibrate` run consists of replicates, each of which is a run with a plan of its own. */
export const purposeSchema = z.enum(['evaluate', 'synthesize', 'assess', 'calibrate', 'replicate']);

/** A named error, as it is noted. */
export const errorReportSchema = z.strictObject({ name: z.string(), code: z.string(), message: z.string() });

/** `run.json`: the state of a run and what depends on time and place. */
export const runStateSchema = z.strictObject({
  runId: z.string(),
  version: z.string(),
  status: z.enum(['running', 'interrupted', 'failed', 'finished']),
  purpose: purposeSchema,
  error: errorReportSchema.optional(),
  seconds: secondsSchema,
  /** While functions assess the batches: since when, for their seconds. */
  assessingSince: z.iso.datetime().optional(),
  /** While several tasks share the chains of a round: since when, for their seconds, which count as those of `fit`. */
  chainsSince: z.iso.datetime().optional(),
  /** In an agency's account: how many tasks share the chains of a round; one unless it says so. */
  fitTasks: z.int().positive().optional(),
  peakMemoryMiB: nonNegative,
  /** In an agency's account: what the run has used and cost, and what it may cost at most (dollars). */
  used: usedSchema.optional(),
  budgetDollars: budgetDollarsSchema.optional(),
});

/**
 * SHA-256 (hexadecimal) of artifacts, by path below the run: in `manifest.json` of the release alone, in
 * `confidential/manifest.json` of everything. A digest of anything else would tell whether a guess at it is right.
 */
export const manifestSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  artifacts: z.record(z.string(), z.strictObject({ sha256: z.string(), bytes: z.int() })),
});

/** The state of a run. */
export type RunState = z.infer<typeof runStateSchema>;
/** The manifest of a run. */
export type Manifest = z.infer<typeof manifestSchema>;
