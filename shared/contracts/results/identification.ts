import * as z from 'zod';
import { matchingShape, names, radiusOfKindSchema } from '../config/identification-scenario.ts';
import { count, nonNegative, nonNegativeOrNull, share, shareOrNull } from '../number-schemas.ts';

/** Figures of a dataset (Hu & Savitsky 2018, eq. 15-17); the false match rate is null where no record has a unique match. */
const matchFiguresSchema = z.strictObject({
  expectedMatchRisk: nonNegative.describe('Sum over records of T / c: expected finds by picking one matching row.'),
  trueMatchRate: share.describe('Share of records whose own row is the only match.'),
  falseMatchRate: shareOrNull.describe('Share of false ones among unique matches.'),
  falseMatchRateReason: z.string().optional(),
  uniqueMatches: nonNegative.describe('Records that one row alone matches.'),
});

const radiiSchema = z.record(z.string(), radiusOfKindSchema);

const appliesSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  known: names.describe('Kept variables that the intruder knows.'),
  synthesized: names.describe('Synthesized variables whose true values the intruder knows.'),
  applies: z.literal(true).describe('Whether matching applies: rows belong to records.'),
  records: z.int().describe('Records of the table.'),
  shape: matchingShape,
  radii: radiiSchema.describe('How near continuous variables must come; of a sweep, at most risk.'),
  datasets: z.array(matchFiguresSchema).min(1).describe('The figures of each dataset.'),
  mean: matchFiguresSchema.describe('Their means.'),
  standardDeviation: matchFiguresSchema
    .extend({
      trueMatchRate: nonNegative.describe('Share of records whose own row is the only match.'),
      falseMatchRate: nonNegativeOrNull.describe('Of shares of false ones among unique matches.'),
    })
    .nullable()
    .describe('Between datasets, with divisor m - 1.'),
  standardDeviationReason: z.string().optional(),
  minimum: matchFiguresSchema.describe('Their smallest values.'),
  maximum: matchFiguresSchema.describe('Their largest values.'),
  recordRisks: z
    .array(
      z.strictObject({
        above: shareOrNull.describe('Lower end, excluded; null for no risk.'),
        upTo: share.describe('Upper end, included.'),
        records: z.int().describe('Records of the class.'),
      }),
    )
    .describe('Records by mean risk over datasets.'),
  sweep: z
    .strictObject({
      variables: names.describe('Variables whose radii were swept.'),
      jointly: z.boolean().describe('Whether every combination of radii was tried.'),
      points: z
        .array(
          z.strictObject({
            radii: radiiSchema.describe('How near each continuous variable must come.'),
            expectedMatchRisk: z.array(nonNegative).describe('Of each dataset.'),
            expectedMatchRiskMean: nonNegative.describe('Its mean over datasets.'),
          }),
        )
        .describe('The radii that were tried.'),
      maximum: count.describe('Index, from 0, of the point of most risk.'),
    })
    .optional()
    .describe('The curve of swept radii.'),
});

/** Identification risk of a release under one scenario (Hu & Savitsky 2018, section 4.2); or why it does not apply. */
export const identificationRiskSummarySchema = z.discriminatedUnion('applies', [
  appliesSchema,
  z.strictObject({
    scenario: z.string(),
    known: names,
    synthesized: names,
    applies: z.literal(false),
    reason: z.string().describe('Why a field beside it is null.'),
  }),
]);

/** Figures of a dataset. */
export type MatchFigures = z.infer<typeof matchFiguresSchema>;
/** Identification risk of a release under one scenario; or why it does not apply. */
export type IdentificationRiskSummary = z.infer<typeof identificationRiskSummarySchema>;
/** Identification risk of a release to which it applies. */
export type AppliedIdentificationRisk = z.infer<typeof appliesSchema>;
