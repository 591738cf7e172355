import type { StoredTable } from '../../artifacts/stored-table.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { ModelName } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import { cart } from './cart/cart.ts';
import { counts } from './counts/counts.ts';
import { areal } from './dp-areal/areal.ts';
import { dpmpm } from './dpmpm/dpmpm.ts';
import { mixed } from './mixed/mixed.ts';
import type { Synthesizer } from './synthesizer.ts';

/** All synthesizers, by the name of their model. */
const SYNTHESIZERS: Readonly<Record<ModelName, Synthesizer>> = {
  dpmpm,
  'dp-areal': areal,
  cart,
  mixed,
  'beta-binomial': counts,
  'dirichlet-multinomial': counts,
};

/** The synthesizer of a run. */
export const synthesizerOf = ({ model }: Config): Synthesizer => SYNTHESIZERS[model.name];

/**
 * The scorer that the model of a run has of its own; null for those whose candidates are scored by the product over the
 * variables in each class.
 *
 * @param codes rows x variables, whose kept values the table has
 */
export const ownScorer = ({ config }: Plan, table: StoredTable, space: CandidateSpace, codes: Uint16Array): RatioScorer | null =>
  synthesizerOf(config).chains?.scorer?.(table, space, codes) ?? null;
