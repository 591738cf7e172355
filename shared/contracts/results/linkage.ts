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
  recall: shareOrNull.describe('Right ones of the rows whose record they have; null without any.'),
  truePositiveRate: shareOrNull.describe('Right ones of all that are right.'),
  falsePositiveRate: shareOrNull.describe('Wrong ones of all that are wrong.'),
});

/** What is compared of a variable, and how it agrees among what EM takes for matches and among other pairs. */
const linkageComparisonSchema = z.strictObject({
  name: z.string().describe('Name.'),
  levels: z
    .array(
      z.strictObject({
        amongMatches: share.describe('Share among what EM takes for matches.'),
        amongOthers: share.describe('Share among other pairs.'),
        weightBits: number.describe('log2 of their ratio.'),
      }),
    )
    .nullable()
    .describe('Agreement, level by level, from 0 (outside of all intervals) to the narrowest interval; null under `conjunction`.'),
});

/** `confidential/linkage.json`: how many rows of a masked file are re-identified. */
export const linkageResultSchema = z.strictObject({
  version,
  runId,
  seed,
  method: z.string().describe('How the file was masked.'),
  link: z.enum(['weights', 'conjunction']).describe('`weights` by EM, or `conjunction` of all comparisons.'),
  oneToOne: z.boolean().describe('Whether each record is linked at most once.'),
  bands: z.int().nullable().describe('Intervals of a metric that are looked at, from 1, the narrowest; null for all.'),
  tolerate: z.int().nullable().describe('Comparisons that a candidate may disagree on; null for a third.'),
  variables: z.array(z.string()).describe('Names of variables.'),
  records: count.describe('Rows of the masked file.'),
  intruder: z
    .strictObject({
      records: count.describe('Its records.'),
      share: share.describe('Share of the table that it has; 1 for all of it.'),
      errors: share.describe('Share of its values that are wrong.'),
      rowsHeld: count.describe('Rows of the masked file whose record they have.'),
    })
    .describe('The intruder’s file.'),
  reidentified: count.describe('Rows whose one best link is to their own record.'),
  reidentifiedShare: share.describe('Their share, with its exact 95 % interval.'),
  low: share.describe('Lower end of the exact 95 % interval (Clopper and Pearson 1934).'),
  high: share.describe('Upper end of the 95 % interval.'),
  guessedShare: share.describe('What a guess by chance would find.'),
  linked: count.describe('Rows with a candidate.'),
  uniqueLinks: count.describe('Rows with one best link.'),
  precision: shareWithInterval.describe('Share of unique links that are right.'),
  claimedPrecision: shareOrNull.describe('What the intruder believes of that: the mean probability that they give their unique links.'),
  ownRankMedian: numberOrNull.describe(
    'Median place of the own record among the candidates; null, with `ownRankReason`, where it is none.',
  ),
  ownRankReason: z.string().optional(),
  rocArea: shareOrNull.describe('AUC of the unique links by their probability; null, with `rocReason`, where all or none are right.'),
  rocReason: z.string().optional(),
  thresholds: z.array(thresholdSchema).describe('Unique links of at least some probability.'),
  comparisons: z.array(linkageComparisonSchema).describe('What is compared of each variable.'),
  model: z
    .strictObject({
      matchShare: share.describe('Share of pairs that are taken to match.'),
      iterations: count.describe('Steps of EM.'),
      converged: z.boolean().describe('Whether it came to an end.'),
      rows: count.describe('Rows from whose pairs it was fitted.'),
    })
    .nullable()
    .describe('The fit of EM; null under `conjunction`.'),
  warnings,
});

/** How many rows of a masked file are re-identified. */
export type LinkageResult = z.infer<typeof linkageResultSchema>;
/** Unique links of at least some probability. */
export type LinkageThreshold = z.infer<typeof thresholdSchema>;
