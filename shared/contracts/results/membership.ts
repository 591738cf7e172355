import { z } from 'zod';
import { ERROR_FIELDS } from '../figure-errors.ts';
import { number, numberOrNull, positiveInteger, share } from '../number-schemas.ts';

const foundAt = (falseAlarms: string) =>
  share.describe(
    `Share of the records that the optimal test finds where it takes ${falseAlarms} of the people who are not in the table for members: its baseline.`,
  );

/** The figures by which releases are compared. */
export const MEMBERSHIP_FIGURES = ['auc', 'foundAt1Percent'] as const;

/** How well the release shows who is in the table: of a person's being in it against being absent (docs/explanation/membership.md). */
export const membershipSummarySchema = z.strictObject({
  others: z
    .enum(['control', 'simulated'])
    .describe('Who the people outside the table are: a control of real ones, or draws from the model.'),
  othersCount: positiveInteger.describe('How many of them there are.'),
  auc: share.describe(
    'How probably a record of the table has a larger likelihood ratio than somebody who is not in it. 0.5: nobody can tell; 1: everybody is found.',
  ),
  aucSe: ERROR_FIELDS.se,
  aucSimulationSe: ERROR_FIELDS.simulationSe,
  aucReleaseSe: ERROR_FIELDS.releaseSe,
  foundAt01Percent: foundAt('0.1 %'),
  foundAt01PercentSe: ERROR_FIELDS.se,
  foundAt01PercentSimulationSe: ERROR_FIELDS.simulationSe,
  foundAt01PercentReleaseSe: ERROR_FIELDS.releaseSe,
  foundAt1Percent: foundAt('1 %'),
  foundAt1PercentSe: ERROR_FIELDS.se,
  foundAt1PercentSimulationSe: ERROR_FIELDS.simulationSe,
  foundAt1PercentReleaseSe: ERROR_FIELDS.releaseSe,
  foundAt10Percent: foundAt('10 %'),
  foundAt10PercentSe: ERROR_FIELDS.se,
  foundAt10PercentSimulationSe: ERROR_FIELDS.simulationSe,
  foundAt10PercentReleaseSe: ERROR_FIELDS.releaseSe,
  balancedAccuracy: share.describe('Share that the best rule gets right, members and others counting alike. 0.5: nobody can tell.'),
  balancedAccuracySe: ERROR_FIELDS.se,
  balancedAccuracySimulationSe: ERROR_FIELDS.simulationSe,
  balancedAccuracyReleaseSe: ERROR_FIELDS.releaseSe,
  bitsMax: number.describe('Largest likelihood ratio of a record, in bits.'),
  bitsMaxSe: ERROR_FIELDS.se,
  bitsMaxSimulationSe: ERROR_FIELDS.simulationSe,
  bitsMaxReleaseSe: ERROR_FIELDS.releaseSe,
  meanInverseRatioMembers: number.describe('Mean over records of 1 by the likelihood ratio: 1 where ratios are what they claim to be.'),
  meanInverseRatioMembersSe: ERROR_FIELDS.se,
  meanInverseRatioMembersSimulationSe: ERROR_FIELDS.simulationSe,
  meanInverseRatioMembersReleaseSe: ERROR_FIELDS.releaseSe,
  meanRatioOthers: number.describe('Mean over the others of the likelihood ratio: 1 where ratios are what they claim to be.'),
  meanRatioOthersSe: ERROR_FIELDS.se,
  meanRatioOthersSimulationSe: ERROR_FIELDS.simulationSe,
  meanRatioOthersReleaseSe: ERROR_FIELDS.releaseSe,
  power: numberOrNull.describe(
    'Slope of the logistic regression of membership on the logarithm of the likelihood ratio: 1 where ratios are what they claim to be, below it where they claim too much. Null, with `powerReason`, where it is not determined.',
  ),
  powerSe: ERROR_FIELDS.se,
  powerSimulationSe: ERROR_FIELDS.simulationSe,
  powerReleaseSe: ERROR_FIELDS.releaseSe,
  powerReason: z.string().optional(),
  roc: z
    .array(
      z.strictObject({
        falseAlarms: share.describe('Share of the others who are classified as members.'),
        found: share.describe('Share of the records that are found then.'),
        foundSe: ERROR_FIELDS.se,
        foundSimulationSe: ERROR_FIELDS.simulationSe,
        foundReleaseSe: ERROR_FIELDS.releaseSe,
      }),
    )
    .describe('The curve of the optimal test.'),
});

/** How well the release shows who is in the table. */
export type MembershipSummary = z.infer<typeof membershipSummarySchema>;
