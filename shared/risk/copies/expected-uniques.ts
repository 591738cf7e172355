import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { expm1, log } from '../../numeric/portable-math.ts';

/** A number that is expected, with its variance. */
export interface Expected {
  readonly mean: number;
  /** Of the number itself: what parameters leave open, and chance for given parameters. */
  readonly variance: number;
}

/** How many unique combinations of a table are expected in datasets. */
export interface ExpectedUniques {
  readonly datasets: readonly Expected[];
  readonly any: Expected;
  readonly sum: Expected;
}

/** Sums over draws from which a mean and a variance follow. */
class DrawnNumber {
  #draws = 0;
  #sum = 0;
  #squares = 0;
  #chance = 0;

  add([mean, variance]: readonly [number, number]): void {
    this.#draws++;
    this.#sum += mean;
    this.#squares += mean * mean;
    this.#chance += variance;
  }

  expected(): Expected {
    const mean = this.#sum / this.#draws;
    const between = this.#draws > 1 ? (this.#squares - this.#draws * mean * mean) / (this.#draws - 1) : 0;
    return { mean, variance: Math.max(0, between) + this.#chance / this.#draws };
  }
}

/**
 * How many of some combinations are expected in datasets, by the posterior predictive distribution: the mean over draws,
 * with the variance between draws plus the mean of that of independent indicators (Poisson binomial). Indicators of one
 * dataset depend hardly, and negatively: the variance is rather too large.
 *
 * @param logAbsent for each draw the logs of the probability that one trial does not give the combination
 * @param trials of each dataset: its rows, or 1 where a draw's probabilities are of whole datasets
 */
export function expectedUniques(logAbsent: Iterable<Float64Array>, trials: readonly number[]): ExpectedUniques {
  const each = trials.map(() => new DrawnNumber());
  const [any, sum] = [new DrawnNumber(), new DrawnNumber()];
  const all = trials.reduce((total, ofDataset) => total + ofDataset, 0);
  for (const logs of logAbsent) {
    const numbers = trials.map((ofDataset) => presentIn(logs, ofDataset));
    for (const [l, number] of numbers.entries()) each[l]!.add(number);
    any.add(presentIn(logs, all));
    sum.add(numbers.reduce<[number, number]>((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]));
  }
  return { datasets: each.map((number) => number.expected()), any: any.expected(), sum: sum.expected() };
}

/** Mean and variance of the number of combinations that so many trials give. */
function presentIn(logAbsent: Float64Array, trials: number): [number, number] {
  let [mean, variance] = [0, 0];
  for (const one of logAbsent) {
    const present = one === 0 ? 0 : -expm1(trials * one);
    mean += present;
    variance += present * (1 - present);
  }
  return [mean, variance];
}

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
    ...copies.datasets.map(({ uniques: found, uniquesExpected: mean, uniquesExpectedSe: error }) => ({ found, mean, error, uniques })),
    {
      found: copies.occurrences,
      mean: copies.occurrencesExpected,
      error: copies.occurrencesExpectedSe,
      uniques: uniques * copies.datasets.length,
    },
  ].flatMap(({ mean, error, ...counts }) => (mean === null ? [] : [{ ...counts, mean, error: error! }]));
  const exceeding = numbers.filter((number) => uniqueExcess(number) > RARE);
  if (exceeding.length === 0) return 'explained';
  const isCopied = exceeding.some(({ found, mean, uniques }) => found - mean >= COPIED_SHARE * (uniques - mean));
  return isCopied ? 'copied' : 'unexplained';
}

/** A number of combinations that was found, what is expected of it, and of how many it is. */
interface FoundUniques {
  readonly found: number;
  readonly mean: number;
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
