import * as z from 'zod';
import { radiusOfKindSchema } from '../config/identification-scenario.ts';
import { epsilonSchema, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { kind, synthesized, version } from '../shared-fields.ts';

const notTold = z.strictObject({ value: z.null(), error: z.null(), reason: z.string().describe('Why a field beside it is null.') });

/** A figure that anybody may know: with noise, a multiple of its error. Null with a reason where it may not be told. */
const publicFigureSchema = z.union([
  z.strictObject({
    value: share.describe('The figure with noise; null if not published.'),
    error: z.number().positive().describe('Standard error of figure and noise, rounded up to 1, 2 or 5 times a power of ten.'),
  }),
  notTold,
]);

/**
 * What the release adds to a figure, from the figures with noise. Null with a reason and a bound where the errors of the
 * two figures are as large as their difference, and without a bound where one of them is not told.
 */
const addedFigureSchema = z.union([
  z.strictObject({
    value: share.describe('Their difference; null where not above two errors.'),
    error: z.number().positive().describe('Sum of their errors, rounded up.'),
    atMost: share.describe('Upper bound: two errors above the difference or 0.'),
  }),
  notTold.extend({ atMost: shareOrNull }),
]);

/** `confidential/public.json`: what of a run may be printed for anybody, by `report --public`. */
export const publicSummarySchema = z.strictObject({
  version,
  table: z
    .strictObject({
      records: positiveInteger.describe('Records of the confidential table.'),
      variables: positiveInteger.describe('Its variables.'),
    })
    .describe('The confidential table, in numbers.'),
  model: z
    .strictObject({
      name: z.string().describe('As in the config.'),
      epsilon: epsilonSchema.optional().describe('Epsilon of all datasets together, nats.'),
    })
    .describe('The synthesizer.'),
  synthesis: z.strictObject({ datasets: positiveInteger.describe('Synthetic datasets.'), kind, synthesized }).describe('The release.'),
  attributeRisk: z
    .array(
      z.strictObject({
        scenario: positiveInteger.describe('Its number, from 1.'),
        candidates: z.string().describe('The intruder’s candidates, as in the config.'),
        knows: z.string().describe('Records that the intruder has, in words.'),
        probabilityTrueBefore: publicFigureSchema.describe(
          'Mean probability of a variable’s true value, the others known, without the release.',
        ),
        probabilityTrueAfter: publicFigureSchema.describe(
          'The same with the release; null where noise and errors are as large as the difference of the two.',
        ),
        probabilityTrueAdded: addedFigureSchema.describe('What the release adds, with noise.'),
      }),
    )
    .describe('What could be guessed, by scenario.'),
  membershipTested: z.boolean().describe('Whether membership was tested; its figures are confidential.'),
  identificationRisk: z
    .array(
      z.strictObject({
        known: z.array(z.string()).describe('Kept variables that the intruder knows.'),
        synthesized: z.array(z.string()).describe('Synthesized variables whose true values the intruder knows.'),
        radii: z.record(z.string(), radiusOfKindSchema).describe('How near each continuous variable must come.'),
        expectedMatchShare: publicFigureSchema.describe('Share of people found by picking one matching row.'),
        trueMatchRate: publicFigureSchema.describe('Share of people whose own row is the only match.'),
      }),
    )
    .describe('Who could be found by matching, by intruder.'),
  exactDisclosureShare: publicFigureSchema.describe('Share of people with all synthesized values true.'),
  oneWayTotalVariation: publicFigureSchema.describe('Share of records to move to another cell, tables of one variable.'),
  twoWayTotalVariation: publicFigureSchema.describe('The same of two variables.'),
  noise: z
    .strictObject({
      numbers: positiveInteger.describe('Numbers with noise on the page, errors included.'),
      nats: z.number().positive().describe('Most that all of them move the log odds of two values.'),
    })
    .describe('How much noise there is.'),
});

/** A figure that anybody may know. */
export type PublicFigure = z.infer<typeof publicFigureSchema>;
/** What the release adds to a figure, or a bound of it. */
export type AddedFigure = z.infer<typeof addedFigureSchema>;
/** What of a run may be printed for anybody. */
export type PublicSummary = z.infer<typeof publicSummarySchema>;
