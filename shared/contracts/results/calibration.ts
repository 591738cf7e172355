import * as z from 'zod';
import { estimatorSchema } from '../config/config.ts';
import { nonNegative, nonNegativeOrNull, number, numberOrNull, share } from '../number-schemas.ts';
import { warnings } from '../run/warning.ts';
import { intervalOf, runId, seed, version } from '../shared-fields.ts';

const calibrationFiguresSchema = z.strictObject({
  achievedBits: number.describe('Information achieved, bits a record.'),
  achievedBitsSe: nonNegative,
  claimedBits: nonNegative.describe('What it claims.'),
  claimedBitsSe: nonNegative,
  excessBits: number.describe('Claimed less achieved. 0: calibrated.'),
  excessBitsSe: nonNegative,
  slope: numberOrNull.describe('Power of the likelihood that achieves most, times `slopeApplied`. 1: calibrated.'),
  slopeSe: nonNegativeOrNull,
});

const calibrationGroupSchema = calibrationFiguresSchema.extend({
  targets: z.int().describe('Records replaced.'),
  firstGuessClaimed: share.describe('Mean probability of the first guess.'),
  firstGuessClaimedSe: nonNegative,
  firstGuessRight: share.describe('Share of first guesses right; ties count in part.'),
  firstGuessRightSe: nonNegative,
  firstGuessExcess: number.describe('Claimed less right.'),
  firstGuessExcessSe: nonNegative,
});

/** Calibration of some of the targets. */
export type StoredCalibrationGroup = z.infer<typeof calibrationGroupSchema>;

/** `confidential/calibration.json`: whether an estimate achieves what it claims, on the user's own table. */
export const calibrationSchema = z.strictObject({
  version,
  runId,
  seed,
  table: z
    .strictObject({
      records: z.int().describe('Records of the confidential table.'),
      variables: z.int().describe('Its variables.'),
      combinations: z.int().describe('Its distinct rows.'),
    })
    .describe('The confidential table, in numbers.'),
  estimator: estimatorSchema.describe('`augmented`, `parameters`, `importance`; `exact` or `fixed-structure` where nothing is simulated.'),
  meaning: z.string().describe('What the estimator measures, in words.'),
  candidates: z.string().describe('The intruder’s candidates, as in the config.'),
  candidatesPerTarget: z.int().describe('Number of candidates.'),
  slopeApplied: number.describe('Power of the likelihood applied (`attributeRisk.slope`).'),
  datasets: z.int().describe('Synthetic datasets.'),
  synthesisChains: z.enum(['own', 'one']).describe('`own` or `one` chain for the datasets.'),
  targets: z.int().describe('Records replaced.'),
  replicates: z.int().describe('Altered tables.'),
  ...calibrationFiguresSchema.shape,
  slopeReason: z.string().optional(),
  byReplicate: z
    .array(calibrationFiguresSchema.extend({ replicate: z.int().describe('Its number, from 1.'), seed: z.int().describe('Its seed.') }))
    .describe('The same of each replicate.'),
  byClaim: z
    .array(calibrationGroupSchema.extend({ group: z.int().describe('Number of the group, from 1.') }))
    .describe('Targets grouped by claim, from the least.'),
  riskiest: calibrationGroupSchema.nullable().describe('The 5 % of targets with the largest claims.'),
  uniqueRecords: calibrationGroupSchema.nullable().describe('Targets whose combination was unique.'),
  otherRecords: calibrationGroupSchema.nullable().describe('The other targets.'),
  groupsReason: z.string().optional().describe('Why a group is null.'),
  reliability: z
    .array(
      z.strictObject({
        from: share.describe('Claimed probability from.'),
        to: share.describe('And to.'),
        candidates: z.int().describe('Candidates of the bin.'),
        truths: z.int().describe('Truths among them.'),
        meanClaimed: share.describe('Mean claimed probability.'),
        observedShare: share.describe('Share of truths; `meanClaimed` if calibrated.'),
        ...intervalOf(share),
      }),
    )
    .describe('Candidates by claimed probability.'),
  verdict: z
    .strictObject({
      code: z
        .enum(['calibrated', 'overclaims', 'underclaims', 'cannot-tell'])
        .describe('`calibrated`, `overclaims`, `underclaims` or `cannot-tell`.'),
      message: z.string().describe('The same for people.'),
      moreTargets: z.int().nullable().describe('Targets missing for a verdict.'),
      suggestedSlope: z.number().positive().nullable().describe('Advised `attributeRisk.slope`, if any.'),
    })
    .describe('What follows.'),
  warnings,
});

/** A calibration as it is stored. */
export type StoredCalibration = z.infer<typeof calibrationSchema>;
