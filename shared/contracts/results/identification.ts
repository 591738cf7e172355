import { z } from 'zod';

const names = z.array(z.string().min(1));
const distance = z.number().nonnegative();
const nonNegative = z.number().nonnegative();
const share = z.number().min(0).max(1);

/** The radii of 004 section 4.1, as shares of the truth: those of a sweep that names none. */
export const DEFAULT_SWEEP_RADII = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3];

/** A radius written `abs:500`, in the units of its variable. */
const ABSOLUTE_TEXT = /^abs:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A radius with its kind: a share of the truth, or a distance in the units of the variable. */
const radiusOfKindSchema = z.union([
  z.strictObject({ relative: distance }),
  z.strictObject({ absolute: distance }),
]);

/**
 * How far from the truth a continuous value may be to match it: a share of the truth, written as a number or as
 * `{relative}`, or a distance in the units of the variable, written `abs:500` or as `{absolute}`.
 */
export const radiusSchema = z.union([
  distance.transform((relative) => ({ relative })),
  z
    .string()
    .regex(ABSOLUTE_TEXT, 'expected a share such as 0.1, or abs: and a distance such as abs:500')
    .transform((text) => ({ absolute: Number(text.slice('abs:'.length)) }))
    .pipe(z.strictObject({ absolute: distance })),
  radiusOfKindSchema,
]);

/** What an intruder who matches is assumed to know of a record, and what counts as a match (004 section 2). */
export const identificationScenarioSchema = z
  .strictObject({
    name: z.string().min(1).optional().describe('Default: what is known, in words'),
    known: names.describe('Kept variables that the intruder knows of a record; may be none'),
    synthesized: names
      .optional()
      .describe('Synthesized variables of which the intruder knows the true values (default: all of them)'),
    radius: z
      .record(z.string().min(1), radiusSchema)
      .default({})
      .describe('Of each continuous variable: a share of its value, or abs: and a distance'),
    shape: z
      .enum(['box', 'ellipse'])
      .default('box')
      .describe(
        'box: each variable within its radius; ellipse: the squares of distance by radius sum to at most 1',
      ),
    sweep: z
      .strictObject({
        radii: z.array(distance).min(1).default(DEFAULT_SWEEP_RADII).describe('Shares of the truth'),
        jointly: z
          .boolean()
          .default(false)
          .describe('Every combination of these radii, not the same one for all variables'),
      })
      .optional()
      .describe(
        'Tries radii for the continuous variables that have none of their own, and reports at the one of most risk',
      ),
  })
  .describe('An intruder who matches records of the release with what is known of a person');

/** Figures of a dataset (001 eq. 15-17); the false match rate is null where no record has a unique match. */
const matchFiguresSchema = z.strictObject({
  /** Sum over records of T/c. */
  expectedMatchRisk: nonNegative,
  /** Share of records that are their own unique match. */
  trueMatchRate: share,
  /** Share of false ones among unique matches. */
  falseMatchRate: share.nullable(),
  falseMatchRateReason: z.string().optional(),
  /** Records that one row of the dataset matches. */
  uniqueMatches: nonNegative,
});

/** Radii by variable, one for each continuous variable that is matched. */
const radiiSchema = z.record(z.string(), radiusOfKindSchema);

const appliesSchema = z.strictObject({
  scenario: z.string(),
  known: names,
  synthesized: names,
  applies: z.literal(true),
  /** Records of the table. */
  records: z.int(),
  shape: z.enum(['box', 'ellipse']),
  /** At which the figures are: those of the most risk, where radii were swept. */
  radii: radiiSchema,
  /** One element a dataset. */
  datasets: z.array(matchFiguresSchema).min(1),
  mean: matchFiguresSchema,
  /** Between datasets, with divisor m - 1; null with a reason where there are fewer than two. */
  standardDeviation: z
    .strictObject({
      expectedMatchRisk: nonNegative,
      trueMatchRate: nonNegative,
      /** Null with a reason where fewer than two datasets have one. */
      falseMatchRate: nonNegative.nullable(),
      falseMatchRateReason: z.string().optional(),
      uniqueMatches: nonNegative,
    })
    .nullable(),
  standardDeviationReason: z.string().optional(),
  minimum: matchFiguresSchema,
  maximum: matchFiguresSchema,
  /** Records by their mean risk over datasets: above `above` (0: and of no risk at all), up to `upTo`. */
  recordRisks: z.array(z.strictObject({ above: share.nullable(), upTo: share, records: z.int() })),
  /** The whole curve of a sweep. */
  sweep: z
    .strictObject({
      variables: names,
      jointly: z.boolean(),
      points: z.array(
        z.strictObject({
          radii: radiiSchema,
          /** One element a dataset. */
          expectedMatchRisk: z.array(nonNegative),
          expectedMatchRiskMean: nonNegative,
        }),
      ),
      /** Index of the point whose mean is largest; the first of equals. */
      maximum: z.int().nonnegative(),
    })
    .optional(),
});

/** Identification risk of a release under one scenario (001 section 4.2); or why it does not apply. */
export const identificationRiskSummarySchema = z.discriminatedUnion('applies', [
  appliesSchema,
  z.strictObject({
    scenario: z.string(),
    known: names,
    synthesized: names,
    applies: z.literal(false),
    reason: z.string(),
  }),
]);

/** Columns of `confidential/identification-risk.csv` in their order, with their types in Parquet. */
export const IDENTIFICATION_RISK_COLUMNS = {
  scenario: 'string',
  record: 'int32',
  dataset: 'int32',
  matches: 'int32',
  own_record_matches: 'int32',
  risk: 'double',
} as const;

/** A scenario with defaults filled in. */
export type IdentificationScenario = z.output<typeof identificationScenarioSchema>;
/** A radius with its kind. */
export type Radius = z.infer<typeof radiusOfKindSchema>;
/** Figures of a dataset. */
export type MatchFigures = z.infer<typeof matchFiguresSchema>;
/** Identification risk of a release under one scenario; or why it does not apply. */
export type IdentificationRiskSummary = z.infer<typeof identificationRiskSummarySchema>;
/** Identification risk of a release to which it applies. */
export type AppliedIdentificationRisk = z.infer<typeof appliesSchema>;
