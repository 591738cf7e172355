import type { Plan, Task } from '../../../contracts/run/plan.ts';
import type { ChainNumbers } from '../../rounds/chain-growth.ts';
import { chainsNeeded, hasAttributeRisk, lesserTasks, numbered, numbersAfter } from '../../rounds/chains-needed.ts';
import type { Chains } from '../chain-model.ts';
import type { MeasuredCombinations } from '../run-sizes.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { chainBytes } from './chain-bytes.ts';
import { combinationSteps } from './combination-run.ts';
import { estimateChains } from './estimate-chains.ts';

/** The chains that a round adds; the datasets are synthesized in the first. */
export function chainTasks(
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
    steps: combinationSteps(chains),
    bytes: (run) => chainBytes(run, chains),
    // Their records are categories, so that combinations are there.
    estimate: (run, measuring) => estimateChains(run as MeasuredCombinations, chains, measuring),
    describe,
  };
}
