import * as z from 'zod';
import { openShare, positiveInteger } from '../number-schemas.ts';
import { names } from './identification-scenario.ts';
import { parseFormula } from './regression-formula.ts';

/** What is fitted to tell a dataset from the table: logistic regression on the variables or on pairs of them, or a tree. */
export const PROPENSITY_TERMS = ['main', 'pairs', 'tree'] as const;

const formulaSchema = z.string().superRefine((text, context) => {
  const parsed = parseFormula(text);
  if ('wrong' in parsed) context.addIssue({ code: 'custom', message: `This formula ${parsed.wrong}` });
});

/** How well the datasets serve for what the table does (docs/explanation/utility.md). */
const utilitySettingsSchema = z
  .strictObject({
    ways: z
      .array(z.union([z.literal(1), z.literal(2), z.literal(3)]))
      .min(1)
      .default([1, 2, 3])
      .describe('Numbers of variables of the tables of counts that are compared (Hu & Savitsky 2018, section 3.1)'),
    propensity: z
      .array(z.enum(PROPENSITY_TERMS))
      .default([...PROPENSITY_TERMS])
      .describe('What is fitted to distinguish a dataset from the table (Hornby & Hu 2021, eq. 6)'),
    permutations: positiveInteger.default(10).describe('Trees grown on permuted labels, for the pMSE expected by chance'),
    regressions: z
      .array(formulaSchema)
      .optional()
      .describe(
        'Regressions as R writes them: "DIS == 1 ~ SEX + MIG" (logistic), "EDUC ~ AGE + SEX" (ordered logistic, of a variable with ordered: true), "INCOME ~ AGE * SEX" (linear). Default: each synthesized variable on all others',
      ),
    heldOut: openShare
      .default(0.2)
      .describe('Share of the records that regressions are not fitted to but predict (Hu & Savitsky 2018, section 3.2)'),
    patterns: z
      .strictObject({ by: names.min(1), of: names.min(1) })
      .optional()
      .describe(
        'Distributions of the variables `of` within the patterns of the variables `by` (Hu & Savitsky 2018, section 3.3). Default: of each synthesized variable, within the patterns of all kept ones',
      ),
    bands: positiveInteger
      .min(2)
      .default(5)
      .describe('Bands of about equal numbers of records of a continuous variable, in tables and patterns'),
    records: positiveInteger
      .min(100)
      .default(100_000)
      .describe('Records, drawn by chance, on which models are fitted where the table has more'),
  })
  .describe('How well the datasets serve for what the table does');

/** What is measured of utility, or `off`. */
export const utilitySchema = z.union([z.literal('off'), utilitySettingsSchema]);

/** What is measured of utility where nothing is asked for. */
export const UTILITY_DEFAULTS = utilitySettingsSchema.parse({});

/** What is measured of utility. */
export type UtilitySettings = z.output<typeof utilitySettingsSchema>;

/** A kind of propensity score. */
export type PropensityTerms = (typeof PROPENSITY_TERMS)[number];
