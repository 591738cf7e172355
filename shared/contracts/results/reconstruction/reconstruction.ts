import * as z from 'zod';
import { ERROR_FIELDS, errorFields } from '../../figure-errors.ts';
import { count, nonNegative, nonNegativeOrNull, number, positiveInteger, share } from '../../number-schemas.ts';

const rankedShape = {
  hits: nonNegative.describe('How many of them are in the table; ties at the last place count as expected.'),
  share: share.describe('The same by their number.'),
  ...errorFields('share'),
  baseline: share.describe('Share of them in a table of as many other people: the control, or a new table from the fitted model.'),
  ...errorFields('baseline'),
  aboveBaseline: number.describe(
    'Share in the table beyond the baseline, of as many records of either: above 0 beyond its errors, the release shows these records and not the population alone.',
  ),
  aboveBaselineSe: ERROR_FIELDS.se,
  aboveBaselineSimulationSe: nonNegativeOrNull.describe(
    'The part of simulation, and of chance: by which people of the population are in the table and in the control.',
  ),
  aboveBaselineReleaseSe: ERROR_FIELDS.releaseSe,
  aboveBaselineChanceSe: nonNegative.describe(
    'Its part by chance in who is in the table and in the control (Wilson 1927); included in the part of simulation.',
  ),
};

const firstSchema = z.strictObject({
  guesses: positiveInteger.describe('How many combinations these are: fewer where there are not as many candidates.'),
  ...rankedShape,
  expected: share.describe('Mean confidence of the intruder: the share in the table, were the model right.'),
  ...errorFields('expected'),
  missed: share.describe(
    'Largest probability that a combination as probable as the last of them is no candidate. 0 where all cells are candidates.',
  ),
  byControl: share
    .optional()
    .describe(
      'With a control: share in the table of as many combinations most frequent in it, or of all that it has: a list made without the release (the baseline of Dick et al. 2023).',
    ),
  byFrequency: z
    .strictObject(rankedShape)
    .describe('The same of as many combinations that are most frequent in the released datasets, which needs no model.'),
});

const first = (words: string) => firstSchema.describe(`The ${words} combinations that the intruder is most confident of.`);

/** Which records somebody who knows nothing would name, and how many of these are in the table (docs/explanation/reconstruction.md). */
export const reconstructionSchema = z.strictObject({
  candidates: positiveInteger.describe('Combinations that are ranked.'),
  allCells: z.boolean().describe('Whether these are all cells; else combinations released, or drawn from what the intruder believes.'),
  baselineOf: z
    .enum(['control', 'simulated'])
    .describe('Whose the baseline is: a control of real people, or new tables from the fitted model.'),
  baselineRecords: positiveInteger.describe('Records of table and control compared: those of the smaller one.'),
  cellsShare: share.describe('Share of all cells that are in the table: what naming cells at random hits.'),
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
        byFrequency: share.describe('Share in the table of those that are most frequent in the release.'),
      }),
    )
    .describe('The share that is in the table, by how many are named.'),
  calibration: z
    .array(
      z.strictObject({
        from: share.describe('Confidences from this'),
        to: share.describe('up to this.'),
        candidates: count.describe('Combinations among the first 1,000 of such a confidence.'),
        expected: share.nullable().describe('Their mean confidence; null where there are none.'),
        share: share.nullable().describe('Share of them that is in the table; null where there are none.'),
      }),
    )
    .describe('Whether confidences are what they claim to be.'),
});

/** Which records somebody who knows nothing would name, and how many of these are in the table. */
export type ReconstructionSummary = z.infer<typeof reconstructionSchema>;
