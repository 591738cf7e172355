import type { Prior } from '../../contracts/config/config.ts';

/**
 * What an intruder believes of the candidates of rows before the release. `model`: each is believed as likely as the model
 * finds it without the record, which is estimated with the likelihood (`priorTerm`), error and all. `given`: `of` gives
 * logarithms of the prior of a row's candidates that are considered, up to a constant, the truth first; the array is valid
 * until the next call. A candidate of prior zero has {@link LOG_ZERO}.
 */
export type RowPriors =
  | { readonly source: 'uniform' }
  | { readonly source: 'model' }
  | { readonly source: 'given'; readonly of: (row: number) => Float64Array };

/** No candidate is preferred. */
export const UNIFORM: RowPriors = { source: 'uniform' };

/** What a prior says of candidates that gives none of them a weight of its own. Throws RangeError for one that does. */
export function priorOf(prior: Prior): RowPriors {
  if (prior === 'uniform') return UNIFORM;
  if (prior === 'model') return { source: 'model' };
  throw new RangeError('the prior has weights of its own');
}

/**
 * Stands for the logarithm of zero: no likelihood makes up for it, its exponential is exactly 0, and sums in which it
 * counts 0 times stay numbers.
 */
export const LOG_ZERO = -1e9;
