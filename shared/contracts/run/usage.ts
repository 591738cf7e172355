import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';

const count = z.int().nonnegative();

/** The steps of the workflow that reach the bucket: functions, and the container `fit-model`. */
export const stepNameSchema = z.enum([
  'plan-run',
  'check-budget',
  'fit-model',
  'assess-batch',
  'aggregate-run',
  'report-run',
  'record-failure',
]);

/** A step of the workflow that reaches the bucket. */
export type StepName = z.infer<typeof stepNameSchema>;

/** Children of the map: Express ones start faster and end within five minutes, Standard ones keep a history. */
export const childTypeSchema = z.enum(['express', 'standard']);

/** Requests to S3 by the price that they have: reads, and writes, with which S3 counts lists. */
export interface RequestCount {
  reads: number;
  writes: number;
}

/**
 * `tasks/used/<step>/<id>.json`: what one environment of a function, or one container task, has used for a run so far.
 * Whoever writes it counts itself; there is a note for each, written again after each call, so that none is counted twice.
 */
export const usageNoteSchema = z.strictObject({
  step: stepNameSchema,
  /** Memory that is paid for, and vCPU of a container; a function has none of its own. */
  memoryMiB: z.number().positive(),
  vcpus: z.number().positive().optional(),
  /** Of `assess-batch`: what calls it. */
  children: childTypeSchema.optional(),
  calls: count,
  /** Time of all calls together. Of a function's first call, that since its environment began. */
  seconds: nonNegative,
  /** Time of the processor, all threads together, from the beginning of the process: what is missing was waiting. */
  cpuSeconds: nonNegative,
  /** Requests to S3, each try counted. */
  reads: count,
  writes: count,
});

/** What one environment of a function, or one container task, has used for a run so far. */
export type UsageNote = z.infer<typeof usageNoteSchema>;

/** What a run may cost at most, in dollars. */
export const budgetDollarsSchema = z.number().positive();

/** What a run in AWS has used and cost, as far as it has been noted. */
export const usedSchema = z.strictObject({
  pricesDate: z.string(),
  /** When it was added up. */
  at: z.iso.datetime(),
  /** Compute, requests, state transitions and logs, at list prices. Storage is not in it, nor what a deployment costs. */
  dollars: nonNegative,
  dollarsByStep: z.record(z.string(), nonNegative),
  // Counted by the steps themselves.
  containerVcpuSeconds: nonNegative,
  containerGiBSeconds: nonNegative,
  containerCpuSeconds: nonNegative,
  lambdaCalls: count,
  lambdaGiBSeconds: nonNegative,
  lambdaCpuSeconds: nonNegative,
  s3Reads: count,
  s3Writes: count,
  // By the model, from the number of calls.
  stateTransitions: count,
  expressChildren: count,
});

/** What a run in AWS has used and cost. */
export type Used = z.infer<typeof usedSchema>;
