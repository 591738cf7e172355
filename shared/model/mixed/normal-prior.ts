import type { Config } from '../../contracts/config/config.ts';
import { NORMAL_PRIOR_SETTINGS } from '../../contracts/models/mixed.ts';
import { settingsOf } from '../../contracts/models/models.ts';

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

/** The prior's mean: the middle of the declared range. */
const PRIOR_MEAN = 0.5;

/** The prior of a config that sets none. */
export const NORMAL_PRIOR: NormalPrior = { kappa: NORMAL_PRIOR_SETTINGS.meanRecords, ...NORMAL_PRIOR_SETTINGS.variance };

/** The prior that a model's settings give. */
export function normalPriorOf(model: Config['model']): NormalPrior {
  const { meanRecords: kappa, variance } = settingsOf(model, 'mixed');
  return { kappa, ...variance };
}

/** mu | sigma2 ~ N(mean, sigma2 / kappa), sigma2 ~ inverse gamma(shape, rate), truncated as in the prior. */
export interface NormalPosterior extends NormalPrior {
  readonly mean: number;
}

/**
 * The posterior given so many values (DeGroot 1970, section 9.6); truncation leaves it as it is.
 *
 * @param average their mean; any number without values
 * @param squares sum of their squared distances from it
 */
export function normalPosterior({ kappa, shape, rate }: NormalPrior, number: number, average: number, squares: number): NormalPosterior {
  const distance = number === 0 ? 0 : average - PRIOR_MEAN;
  const total = kappa + number;
  const share = number / total;
  return {
    kappa: total,
    mean: PRIOR_MEAN + share * distance,
    shape: shape + 0.5 * number,
    rate: rate + 0.5 * (squares + kappa * share * distance * distance),
  };
}
