import type { Plan, Task } from '../../../contracts/run/plan.ts';
import type { ChainNumbers } from '../../rounds/chain-growth.ts';
import { chainsNeeded, hasAttributeRisk } from '../../rounds/chains-needed.ts';
import { lesserTasks } from '../../rounds/lesser-chains.ts';
import type { Chains } from '../chain-model.ts';
import type { Steps, Synthesizer } from '../synthesizer.ts';
import { numbersAfter } from '../task-numbers.ts';
import { fitChain } from './fit-chain.ts';
import { learnChain } from './learn-chain.ts';
import { pairChain } from './pair-chain.ts';
import { synthesisSchedule, synthesizeChain } from './synthesize-chain.ts';
import { weighDatasets } from './weigh-datasets.ts';

/** Iterations of a chain that is fresh. */
const freshIterations = ({ config: { mcmc } }: Plan) => mcmc.burnIn + mcmc.draws * mcmc.thin;

/** The steps of a model with chains. */
function chainSteps(chains: Chains): Steps {
  return {
    fit: {
      run: (store, plan, task, onUnit) => fitChain(store, { plan, chains }, task, onUnit),
      units: freshIterations,
    },
    synthesize: {
      run: (store, plan, task, onUnit) => synthesizeChain(store, { plan, chains }, task, onUnit),
      units({ config }) {
        const { burnIn, draws, thin } = synthesisSchedule(config);
        return burnIn + draws * thin;
      },
    },
    pair: {
      run: (store, plan, task, onUnit) => pairChain(store, { plan, chains }, task, onUnit),
      units(plan) {
        const { mcmc } = plan.config;
        const fresh = plan.datasets.origin === 'elsewhere' ? mcmc.burnIn : 0;
        return fresh + chainsNeeded(plan).sides.length * mcmc.pairedDraws * mcmc.pairedThin;
      },
    },
    learn: {
      run: (store, plan, task, onUnit) => learnChain(store, { plan, chains }, task, onUnit),
      units: freshIterations,
    },
    weigh: {
      run: (store, plan, task, onUnit) => weighDatasets(store, { plan, chains }, task, onUnit),
      units: ({ datasets, config }) => datasets.count * config.mcmc.draws,
    },
  };
}

/** The chains that a round adds; the datasets are synthesized in the first. */
function chainTasks(
  plan: Plan,
  { round, numbers }: { readonly round: number; readonly numbers: ChainNumbers },
  before: ChainNumbers,
): ReturnType<Synthesizer['tasks']> {
  const { runId } = plan;
  const { base, sides } = chainsNeeded(plan, numbers);
  const { synthesis, attributeRisk } = plan.config;
  const ownChains = synthesis.chains === 'own' ? plan.datasets.count : 1;
  const synthesisChains = round > 1 || plan.datasets.origin !== 'synthesized' ? 0 : ownChains;
  const newBase = base > 0 ? numbersAfter(before.chains, base) : [];
  const newPairs = sides.length > 0 ? numbersAfter(before.pairedChains, numbers.pairedChains) : [];
  const paired = numbersAfter(0, plan.datasets.count).flatMap((dataset) =>
    newPairs.map((chain): Task => ({ step: 'pair', runId, dataset, chain })),
  );
  const weighed = attributeRisk.estimator === 'importance' ? newBase : [];
  return {
    fit: newBase.map((chain) => ({ step: 'fit', runId, chain })),
    synthesize: numbersAfter(0, synthesisChains).map((chain) => ({ step: 'synthesize', runId, chain })),
    augment: [
      ...paired,
      ...(hasAttributeRisk(plan) ? lesserTasks(plan, numbers, before) : []),
      ...weighed.map((chain): Task => ({ step: 'weigh', runId, chain })),
    ],
  };
}

/** The synthesizer that a model with chains is, but for what it says of itself where that is more than its classes. */
export function chainSynthesizer(
  chains: Chains,
  describe: (plan: Plan) => ReturnType<Synthesizer['describe']> = ({ config }) => ({
    classes: chains.truncation(config),
  }),
): Synthesizer {
  return {
    chains,
    refusePurpose: () => undefined,
    refuseTable: () => undefined,
    refuteDatasets: () => null,
    tasks: chainTasks,
    steps: chainSteps(chains),
    describe,
  };
}
