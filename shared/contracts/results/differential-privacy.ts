import { z } from 'zod';
import { epsilonSchema, nonNegative, positiveInteger, share } from '../number-schemas.ts';

/** A probability that is neither 0 nor 1. */
const openShare = z.number().gt(0).lt(1);

/** Records of a table that is simulated; the expected increase is summed over all tables and datasets of so many. */
export const MOST_RECORDS = 1_000_000;

/** A population, its synthesizer, and what the intruder of 003 takes for granted. */
export const binaryScenarioSchema = z.strictObject({
  /** Probability of the value 1 in the population. */
  p0: openShare,
  /** For the dataset of n records. */
  epsilon: epsilonSchema,
  /** Records of the table, and of the one synthetic dataset. */
  n: positiveInteger.max(MOST_RECORDS),
  /** The intruder's prior probability that a record has the value 1. */
  prior: openShare,
});

/** A population, its synthesizer, and what the intruder of 003 takes for granted. */
export type BinaryScenario = z.infer<typeof binaryScenarioSchema>;

/** What `dp table --json` prints: Table 1 of 003, a row an entry. */
export const increaseTableSchema = z.strictObject({
  rows: z.array(binaryScenarioSchema.extend({ expectedIncrease: share })),
});

/** Table 1 of 003, a row an entry. */
export type IncreaseTable = z.infer<typeof increaseTableSchema>;

/** A table that was simulated, its synthetic dataset, and what an intruder learns of one record. */
const simulatedPairSchema = z.strictObject({
  /** X and X*: records with the value 1 of the table and of the dataset. */
  ones: z.int().nonnegative(),
  syntheticOnes: z.int().nonnegative(),
  /** Of the record: 1, and 0 in a table without a 1. */
  trueValue: z.union([z.literal(0), z.literal(1)]),
  /** The intruder's prior probability of that value. */
  prior: openShare,
  /** log B in nats, of the true value against the other. Its absolute value is the privacy loss of this dataset. */
  logBayesFactor: z.number(),
  /** R, the posterior probability of the true value (003 eq. 5). */
  absolute: share,
  /** RR, R over the prior (003 eq. 8). */
  relative: nonNegative,
  /** U: log10 of the expected squared error from the dataset over that from the table (003 eq. 4). */
  utilityLoss: z.number(),
});

/** A table that was simulated, its synthetic dataset, and what an intruder learns of one record. */
export type SimulatedPair = z.infer<typeof simulatedPairSchema>;

/** `evaluation.json` of `dp evaluate`: the simulations of 003. */
export const privacyEvaluationSchema = z.strictObject({
  version: z.string(),
  seed: z.int(),
  /** Pairs of table and dataset that were simulated of each scenario. */
  replicates: positiveInteger,
  scenarios: z.array(
    binaryScenarioSchema.extend({
      /** Count added to each of the two cells. */
      alpha: z.number().positive(),
      /** ER over all tables and datasets (003 eq. 6). */
      expectedIncrease: share,
      pairs: z.array(simulatedPairSchema),
    }),
  ),
});

/** The simulations of 003. */
export type PrivacyEvaluation = z.infer<typeof privacyEvaluationSchema>;

/** Columns of the CSV of Figures 1 and 2: absolute risk against utility, one row a pair. */
export const UTILITY_FIGURE_COLUMNS = [
  ...['p0', 'epsilon', 'replicate', 'true_value', 'ones', 'synthetic_ones', 'prior'],
  ...['utility_loss', 'risk', 'relative_risk', 'log_bayes_factor', 'privacy_loss'],
] as const;

/** Columns of the CSV of Figures 3 and 4: relative against absolute risk, one row a pair and prior. */
export const PRIOR_FIGURE_COLUMNS = [
  ...['p0', 'epsilon', 'replicate', 'true_value', 'prior', 'risk', 'relative_risk'],
] as const;
