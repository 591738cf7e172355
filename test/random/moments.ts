/** How many standard errors a sample mean lies from an expectation, given the standard deviation of one value. */
export function zOfMean(values: ArrayLike<number>, expected: number, standardDeviation: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - expected;
  return sum / Math.sqrt(values.length) / standardDeviation;
}

/** How many standard errors a count out of `trials` lies from an event of known probability. */
export function zOfCount(count: number, trials: number, probability: number): number {
  return (count - trials * probability) / Math.sqrt(trials * probability * (1 - probability));
}

/** Pearson's statistic of counts against expected counts, as a standard normal (Wilson and Hilferty 1931). */
export function zOfChiSquare(observed: ArrayLike<number>, expected: ArrayLike<number>): number {
  let statistic = 0;
  let cells = 0;
  for (let i = 0; i < observed.length; i++) {
    statistic += (observed[i]! - expected[i]!) ** 2 / expected[i]!;
    cells++;
  }
  const freedom = cells - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}

/** Pearson's correlation. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0) / a.length;
  const meanA = mean(a);
  const meanB = mean(b);
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    product += (a[i]! - meanA) * (b[i]! - meanB);
    squareA += (a[i]! - meanA) ** 2;
    squareB += (b[i]! - meanB) ** 2;
  }
  return product / Math.sqrt(squareA * squareB);
}
