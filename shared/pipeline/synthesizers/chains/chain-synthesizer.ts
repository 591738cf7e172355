import type { Plan, Task } from '../../../contracts/run/plan.ts';
import type { Store } from '../../../storage/store.ts';
import type { ChainNumbers } from '../../rounds/chain-growth.ts';
import { chainsNeeded, hasAttributeRisk, lesserTasks, numbered, numbersAfter } from '../../rounds/chains-needed.ts';
import type { Chains } from '../chain-model.ts';
import type { MeasuredCombinations } from '../run-sizes.ts';
import type { FitTask, Steps, Synthesizer } from '../synthesizer.ts';
import { chainBytes } from './chain-bytes.ts';
import { estimateChains } from './estimate-chains.ts';
import { chainUnits, fitChain, learnChain, pairChain, type RunStep, synthesizeChain, weighDatasets } from './run-chains.ts';

/** A step of such a model. */
type ChainStep = keyof typeof chainUnits;

/** How each step is done, by the model that a run has. */
const RUNS: { readonly [Step in ChainStep]: RunStep<Step> } = {
  fit: fitChain,
  synthesize: synthesizeChain,
  pair: pairChain,
  learn: learnChain,
  weigh: weighDatasets,
};

/** The steps of a model with chains. */
function chainSteps(chains: Chains): Steps {
  const stepOf = <Step extends ChainStep>(step: Step) => ({
    run: (store: Store, plan: Plan, task: FitTask<Step>, onUnit: () => void) => RUNS[step](store, { plan, chains }, task, onUnit),
    units: chainUnits[step],
  });
  return { fit: stepOf('fit'), synthesize: stepOf('synthesize'), pair: stepOf('pair'), learn: stepOf('learn'), weigh: stepOf('weigh') };
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
  const paired = numbered(plan.datasets.count).flatMap((dataset) =>
    newPairs.map((chain): Task => ({ step: 'pair', runId, dataset, chain })),
  );
  const weighed = attributeRisk.estimator === 'importance' ? newBase : [];
  return {
    fit: newBase.map((chain) => ({ step: 'fit', runId, chain })),
    synthesize: numbered(synthesisChains).map((chain) => ({ step: 'synthesize', runId, chain })),
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
  describe: (plan: Plan) => ReturnType<Synthesizer['describe']> = ({ config }) => ({ classes: chains.truncation(config) }),
): Synthesizer {
  return {
    chains,
    refusePurpose: () => undefined,
    refuseTable: () => undefined,
    refuteDatasets: () => null,
    tasks: chainTasks,
    steps: chainSteps(chains),
    bytes: (run) => chainBytes(run, chains),
    // Their records are categories, so that combinations are there.
    estimate: (run, measuring) => estimateChains(run as MeasuredCombinations, chains, measuring),
    describe,
  };
}
