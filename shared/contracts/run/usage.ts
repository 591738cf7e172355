import * as z from 'zod';
import { count, nonNegative } from '../number-schemas.ts';

const STEPS = ['plan-run', 'check-budget', 'fit-model', 'assess-batch', 'aggregate-run', 'report-run', 'record-failure'] as const;
const stepNameSchema = z.enum(STEPS);

/** A step of the workflow that reaches the bucket: a function, or the container `fit-model`. */
export type StepName = z.infer<typeof stepNameSchema>;

/** The steps of the workflow that cost something. */
export const CLOUD_STEPS = ['plan', 'fit', 'assess', 'aggregate', 'report'] as const;

/** A step of the workflow, as estimates count them. */
export type CloudStep = (typeof CLOUD_STEPS)[number];

/** Children of the map: Express ones start faster and end within five minutes, Standard ones keep a history. */
export const childTypeSchema = z.enum(['express', 'standard']);

/** Requests to S3 by the price that they have: reads, and writes, with which S3 counts lists. */
export type RequestCount = { reads: number; writes: number };

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
  /** The most memory that the process has taken so far, in steps of 16 MiB. */
  peakMemoryMiB: nonNegative,
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
  pricesDate: z.string().describe('Day of the list prices.'),
  at: z.iso.datetime().describe('When, UTC.'),
  dollars: nonNegative.describe('At list prices, without storage or deployment.'),
  dollarsByStep: z.record(z.string(), nonNegative.describe('Dollars of a step.')).describe('The same by step.'),
  /** Of each step that has noted something. Runs of versions before 0.16 do not say so. */
  bySteps: z
    .partialRecord(
      z.enum(CLOUD_STEPS),
      z
        .strictObject({
          seconds: nonNegative.describe('Time of its calls or tasks together.'),
          cpuSeconds: nonNegative.describe('Its processor time.'),
          peakMemoryMiB: nonNegative.describe('Most memory of one process.'),
        })
        .describe('What a step took.'),
    )
    .optional()
    .describe('Time and memory of each step.'),
  // Counted by the steps themselves.
  containerVcpuSeconds: nonNegative.describe('vCPU of containers, times seconds.'),
  containerGiBSeconds: nonNegative.describe('Memory of containers, times seconds.'),
  containerCpuSeconds: nonNegative.describe('Processor time of containers.'),
  lambdaCalls: count.describe('Calls of functions.'),
  lambdaGiBSeconds: nonNegative.describe('Memory of functions, times seconds.'),
  lambdaCpuSeconds: nonNegative.describe('Processor time of functions.'),
  s3Reads: count.describe('Requests that read.'),
  s3Writes: count.describe('Requests that write or list.'),
  // By the model, from the number of calls.
  stateTransitions: count.describe('Transitions of the workflow.'),
  expressChildren: count.describe('Express executions of the map.'),
});

/** What a run in AWS has used and cost. */
export type Used = z.infer<typeof usedSchema>;
