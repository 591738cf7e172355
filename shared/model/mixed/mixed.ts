import type { ChainSampler } from '../chains/chain-sampler.ts';
import type { DpmpmSettings } from '../dpmpm/dpmpm.ts';
import type { MixedRows } from './mixed-rows.ts';
import type { NormalPrior } from './normal-prior.ts';

/** Settings of the model `mixed`: those of the DPMPM, and the prior of the normals. */
export interface MixedSettings extends DpmpmSettings {
  /** {@link NORMAL_PRIOR} unless a study of its effect says otherwise. */
  readonly normal?: NormalPrior;
}

/**
 * Binds the model `mixed` to rows: a truncated Dirichlet process mixture whose classes are products of multinomials, as in
 * the DPMPM, and of normals: sum_f pi_f prod_k phi_fk(x_k) prod_j N(y_j; mu_fj, sigma2_fj).
 *
 * States hold mu and sigma2 in `latent` (`normalParameters`). Missing values, and continuous ones that a mass holds,
 * contribute nothing. The allocation has the class of each row in `classOfCombination`, and `valueSums` (`normalSums`).
 */
export declare function createMixed(rows: MixedRows, settings: MixedSettings): Required<ChainSampler>;
