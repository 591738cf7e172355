import * as z from 'zod';
import { errorFields } from '../figure-errors.ts';
import { number, numberOrNull, positiveInteger, share } from '../number-schemas.ts';

const foundAt = (falseAlarms: string) => share.describe(`Share of records found at ${falseAlarms} false alarms.`);

/** The figures by which releases are compared. */
export const MEMBERSHIP_FIGURES = ['auc', 'foundAt1Percent'] as const;

/** How well the release shows who is in the table: of a person's being in it against being absent (docs/explanation/membership.md). */
export const membershipSummarySchema = z.strictObject({
  others: z.enum(['control', 'simulated']).describe('People outside the table: a control, or draws from the model.'),
  othersCount: positiveInteger.describe('How many.'),
  auc: share.describe('Probability that a record has a larger likelihood ratio than an outsider. 0.5: chance.'),
  ...errorFields('auc'),
  foundAt01Percent: foundAt('0.1 %'),
  ...errorFields('foundAt01Percent'),
  foundAt1Percent: foundAt('1 %'),
  ...errorFields('foundAt1Percent'),
  foundAt10Percent: foundAt('10 %'),
  ...errorFields('foundAt10Percent'),
  balancedAccuracy: share.describe('Share right by the best rule, members and others weighted alike. 0.5: chance.'),
  ...errorFields('balancedAccuracy'),
  bitsMax: number.describe('Largest likelihood ratio of a record, bits.'),
  ...errorFields('bitsMax'),
  meanInverseRatioMembers: number.describe('Mean inverse likelihood ratio of records: 1 if calibrated.'),
  ...errorFields('meanInverseRatioMembers'),
  meanRatioOthers: number.describe('Mean likelihood ratio of the others: 1 if calibrated.'),
  ...errorFields('meanRatioOthers'),
  power: numberOrNull.describe('Slope of the logistic regression of membership on the log ratio: 1 if calibrated.'),
  ...errorFields('power'),
  powerReason: z.string().optional(),
  roc: z
    .array(
      z.strictObject({
        falseAlarms: share.describe('Share of others classified as members.'),
        found: share.describe('Share of records then found.'),
        ...errorFields('found'),
      }),
    )
    .describe('The curve of the optimal test.'),
});

/** How well the release shows who is in the table. */
export type MembershipSummary = z.infer<typeof membershipSummarySchema>;
