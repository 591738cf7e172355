import { augmentedTerms, type ChainTerm, parametersTerms, separateTerms } from '../../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../../risk/attribute/chain-evaluations.ts';
import { hasChainsAlone } from '../../rounds/lesser-chains.ts';
import type { MeasuredScenario } from '../run-sizes.ts';

/** A set of chains of which nothing is known but how many they are: what decides the time that they take. */
export interface TimedChains {
  readonly name: string;
  /** The dataset (from 1) of which they tell; of none if left out. */
  readonly dataset?: number;
  readonly chains: number;
  readonly drawsPerChain: number;
}

/** The terms of a run's estimator under a scenario, with the chains that the first round has. */
export function timedTerms({ plan, scenario }: MeasuredScenario): ChainTerm<TimedChains>[] {
  const { mcmc, attributeRisk } = plan.config;
  const { chains, draws, pairedChains, pairedDraws } = mcmc;
  const base: TimedChains = { name: BASE_CHAINS, chains, drawsPerChain: draws };
  const ofDatasets = (name: string, of: Pick<TimedChains, 'chains' | 'drawsPerChain'>) =>
    Array.from({ length: plan.datasets.count }, (_, l): TimedChains => ({ ...of, name: `${name}/${l + 1}`, dataset: l + 1 }));
  if (scenario.knows) {
    // Who has no record has a prior that is the same for every candidate.
    const alone = hasChainsAlone(scenario.knows) ? base : { ...base, chains: 1, drawsPerChain: 1 };
    return separateTerms(alone, ofDatasets('weak', { chains: pairedChains, drawsPerChain: draws }));
  }
  const paired = { chains: pairedChains, drawsPerChain: pairedDraws };
  const tables = ofDatasets('alone', paired);
  const pool = 'arithmetic' as const;
  switch (attributeRisk.estimator) {
    case 'parameters':
      return parametersTerms(base, ofDatasets('generating', { chains: 1, drawsPerChain: 1 }), tables);
    case 'importance':
      return [
        ...ofDatasets('weighed', base).map((weighed) => ({ coefficient: 1, pool, chains: weighed })),
        { coefficient: -plan.datasets.count, pool, chains: base },
      ];
    default:
      return augmentedTerms(
        base,
        ofDatasets('stacked', paired).map((stacked, l) => ({ stacked, table: tables[l]!, chainByChain: false })),
      );
  }
}
