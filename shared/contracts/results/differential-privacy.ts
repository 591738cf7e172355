import * as z from 'zod';
import { count, epsilonSchema, nonNegative, number, openShare, positiveInteger, share } from '../number-schemas.ts';
import { seed, version } from '../shared-fields.ts';

/** Records of a table that is simulated; the expected increase is summed over all tables and datasets of so many. */
export const MOST_RECORDS = 1_000_000;

/** A population, its synthesizer, and what the intruder of McClure & Reiter (2012) take for granted. */
export const binaryScenarioSchema = z.strictObject({
  p0: openShare.describe('Population share of the value 1.'),
  epsilon: epsilonSchema.describe('Epsilon of the dataset, nats.'),
  n: positiveInteger.max(MOST_RECORDS).describe('Records of table and dataset.'),
  prior: openShare.describe('The intruder’s prior probability of the value 1.'),
});

/** A population, its synthesizer, and what the intruder of McClure & Reiter (2012) take for granted. */
export type BinaryScenario = z.infer<typeof binaryScenarioSchema>;

/** What `dp table --json` prints: Table 1 of McClure & Reiter (2012), a row an entry. */
export const increaseTableSchema = z.strictObject({
  rows: z
    .array(
      binaryScenarioSchema.extend({ expectedIncrease: share.describe('Expected increase of the intruder’s probability of the truth.') }),
    )
    .describe('Entries of the table.'),
});

/** Table 1 of McClure & Reiter (2012), a row an entry. */
export type IncreaseTable = z.infer<typeof increaseTableSchema>;

/** A table that was simulated, its synthetic dataset, and what an intruder learns of one record. */
const simulatedPairSchema = z.strictObject({
  ones: count.describe('Records with the value 1 in the table.'),
  syntheticOnes: count.describe('The same in the dataset.'),
  trueValue: z.union([z.literal(0), z.literal(1)]).describe('Of the record: 1, and 0 in a table without a 1.'),
  prior: openShare.describe('Prior probability of the true value.'),
  logBayesFactor: number.describe('Log Bayes factor of the true value, nats; its size is the privacy loss.'),
  absolute: share.describe('R, posterior probability of the true value.'),
  relative: nonNegative.describe('RR, R by the prior.'),
  utilityLoss: number.describe('log10 of the squared error from the dataset over that from the table.'),
});

/** A table that was simulated, its synthetic dataset, and what an intruder learns of one record. */
export type SimulatedPair = z.infer<typeof simulatedPairSchema>;

/** `evaluation.json` of `dp evaluate`: the simulations of McClure & Reiter (2012). */
export const privacyEvaluationSchema = z.strictObject({
  version,
  seed,
  replicates: positiveInteger.describe('Pairs of table and dataset per scenario.'),
  scenarios: z
    .array(
      binaryScenarioSchema.extend({
        alpha: z.number().positive().describe('Count added to each cell.'),
        expectedIncrease: share.describe('Expected increase of the intruder’s probability of the truth.'),
        pairs: z.array(simulatedPairSchema).describe('Simulated pairs.'),
      }),
    )
    .describe('Populations and synthesizers.'),
});

/** The simulations of McClure & Reiter (2012). */
export type PrivacyEvaluation = z.infer<typeof privacyEvaluationSchema>;
