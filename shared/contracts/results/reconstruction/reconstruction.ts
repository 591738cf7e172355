import * as z from 'zod';
import { ERROR_FIELDS, errorFields } from '../../figure-errors.ts';
import { count, nonNegative, nonNegativeOrNull, number, positiveInteger, share } from '../../number-schemas.ts';

const rankedShape = {
  hits: nonNegative.describe('How many are in the table; ties as expected.'),
  share: share.describe('The same by their number.'),
  ...errorFields('share'),
  baseline: share.describe('The share in a table of as many other people.'),
  ...errorFields('baseline'),
  aboveBaseline: number.describe('The share beyond the baseline: what the release shows of these records, not the population.'),
  aboveBaselineSe: ERROR_FIELDS.se,
  aboveBaselineSimulationSe: nonNegativeOrNull.describe(
    'The part of simulation, and of chance: by which people of the population are in the table and in the control.',
  ),
  aboveBaselineReleaseSe: ERROR_FIELDS.releaseSe,
  aboveBaselineChanceSe: nonNegative.describe(
    'Its error by chance of who is in table and control (Wilson 1927), part of `aboveBaselineSimulationSe`.',
  ),
};

const firstSchema = z.strictObject({
  guesses: positiveInteger.describe('How many: fewer where there are fewer candidates.'),
  ...rankedShape,
  expected: share.describe('Mean confidence: the share if the model is right.'),
  ...errorFields('expected'),
  missed: share.describe('Largest probability of a missed combination as probable as the last.'),
  byControl: share.optional().describe('The share of as many of the control’s most frequent combinations (Dick et al. 2023).'),
  byFrequency: z.strictObject(rankedShape).describe('Of the combinations most frequent in the release, without a model.'),
});

const first = (words: string) => firstSchema.describe(`The ${words} combinations of most confidence.`);

/** Which records somebody who knows nothing would name, and how many of these are in the table (docs/explanation/reconstruction.md). */
export const reconstructionSchema = z.strictObject({
  candidates: positiveInteger.describe('Combinations that are ranked.'),
  allCells: z.boolean().describe('Whether these are all cells.'),
  baselineOf: z.enum(['control', 'simulated']).describe('Of a control, or of new tables from the model.'),
  baselineRecords: positiveInteger.describe('Records compared: the fewer of table and control.'),
  cellsShare: share.describe('Share of all cells in the table: random naming.'),
  first10: first('10'),
  first100: first('100'),
  first1000: first('1,000'),
  curve: z
    .array(
      z.strictObject({
        rank: positiveInteger.describe('How many combinations are named.'),
        share: rankedShape.share,
        ...errorFields('share'),
        expected: firstSchema.shape.expected,
        baseline: rankedShape.baseline,
        byFrequency: share.describe('Of those most frequent in the release.'),
      }),
    )
    .describe('Share in the table, by number named.'),
  calibration: z
    .array(
      z.strictObject({
        from: share.describe('Confidences from this'),
        to: share.describe('up to this.'),
        candidates: count.describe('Candidates among the first 1,000 with such confidence.'),
        expected: share.nullable().describe('Their mean confidence.'),
        share: share.nullable().describe('Their share in the table.'),
      }),
    )
    .describe('Whether confidences are calibrated.'),
});

/** Which records somebody who knows nothing would name, and how many of these are in the table. */
export type ReconstructionSummary = z.infer<typeof reconstructionSchema>;
