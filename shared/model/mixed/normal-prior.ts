/**
 * Prior of a class's normal on the unit scale: mu | sigma2 ~ N(0.5, sigma2 / kappa), sigma2 ~ inverse gamma(shape, rate)
 * truncated below at the square of the smallest standard deviation.
 */
export interface NormalPrior {
  /** kappa0: how many values the prior's mean counts for. */
  readonly kappa: number;
  /** a0. */
  readonly shape: number;
  /** b0. */
  readonly rate: number;
}
