import * as z from 'zod';
import { count, number, numberOrNull, share, shareOrNull } from '../number-schemas.ts';
import { warnings } from '../run/warning.ts';
import { intervalOf, reason, runId, seed, version } from '../shared-fields.ts';

const shareWithInterval = z.strictObject({ share: shareOrNull.describe('The same as a share.'), ...intervalOf(shareOrNull), reason });

const thresholdSchema = z.strictObject({
  probability: share.describe('The least probability.'),
  links: count.describe('Unique links that have it.'),
  correct: count.describe('Right ones among them.'),
  precision: share.describe('Share of unique links that are right.'),
  recall: shareOrNull.describe('Right ones over rows whose record the intruder has.'),
  truePositiveRate: shareOrNull.describe('Right ones over all that are right.'),
  falsePositiveRate: shareOrNull.describe('Wrong ones over all that are wrong.'),
});

/** What is compared of a variable, and how it agrees among what EM takes for matches and among other pairs. */
const linkageComparisonSchema = z.strictObject({
  name: z.string().describe('Name.'),
  levels: z
    .array(
      z.strictObject({
        amongMatches: share.describe('Share among matches by EM.'),
        amongOthers: share.describe('Share among other pairs.'),
        weightBits: number.describe('log2 of their ratio.'),
      }),
    )
    .nullable()
    .describe('Agreement by level, from 0 (outside all intervals) to the narrowest.'),
});

/** `confidential/linkage.json`: how many rows of a masked file are re-identified. */
export const linkageResultSchema = z.strictObject({
  version,
  runId,
  seed,
  method: z.string().describe('How the file was masked.'),
  link: z.enum(['weights', 'conjunction']).describe('`weights` (EM) or `conjunction` of all comparisons.'),
  oneToOne: z.boolean().describe('Whether each record is linked at most once.'),
  bands: z.int().nullable().describe('Intervals of a metric compared, narrowest first.'),
  tolerate: z.int().nullable().describe('Comparisons that may disagree; null: a third.'),
  variables: z.array(z.string()).describe('Names of variables.'),
  records: count.describe('Rows of the masked file.'),
  intruder: z
    .strictObject({
      records: count.describe('Its records.'),
      share: share.describe('Its share of the table.'),
      errors: share.describe('Share of its values that are wrong.'),
      rowsHeld: count.describe('Rows whose record they have.'),
    })
    .describe('The intruder’s file.'),
  reidentified: count.describe('Rows whose one best link is their own record.'),
  reidentifiedShare: share.describe('Their share.'),
  low: share.describe('Lower end of its exact 95 % interval (Clopper and Pearson 1934).'),
  high: share.describe('Upper end of the 95 % interval.'),
  guessedShare: share.describe('Share found by chance.'),
  linked: count.describe('Rows with a candidate.'),
  uniqueLinks: count.describe('Rows with one best link.'),
  precision: shareWithInterval.describe('Share of unique links that are right.'),
  claimedPrecision: shareOrNull.describe('Mean probability the intruder gives unique links.'),
  ownRankMedian: numberOrNull.describe('Median place of the own record among candidates.'),
  ownRankReason: z.string().optional(),
  rocArea: shareOrNull.describe('AUC of unique links by their probability.'),
  rocReason: z.string().optional(),
  thresholds: z.array(thresholdSchema).describe('Unique links of at least some probability.'),
  comparisons: z.array(linkageComparisonSchema).describe('What is compared of each variable.'),
  model: z
    .strictObject({
      matchShare: share.describe('Share of pairs taken as matches.'),
      iterations: count.describe('Steps of EM.'),
      converged: z.boolean().describe('Whether it came to an end.'),
      rows: count.describe('Rows it was fitted from.'),
    })
    .nullable()
    .describe('The fit of EM; null under `conjunction`.'),
  warnings,
});

/** How many rows of a masked file are re-identified. */
export type LinkageResult = z.infer<typeof linkageResultSchema>;
/** Unique links of at least some probability. */
export type LinkageThreshold = z.infer<typeof thresholdSchema>;
