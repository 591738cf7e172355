import * as z from 'zod';
import { errorFields } from '../figure-errors.ts';
import { number, numberOrNull, positiveInteger, share } from '../number-schemas.ts';

const foundAt = (falseAlarms: string) =>
  share.describe(`Share of the records that the optimal test finds at ${falseAlarms} false alarms, its baseline.`);

/** The figures by which releases are compared. */
export const MEMBERSHIP_FIGURES = ['auc', 'foundAt1Percent'] as const;

/** How well the release shows who is in the table: of a person's being in it against being absent (docs/explanation/membership.md). */
export const membershipSummarySchema = z.strictObject({
  others: z.enum(['control', 'simulated']).describe('People outside the table: a control of real ones, or draws from the model.'),
  othersCount: positiveInteger.describe('How many of them there are.'),
  auc: share.describe(
    'Probability that a record has a larger likelihood ratio than somebody outside the table. 0.5: nobody can tell; 1: everybody is found.',
  ),
  ...errorFields('auc'),
  foundAt01Percent: foundAt('0.1 %'),
  ...errorFields('foundAt01Percent'),
  foundAt1Percent: foundAt('1 %'),
  ...errorFields('foundAt1Percent'),
  foundAt10Percent: foundAt('10 %'),
  ...errorFields('foundAt10Percent'),
  balancedAccuracy: share.describe('Share that the best rule gets right, members and others counting alike. 0.5: nobody can tell.'),
  ...errorFields('balancedAccuracy'),
  bitsMax: number.describe('Largest likelihood ratio of a record, in bits.'),
  ...errorFields('bitsMax'),
  meanInverseRatioMembers: number.describe('Mean over records of 1 by the likelihood ratio: 1 if calibrated.'),
  ...errorFields('meanInverseRatioMembers'),
  meanRatioOthers: number.describe('Mean over the others of the likelihood ratio: 1 if calibrated.'),
  ...errorFields('meanRatioOthers'),
  power: numberOrNull.describe(
    'Slope of the logistic regression of membership on the log likelihood ratio: 1 if calibrated, below 1 ratios claim too much. Null, with `powerReason`, where it is not determined.',
  ),
  ...errorFields('power'),
  powerReason: z.string().optional(),
  roc: z
    .array(
      z.strictObject({
        falseAlarms: share.describe('Share of the others who are classified as members.'),
        found: share.describe('Share of the records that are found then.'),
        ...errorFields('found'),
      }),
    )
    .describe('The curve of the optimal test.'),
});

/** How well the release shows who is in the table. */
export type MembershipSummary = z.infer<typeof membershipSummarySchema>;
