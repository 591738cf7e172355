import { z } from 'zod';
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

/** `confidential/calibration.json`: whether an estimate achieves what it claims, on the user's own table. */
export const calibrationSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  seed: z.int(),
  table: z.strictObject({ records: z.int(), variables: z.int(), combinations: z.int() }),
  estimator: z.enum(['augmented', 'parameters', 'importance']),
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
