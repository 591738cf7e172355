import type { Plan } from '../../../contracts/run/plan.ts';
import { chainsNeeded } from '../../rounds/chains-needed.ts';
import { synthesisSchedule } from './synthesize-chain.ts';

/** Iterations of a chain that is fresh. */
const freshIterations = ({ config: { mcmc } }: Plan) => mcmc.burnIn + mcmc.draws * mcmc.thin;

/** Units of work of a task of each step: iterations of a chain, or draws under which a dataset is weighed. */
export const chainUnits = {
  fit: freshIterations,
  synthesize({ config }: Plan) {
    const { burnIn, draws, thin } = synthesisSchedule(config);
    return burnIn + draws * thin;
  },
  pair(plan: Plan) {
    const { mcmc } = plan.config;
    const fresh = plan.datasets.origin === 'elsewhere' ? mcmc.burnIn : 0;
    return fresh + chainsNeeded(plan).sides.length * mcmc.pairedDraws * mcmc.pairedThin;
  },
  learn: freshIterations,
  weigh: ({ datasets, config }: Plan) => datasets.count * config.mcmc.draws,
};
