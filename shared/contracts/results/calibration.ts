import { z } from 'zod';
import { estimatorSchema } from '../config/config.ts';
import { nonNegative, share } from '../number-schemas.ts';
import { warningSchema } from '../run/warning.ts';

/** Claimed against achieved information in bits a record, each with its standard error. */
const calibrationFiguresSchema = z.strictObject({
  achievedBits: z.number(),
  achievedBitsSe: nonNegative,
  claimedBits: nonNegative,
  claimedBitsSe: nonNegative,
  /** Claimed less achieved. */
  excessBits: z.number(),
  excessBitsSe: nonNegative,
  /** Power of the likelihood at which most is achieved; null when every power is as good. */
  slope: z.number().nullable(),
  slopeSe: nonNegative.nullable(),
});

/** The same figures of some of the targets, and whether their most probable candidates are the truth. */
const calibrationGroupSchema = calibrationFiguresSchema.extend({
  targets: z.int(),
  /** Mean probability of the first guess. */
  firstGuessClaimed: share,
  firstGuessClaimedSe: nonNegative,
  /** Share of targets whose first guess is the truth; of k that tie each counts as one k-th. */
  firstGuessRight: share,
  firstGuessRightSe: nonNegative,
  /** `firstGuessClaimed` less `firstGuessRight`. */
  firstGuessExcess: z.number(),
  firstGuessExcessSe: nonNegative,
});

/** Calibration of some of the targets. */
export type StoredCalibrationGroup = z.infer<typeof calibrationGroupSchema>;

/** `confidential/calibration.json`: whether an estimate achieves what it claims, on the user's own table. */
export const calibrationSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  table: z.strictObject({ records: z.int(), variables: z.int(), combinations: z.int() }),
  estimator: estimatorSchema,
  /** What the estimator measures, in words. */
  meaning: z.string(),
  candidates: z.string(),
  candidatesPerTarget: z.int(),
  /** Power of the likelihood that was applied (`attributeRisk.slope`); `slope` below is beside it. */
  slopeApplied: z.number(),
  datasets: z.int(),
  synthesisChains: z.enum(['own', 'one']),
  /** Targets of each replicate. */
  targets: z.int(),
  replicates: z.int(),
  ...calibrationFiguresSchema.shape,
  slopeReason: z.string().optional(),
  byReplicate: z.array(calibrationFiguresSchema.extend({ replicate: z.int(), seed: z.int() })),
  /** Groups of targets by what the estimate claims for them, from the least (1) to the most. */
  byClaim: z.array(calibrationGroupSchema.extend({ group: z.int() })),
  /** The 5 % of targets for which most is claimed; null where they are too few, as the groups that follow. */
  riskiest: calibrationGroupSchema.nullable(),
  /** Targets that alone had their combination before they were replaced, and the others. */
  uniqueRecords: calibrationGroupSchema.nullable(),
  otherRecords: calibrationGroupSchema.nullable(),
  /** Why a group is null. */
  groupsReason: z.string().optional(),
  /** Claimed probabilities of all candidates of all targets, by size, against the share of truths among them. */
  reliability: z.array(
    z.strictObject({
      from: share,
      to: share,
      candidates: z.int(),
      truths: z.int(),
      meanClaimed: share,
      observedShare: share,
      low: share,
      high: share,
    }),
  ),
  verdict: z.strictObject({
    code: z.enum(['calibrated', 'overclaims', 'underclaims', 'cannot-tell']),
    message: z.string(),
    moreTargets: z.int().nullable(),
    /** The power to put into `attributeRisk.slope`; null when none is advised. */
    suggestedSlope: z.number().positive().nullable(),
  }),
  warnings: z.array(warningSchema),
});

/** A calibration as it is stored. */
export type StoredCalibration = z.infer<typeof calibrationSchema>;
