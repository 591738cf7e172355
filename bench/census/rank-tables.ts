import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { formatCount, formatEstimate, formatFigure, formatPercent, formatSupported } from '../../shared/report/words/format-number.ts';
import { type CensusResults, type NamedEvaluations, namedEvaluations } from './census-results.ts';
import { formatRange } from './format-range.ts';
import { agreement, rankedWithin, standing } from './rank-agreement.ts';
import { TOP } from './setting.ts';
import { ranksOfPublished } from './standing-of-published.ts';

/** How much of a rank an evaluation with other draws repeats. */
export function repeatsTable(results: CensusResults): string {
  const augmented = results.augmented[0]!;
  return markdownTable(
    [
      'estimator',
      'effective draws',
      'rank correlation of two',
      'truths in the first three',
      'there in another evaluation too',
      'there in a resample of its draws',
    ],
    namedEvaluations(results).map(({ name, evaluations, effectiveDraws, resampled }) => {
      const counts = rankedWithin(evaluations, TOP);
      return [
        name,
        formatRange(effectiveDraws ?? [Math.min(...augmented.effectiveDraws)], (value) => value.toFixed(2)),
        agreement(evaluations).toFixed(2),
        formatRange(counts, formatCount),
        confirmedShare(evaluations),
        resampled === null ? '' : formatPercent(resampled),
      ];
    }),
  );
}

/** Share of the truths in the first three of one evaluation that are there in another. */
function confirmedShare(evaluations: NamedEvaluations['evaluations']): string {
  const places = Array.from({ length: TOP }, (_, r) => standing(evaluations, r + 1, TOP));
  const found = places.reduce((sum, { combinations }) => sum + combinations, 0);
  if (found === 0) return 'none there';
  const kept = places.reduce((sum, { combinations, confirmed }) => sum + combinations * (confirmed ?? 0), 0);
  return formatPercent(kept / found);
}

/** What each run claims that the release reveals about the observed records, and what that is worth. */
export function gainsTable({ gains }: CensusResults): string {
  return markdownTable(
    ['evaluation', 'values guessed right, before', 'after', 'gain at the truth, bits', 'claimed'],
    gains.map(({ name, summary }) => [
      `\`${name}\``,
      formatPercent(given(summary.firstGuessRightBefore), given(summary.firstGuessRightBeforeSe)),
      formatPercent(given(summary.firstGuessRightAfter), given(summary.firstGuessRightAfterSe)),
      formatEstimate(given(summary.gainBitsMean), given(summary.gainBitsMeanSe)),
      formatSupported(given(summary.gainBitsClaimed), given(summary.gainBitsMeanSe)),
    ]),
  );
}

/** A figure that every run of the study has. */
function given(value: number | null): number {
  if (value === null) throw new RangeError('a run has no figure of single values');
  return value;
}

/** Hu et al. (2014), Table 3: which of its ranks an evaluation with other proposals would give again. */
export function standingTable(results: CensusResults): string {
  const published = Array.from({ length: TOP }, (_, r) => results.publishedRanks.filter(({ rank }) => rank === r + 1));
  const rows = ranksOfPublished(results).flatMap(({ name, places, expected, byAugmented }) => [
    ...places.map(({ combinations, confirmed, median }, r) => [
      name,
      `${r + 1}`,
      formatFigure(combinations),
      confirmed === null ? '' : formatPercent(confirmed),
      median === null ? '' : formatFigure(median),
      byAugmented === null || byAugmented[r] === null ? '' : formatPercent(byAugmented[r]!),
      `${published[r]!.length}`,
      (published[r]!.length * (confirmed ?? 0)).toFixed(1),
    ]),
    [
      `**${name}**`,
      `1 to ${TOP}`,
      formatFigure(places.reduce((sum, { combinations }) => sum + combinations, 0)),
      '',
      '',
      '',
      `${results.publishedRanks.length}`,
      `**${expected.toFixed(1)}**`,
    ],
  ]);
  return markdownTable(
    [
      'table, generating draws',
      'rank',
      'combinations of an evaluation',
      'in the first three of another',
      'median rank there',
      'in the first three by `augmented`',
      'the paper has',
      'expected again',
    ],
    rows,
  );
}
