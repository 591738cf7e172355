import * as z from 'zod';
import { radiusOfKindSchema } from '../config/identification-scenario.ts';
import { epsilonSchema, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { kind, synthesized, version } from '../shared-fields.ts';

const notTold = z.strictObject({ value: z.null(), error: z.null(), reason: z.string().describe('Why a field beside it is null.') });

/** A figure that anybody may know: with noise, a multiple of its error. Null with a reason where it may not be told. */
const publicFigureSchema = z.union([
  z.strictObject({
    value: share.describe('The figure with noise, a multiple of its error; null with a reason where it is not published.'),
    error: z.number().positive().describe('One standard error of figure and noise, rounded up to 1, 2 or 5 times a power of ten.'),
  }),
  notTold,
]);

/**
 * What the release adds to a figure, from the figures with noise. Null with a reason and a bound where the errors of the
 * two figures are as large as their difference, and without a bound where one of them is not told.
 */
const addedFigureSchema = z.union([
  z.strictObject({
    value: share.describe('Their difference; null where it is not above two errors, or a figure is not published.'),
    error: z.number().positive().describe('Sum of their errors, rounded up: one standard error of the difference at most.'),
    atMost: share.describe(
      'Upper bound of what the release adds: two errors above the difference, at least above 0. Null where a figure is not published.',
    ),
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
      epsilon: epsilonSchema.optional().describe('Epsilon of differential privacy, in nats, of all datasets together.'),
    })
    .describe('The synthesizer.'),
  synthesis: z.strictObject({ datasets: positiveInteger.describe('Synthetic datasets.'), kind, synthesized }).describe('The release.'),
  attributeRisk: z
    .array(
      z.strictObject({
        scenario: positiveInteger.describe('Its number, from 1.'),
        candidates: z.string().describe('The candidates that the intruder considers, as the config has them.'),
        knows: z.string().describe('Records that the intruder has, in words.'),
        probabilityTrueBefore: publicFigureSchema.describe(
          'Mean probability of the true value of a variable, the others of its record being known, without the release.',
        ),
        probabilityTrueAfter: publicFigureSchema.describe(
          'The same with the release; null where noise and errors are as large as the difference of the two.',
        ),
        probabilityTrueAdded: addedFigureSchema.describe('What the release adds to it, from the two figures with noise.'),
      }),
    )
    .describe('What could be guessed, an element a scenario in the order of the config.'),
  membershipTested: z.boolean().describe('Whether membership was tested. Its figures are confidential.'),
  identificationRisk: z
    .array(
      z.strictObject({
        known: z.array(z.string()).describe('Kept variables that the intruder knows of a record.'),
        synthesized: z.array(z.string()).describe('Synthesized variables whose true values they know.'),
        radii: z.record(z.string(), radiusOfKindSchema).describe('How near a continuous variable must come, by variable.'),
        expectedMatchShare: publicFigureSchema.describe('Share of people found by an intruder who picks one of the matching rows.'),
        trueMatchRate: publicFigureSchema.describe('Share of people whose own row is the only match.'),
      }),
    )
    .describe('Who could be found by matching, an element an intruder.'),
  exactDisclosureShare: publicFigureSchema.describe(
    'Share of people all of whose synthesized values are the true ones, mean over the datasets.',
  ),
  oneWayTotalVariation: publicFigureSchema.describe(
    'Share of records that would have to move to another cell, mean over tables of one variable.',
  ),
  twoWayTotalVariation: publicFigureSchema.describe('The same of two variables.'),
  noise: z
    .strictObject({
      numbers: positiveInteger.describe('Numbers with noise on the page, errors included.'),
      nats: z.number().positive().describe('By how much all of them together can move the log odds of two values of a record.'),
    })
    .describe('How much noise there is.'),
});

/** A figure that anybody may know. */
export type PublicFigure = z.infer<typeof publicFigureSchema>;
/** What the release adds to a figure, or a bound of it. */
export type AddedFigure = z.infer<typeof addedFigureSchema>;
/** What of a run may be printed for anybody. */
export type PublicSummary = z.infer<typeof publicSummarySchema>;
