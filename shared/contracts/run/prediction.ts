import * as z from 'zod';
import { nonNegative } from '../number-schemas.ts';
import { CLOUD_STEPS } from './usage.ts';

/**
 * `confidential/plan-predicted.json`: what the first round of a run in AWS was expected to take when it was planned. Confidential,
 * since memory follows from the number of combinations.
 */
export const predictionSchema = z.strictObject({
  /** What the processor times were multiplied by. */
  timeFactors: z.record(z.enum(CLOUD_STEPS), z.number().positive()),
  steps: z.record(
    z.enum(CLOUD_STEPS),
    z.strictObject({
      /** Processor time, without what processes take to start. */
      cpuSeconds: nonNegative,
      /** Time of its calls, or of its tasks, together. */
      seconds: nonNegative,
      /** The most memory that a process of it takes; of a batch, with the draws that are kept. */
      memoryMiB: nonNegative,
      /** At list prices, storage left out. */
      dollars: nonNegative,
    }),
  ),
});

/** What the first round of a run was expected to take. */
export type Prediction = z.infer<typeof predictionSchema>;
