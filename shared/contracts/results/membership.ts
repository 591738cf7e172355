import { z } from 'zod';
import { ERROR_FIELDS } from '../figure-errors.ts';
import { number, numberOrNull, positiveInteger, share } from '../number-schemas.ts';

/** The errors of a figure of membership, as fields. */
const errorsOf = <Name extends string>(name: Name) =>
  ({
    [`${name}Se`]: ERROR_FIELDS.se,
    [`${name}SimulationSe`]: ERROR_FIELDS.simulationSe,
    [`${name}ReleaseSe`]: ERROR_FIELDS.releaseSe,
  }) as Readonly<Record<`${Name}Se`, typeof ERROR_FIELDS.se>> &
    Readonly<Record<`${Name}SimulationSe`, typeof ERROR_FIELDS.simulationSe>> &
    Readonly<Record<`${Name}ReleaseSe`, typeof ERROR_FIELDS.releaseSe>>;

const foundAt = (falseAlarms: string) =>
  share.describe(
    `Share of the records that the optimal test finds where it takes ${falseAlarms} of the people who are not in the table for members: its baseline.`,
  );

/** What the release tells of who is in the table: of a person's being in it against being absent (docs/explanation/membership.md). */
export const membershipSummarySchema = z.strictObject({
  others: z
    .enum(['control', 'simulated'])
    .describe('Who the people outside the table are: a control of real ones, or draws from the model.'),
  othersCount: positiveInteger.describe('How many of them there are.'),
  auc: share.describe(
    'How probably a record of the table has a larger likelihood ratio than somebody who is not in it. 0.5: nobody can tell; 1: everybody is found.',
  ),
  ...errorsOf('auc'),
  foundAt01Percent: foundAt('0.1 %'),
  ...errorsOf('foundAt01Percent'),
  foundAt1Percent: foundAt('1 %'),
  ...errorsOf('foundAt1Percent'),
  foundAt10Percent: foundAt('10 %'),
  ...errorsOf('foundAt10Percent'),
  balancedAccuracy: share.describe('Share that the best rule gets right, members and others counting alike. 0.5: nobody can tell.'),
  ...errorsOf('balancedAccuracy'),
  bitsMax: number.describe('Largest likelihood ratio of a record, in bits.'),
  ...errorsOf('bitsMax'),
  meanInverseRatioMembers: number.describe('Mean over records of 1 by the likelihood ratio: 1 where ratios are what they claim to be.'),
  ...errorsOf('meanInverseRatioMembers'),
  meanRatioOthers: number.describe('Mean over the others of the likelihood ratio: 1 where ratios are what they claim to be.'),
  ...errorsOf('meanRatioOthers'),
  power: numberOrNull.describe(
    'Slope of the logistic regression of membership on the logarithm of the likelihood ratio: 1 where ratios are what they claim to be, below it where they claim too much. Null, with `powerReason`, where it is not determined.',
  ),
  ...errorsOf('power'),
  powerReason: z.string().optional(),
  roc: z
    .array(
      z.strictObject({
        falseAlarms: share.describe('Share of the others who are taken for members.'),
        found: share.describe('Share of the records that are found then.'),
        foundSe: ERROR_FIELDS.se,
        foundSimulationSe: ERROR_FIELDS.simulationSe,
        foundReleaseSe: ERROR_FIELDS.releaseSe,
      }),
    )
    .describe('The curve of the optimal test.'),
});

/** What the release tells of who is in the table. */
export type MembershipSummary = z.infer<typeof membershipSummarySchema>;
