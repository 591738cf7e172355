import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { log } from '../../numeric/portable-math.ts';

/** One-sided normal quantile of one in a million: a release of the model exceeds it once in so many. */
const RARE = 4.753424308822899;

/**
 * Share of the uniques that chance would not give, from which on a dataset cannot be one of a synthesizer that models the
 * table. Measured (docs/explanation/not-assessable.md): datasets of other synthesizers, held against this model, stay below
 * 0.1; half of a table, or a bootstrap sample of it, is above 0.35.
 */
const COPIED_SHARE = 0.2;

/** Half a combination: fewer are never expected, so that a model that is sure of none does not decide alone. */
const LEAST_EXPECTED = 0.5;

/** What copies in datasets say: no more than the model expects, more than it does, or more than any such model would. */
export type CopiesVerdict = 'explained' | 'unexplained' | 'copied';

/**
 * Holds the unique combinations of each dataset, and those of all added up, against how many the model expects. More are
 * unexplained where the signed root of the deviance of a binomial number, made smaller by what parameters leave open, is
 * above the normal quantile of one in a million; and copied where a fifth of those that chance would not give are there
 * as well.
 *
 * @param uniques combinations of the table that one record alone has
 */
export function judgeCopies(copies: CopiesSummary, uniques: number): CopiesVerdict {
  const numbers: FoundUniques[] = [
    ...copies.datasets.map((own) => ({ found: own.uniques, mean: own.uniquesExpected, error: own.uniquesExpectedSe, uniques })),
    {
      found: copies.occurrences,
      mean: copies.occurrencesExpected,
      error: copies.occurrencesExpectedSe,
      uniques: uniques * copies.datasets.length,
    },
  ].flatMap(({ mean, error, ...own }) => (mean === null ? [] : [{ ...own, mean, error: error! }]));
  const exceeding = numbers.filter((own) => uniqueExcess(own) > RARE);
  if (exceeding.length === 0) return 'explained';
  const isCopied = exceeding.some(({ found, mean, uniques }) => found - mean >= COPIED_SHARE * (uniques - mean));
  return isCopied ? 'copied' : 'unexplained';
}

/** A number of combinations that was found, what is expected of it, and of how many it is. */
interface FoundUniques {
  readonly found: number;
  readonly mean: number;
  /** Standard deviation of the number. */
  readonly error: number;
  readonly uniques: number;
}

/** By how many standard deviations more combinations are found than expected; 0 where no more are. */
export function uniqueExcess({ found, mean, error, uniques }: FoundUniques): number {
  const expected = Math.max(mean, LEAST_EXPECTED);
  if (found <= expected || uniques <= expected) return 0;
  const missed = uniques - found;
  const deviance = 2 * (found * log(found / expected) + (missed === 0 ? 0 : missed * log(missed / (uniques - expected))));
  const byChance = Math.sqrt((expected * (uniques - expected)) / uniques);
  return Math.sqrt(deviance) * Math.min(1, byChance / error);
}
