import { z } from 'zod';
import { radiusOfKindSchema } from '../config/identification-scenario.ts';
import { epsilonSchema, positiveInteger, share } from '../number-schemas.ts';

const notTold = z.strictObject({ value: z.null(), error: z.null(), reason: z.string() });

/** A figure that anybody may know: with noise, a multiple of its error. Null with a reason where it may not be told. */
const publicFigureSchema = z.union([
  z.strictObject({
    value: share,
    /** One standard error, of the noise and of the figure: 1, 2 or 5 times a power of ten. */
    error: z.number().positive(),
  }),
  notTold,
]);

/**
 * What the release adds to a figure, from the figures with noise. Null with a reason and a bound where the errors of the
 * two figures are as large as their difference, and without a bound where one of them is not told.
 */
const addedFigureSchema = z.union([
  z.strictObject({ value: share, error: z.number().positive(), atMost: share }),
  notTold.extend({ atMost: share.nullable() }),
]);

/** `confidential/public.json`: what of a run may be printed for anybody, by `report --public`. */
export const publicSummarySchema = z.strictObject({
  version: z.string(),
  table: z.strictObject({ records: positiveInteger, variables: positiveInteger }),
  model: z.strictObject({
    name: z.string(),
    /** Of models of counts: the epsilon of differential privacy of all datasets together. */
    epsilon: epsilonSchema.optional(),
  }),
  synthesis: z.strictObject({
    datasets: positiveInteger,
    kind: z.enum(['full', 'partial']),
    synthesized: z.array(z.string()),
  }),
  /** One element a scenario, in the order of the config; their names are not told. */
  attributeRisk: z.array(
    z.strictObject({
      scenario: positiveInteger,
      /** What the intruder weighs up. */
      candidates: z.string(),
      /** Records that he has. */
      knows: z.string(),
      /** Mean probability of the true value of a variable, the others of its record being known: without the release, and with it. */
      probabilityTrueBefore: publicFigureSchema,
      /** Not told where noise and errors are as large as the difference. */
      probabilityTrueAfter: publicFigureSchema,
      /** What the release adds to it: never less than nothing, and at most how much. */
      probabilityTrueAdded: addedFigureSchema,
    }),
  ),
  /** One element an intruder who matches, in the order of the config. */
  identificationRisk: z.array(
    z.strictObject({
      known: z.array(z.string()),
      synthesized: z.array(z.string()),
      radii: z.record(z.string(), radiusOfKindSchema),
      /** Expected matches by the records, and share of records that are their own unique match: means over the datasets. */
      expectedMatchShare: publicFigureSchema,
      trueMatchRate: publicFigureSchema,
    }),
  ),
  /** Share of records all of whose synthesized values are the true ones, mean over the datasets. */
  exactDisclosureShare: publicFigureSchema,
  /** Share of records that would have to move to another cell, mean over tables of one and of two variables. */
  oneWayTotalVariation: publicFigureSchema,
  twoWayTotalVariation: publicFigureSchema,
  noise: z.strictObject({
    /** Numbers with noise. */
    numbers: positiveInteger,
    /** By how much all of them together can move the odds of two values of a record: in nats. */
    nats: z.number().positive(),
  }),
});

/** A figure that anybody may know. */
export type PublicFigure = z.infer<typeof publicFigureSchema>;
/** What the release adds to a figure, or a bound of it. */
export type AddedFigure = z.infer<typeof addedFigureSchema>;
/** What of a run may be printed for anybody. */
export type PublicSummary = z.infer<typeof publicSummarySchema>;
