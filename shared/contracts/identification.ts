import { z } from 'zod';

const names = z.array(z.string().min(1)).min(1);
const distance = z.number().nonnegative();

/**
 * How far from the truth a continuous value may be to match it: a share of the truth, written as a number or as
 * `{relative}`, or a number in the units of the variable, written `abs:500` or as `{absolute}`.
 */
const radiusSchema = z.union([
  distance.transform((relative) => ({ relative })),
  z
    .string()
    .regex(/^abs:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/, 'expected a share such as 0.1, or abs: and a number')
    .transform((text) => ({ absolute: Number(text.slice('abs:'.length)) }))
    .pipe(z.strictObject({ absolute: distance })),
  z.strictObject({ relative: distance }),
  z.strictObject({ absolute: distance }),
]);

/** What an intruder who matches is assumed to know, and what he takes for a match (004 section 2). */
export const identificationScenarioSchema = z
  .strictObject({
    name: z.string().min(1).optional(),
    known: names.describe('Kept variables that the intruder knows of a record'),
    synthesized: names
      .optional()
      .describe('Synthesized variables whose true values he matches with (default: all of the run)'),
    radius: z
      .record(z.string().min(1), radiusSchema)
      .default({})
      .describe('Of each continuous variable: a share of its value, or abs: and a number'),
    shape: z
      .enum(['box', 'ellipse'])
      .default('box')
      .describe('box: each variable within its radius; ellipse: their scaled squares sum to at most 1'),
    sweep: z
      .strictObject({
        radii: z
          .array(distance)
          .min(1)
          .describe('Relative radii, or multiples of the radius where that is absolute'),
        jointly: z.boolean().default(false).describe('Every combination of radii, not one for all variables'),
      })
      .optional()
      .describe('Radii among which the one of the largest risk is sought'),
  })
  .describe('An intruder who matches records of the release with what is known of a person');

/** An intruder who matches, with defaults filled in. */
export type IdentificationScenario = z.output<typeof identificationScenarioSchema>;
