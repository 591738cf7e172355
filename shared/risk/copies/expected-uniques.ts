import { expm1 } from '../../numeric/portable-math.ts';

/** A number that is expected, with its variance. */
export interface Expected {
  readonly mean: number;
  /** Of the number itself: what parameters leave open, and chance for given parameters. */
  readonly variance: number;
}

/** How many unique combinations of a table are expected in datasets. */
export interface ExpectedUniques {
  /** In each by itself. */
  readonly datasets: readonly Expected[];
  /** In any of them. */
  readonly any: Expected;
  /** Those of each dataset added up. */
  readonly sum: Expected;
}

/** Sums over draws from which a mean and a variance follow. */
class DrawnNumber {
  #draws = 0;
  #sum = 0;
  #squares = 0;
  #chance = 0;

  /** Takes the mean and the variance of the number under one draw. */
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
  const all = trials.reduce((total, own) => total + own, 0);
  for (const logs of logAbsent) {
    const numbers = trials.map((own) => presentIn(logs, own));
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
