import { z } from 'zod';
import { names, radiusOfKindSchema } from '../config/identification-scenario.ts';
import { nonNegative, share } from '../number-schemas.ts';

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

/** Figures of a dataset. */
export type MatchFigures = z.infer<typeof matchFiguresSchema>;
/** Identification risk of a release under one scenario; or why it does not apply. */
export type IdentificationRiskSummary = z.infer<typeof identificationRiskSummarySchema>;
/** Identification risk of a release to which it applies. */
export type AppliedIdentificationRisk = z.infer<typeof appliesSchema>;
