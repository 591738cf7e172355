import type { Config } from '../../contracts/config/config.ts';
import type { ModelName } from '../../contracts/models/models.ts';
import { cart } from './cart/cart.ts';
import { counts } from './counts/counts.ts';
import { areal } from './dp-areal/areal.ts';
import { dpmpm } from './dpmpm/dpmpm.ts';
import type { Synthesizer } from './synthesizer.ts';

/** All synthesizers, by the name of their model. */
const SYNTHESIZERS: Readonly<Record<ModelName, Synthesizer>> = {
  dpmpm,
  'dp-areal': areal,
  cart,
  'beta-binomial': counts,
  'dirichlet-multinomial': counts,
};

/** The synthesizer of a run. */
export const synthesizerOf = ({ model }: Config): Synthesizer => SYNTHESIZERS[model.name];
