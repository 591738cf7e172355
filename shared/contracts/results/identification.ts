import * as z from 'zod';
import { matchingShape, names, radiusOfKindSchema } from '../config/identification-scenario.ts';
import { count, nonNegative, nonNegativeOrNull, share, shareOrNull } from '../number-schemas.ts';

/** Figures of a dataset (Hu & Savitsky 2018, eq. 15-17); the false match rate is null where no record has a unique match. */
const matchFiguresSchema = z.strictObject({
  expectedMatchRisk: nonNegative.describe('Sum over records of T / c: records found by picking one of the matching rows. 0 to n.'),
  trueMatchRate: share.describe('Share of records whose own row is the only match.'),
  falseMatchRate: shareOrNull.describe('Share of false ones among unique matches; null, with its reason, where there are none.'),
  falseMatchRateReason: z.string().optional(),
  uniqueMatches: nonNegative.describe('Records that one row alone matches.'),
});

const radiiSchema = z.record(z.string(), radiusOfKindSchema);

const appliesSchema = z.strictObject({
  scenario: z.string().describe('Name of the scenario.'),
  known: names.describe('Kept variables that the intruder knows of a record.'),
  synthesized: names.describe('Synthesized variables whose true values they know.'),
  applies: z.literal(true).describe('Whether rows belong to records, so that matching applies.'),
  records: z.int().describe('Records of the table.'),
  shape: matchingShape,
  radii: radiiSchema.describe('How near a continuous variable must come, by variable: that of most risk, where radii were swept.'),
  datasets: z.array(matchFiguresSchema).min(1).describe('The figures of each dataset.'),
  mean: matchFiguresSchema.describe('Their means.'),
  standardDeviation: matchFiguresSchema
    .extend({
      trueMatchRate: nonNegative.describe('Share of records whose own row is the only match.'),
      falseMatchRate: nonNegativeOrNull.describe(
        'Of shares of false ones among unique matches; null, with its reason, where fewer than two datasets have one.',
      ),
    })
    .nullable()
    .describe('Between datasets, with the divisor m - 1; null for one.'),
  standardDeviationReason: z.string().optional(),
  minimum: matchFiguresSchema.describe('Their smallest values.'),
  maximum: matchFiguresSchema.describe('Their largest values.'),
  recordRisks: z
    .array(
      z.strictObject({
        above: shareOrNull.describe('Lower end of the class, not in it; null for the records of no risk.'),
        upTo: share.describe('Upper end of the class, in it.'),
        records: z.int().describe('Records of the class.'),
      }),
    )
    .describe('Records by their mean risk over datasets, class by class.'),
  sweep: z
    .strictObject({
      variables: names.describe('Variables whose radii were swept.'),
      jointly: z.boolean().describe('Whether every combination of radii was tried.'),
      points: z
        .array(
          z.strictObject({
            radii: radiiSchema.describe('How near a continuous variable must come, by variable.'),
            expectedMatchRisk: z.array(nonNegative).describe('Of each dataset.'),
            expectedMatchRiskMean: nonNegative.describe('Its mean over datasets.'),
          }),
        )
        .describe('The radii that were tried.'),
      maximum: count.describe('Index of the point of most risk, from 0; the first of equals.'),
    })
    .optional()
    .describe('The whole curve where radii were swept.'),
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
