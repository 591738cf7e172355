import * as z from 'zod';
import { nonNegative } from '../number-schemas.ts';

/** Names of variables, none of them empty. */
export const names = z.array(z.string().min(1));

/** The radii of Hornby & Hu (2021), section 4.1, as shares of the truth: those of a sweep that names none. */
export const DEFAULT_SWEEP_RADII = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3];

/** A radius written `abs:500`, in the units of its variable. */
const ABSOLUTE_TEXT = /^abs:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const absoluteSchema = z.strictObject({ absolute: nonNegative.describe('A distance in units of the variable.') });
/** A radius with its kind. */
export const radiusOfKindSchema = z
  .union([z.strictObject({ relative: nonNegative.describe('A share of the true value.') }), absoluteSchema])
  .describe('A share of the true value, or a distance.');

/**
 * How far from the truth a continuous value may be to match it: a share of the truth, written as a number or as
 * `{relative}`, or a distance in the units of the variable, written `abs:500` or as `{absolute}`.
 */
export const radiusSchema = z.union([
  nonNegative.transform((relative) => ({ relative })),
  z
    .string()
    .regex(ABSOLUTE_TEXT, 'expected a share such as 0.1, or abs: and a distance such as abs:500')
    .transform((text) => ({ absolute: Number(text.slice('abs:'.length)) }))
    .pipe(absoluteSchema),
  radiusOfKindSchema,
]);

const shapeSchema = z.enum(['box', 'ellipse']);

/** What an intruder who matches is assumed to know of a record, and what counts as a match (Hornby & Hu 2021, section 2). */
export const identificationScenarioSchema = z
  .strictObject({
    name: z.string().min(1).optional().describe('Default: what is known, in words'),
    known: names.describe('Kept variables that the intruder knows of a record; may be none'),
    synthesized: names.optional().describe('Synthesized variables of which the intruder knows the true values (default: all of them)'),
    radius: z
      .record(z.string().min(1), radiusSchema)
      .default({})
      .describe('Of each continuous variable: a share of its value, or abs: and a distance'),
    shape: shapeSchema
      .default('box')
      .describe('box: each variable within its radius; ellipse: the squares of distance by radius sum to at most 1'),
    sweep: z
      .strictObject({
        radii: z.array(nonNegative).min(1).default(DEFAULT_SWEEP_RADII).describe('Shares of the truth'),
        jointly: z.boolean().default(false).describe('Every combination of these radii, not the same one for all variables'),
      })
      .optional()
      .describe('Tries radii for the continuous variables that have none of their own, and reports at the one of most risk'),
  })
  .describe('An intruder who matches records of the release with what is known of a person');

/** The shape as results state it. */
export const matchingShape = shapeSchema.describe(
  '`box`: each variable within its radius; `ellipse`: squares of distance / radius sum to at most 1.',
);

/** A scenario with defaults filled in. */
export type IdentificationScenario = z.output<typeof identificationScenarioSchema>;
/** A share of the true value, or a distance. */
export type Radius = z.infer<typeof radiusOfKindSchema>;
