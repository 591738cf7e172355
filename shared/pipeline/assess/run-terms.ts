import { readDatasetSource } from '../../artifacts/stored-dataset.ts';
import type { Knowledge } from '../../contracts/config/knowledge.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { augmentedTerms, type ChainTerm, parametersTerms, separateTerms } from '../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../risk/attribute/chain-evaluations.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { hasChainsAlone, lesserChain, numbered, type Side } from '../rounds/chains-needed.ts';

/** A run and the one of its intruders whose terms are asked for. */
export interface RunOfScenario {
  readonly plan: Plan;
  readonly scenario: Scenario;
}

/** A set of chains of a run, whose draws are stored. */
interface DrawnChains {
  /** Name under which the chains are resampled and split. */
  readonly name: string;
  /** Names of their draws. */
  readonly draws: readonly string[];
  readonly drawsPerChain: number;
  /** The dataset (from 1) of which they tell, being on it or going on from its mode; null for the base chains. */
  readonly dataset: number | null;
  /** The dataset (from 1) that they are on beside the table; null for the table alone. */
  readonly withDataset: number | null;
}

/** The one draw that generated a dataset (from 1): no chain was run for it, and r_x at it is exact. */
interface GeneratingDraw {
  readonly name: string;
  readonly generating: number;
}

/** The prior of an intruder who has no record: E[f(x)] is the same for all x, and no chain is run for it. */
interface ConstantDensity {
  readonly name: string;
  readonly constant: true;
}

/** What an expectation of a run's estimator is over, before anything of it is read. */
export type StoredChains = DrawnChains | GeneratingDraw | ConstantDensity;

/** The base chains of a run: all those of a round. */
export function baseChains({ config }: Plan, { chains }: ChainNumbers): DrawnChains {
  return {
    name: BASE_CHAINS,
    draws: numbered(chains).map((chain) => `base/${chain}`),
    drawsPerChain: config.mcmc.draws,
    dataset: null,
    withDataset: null,
  };
}

/** The terms of an intruder who does not have all records but one, by the chains on what he has and each dataset. */
function lesserTerms({ config, datasets }: Plan, knows: Knowledge, { chains, pairedChains }: ChainNumbers): ChainTerm<StoredChains>[] {
  const drawsPerChain = config.mcmc.draws;
  const ofDataset = (dataset: number): StoredChains => ({
    name: `weak/stacked/${dataset}`,
    draws: numbered(pairedChains).map((chain) => lesserChain(knows, dataset, chain)),
    drawsPerChain,
    dataset,
    withDataset: dataset,
  });
  const alone: StoredChains = hasChainsAlone(knows)
    ? {
        name: BASE_CHAINS,
        draws: numbered(chains).map((chain) => lesserChain(knows, 0, chain)),
        drawsPerChain,
        dataset: null,
        withDataset: null,
      }
    : { name: BASE_CHAINS, constant: true };
  return separateTerms(alone, numbered(datasets.count).map(ofDataset));
}

/**
 * The terms of a run's estimator, each with its chains, whatever the candidates are that will be scored. `importance`
 * has others, since it weighs the base chains alone.
 */
export async function runTerms(
  store: Store,
  { plan, scenario: { knows } }: RunOfScenario,
  numbers: ChainNumbers,
): Promise<ChainTerm<StoredChains>[]> {
  if (knows) return lesserTerms(plan, knows, numbers);
  const base = baseChains(plan, numbers);
  const side = (of: Side, dataset: number, name = `${of}/${dataset}`): DrawnChains => ({
    name,
    draws: numbered(numbers.pairedChains).map((chain) => `${of}/${dataset}/${chain}`),
    drawsPerChain: plan.config.mcmc.pairedDraws,
    dataset,
    withDataset: of === 'stacked' ? dataset : null,
  });
  const datasets = numbered(plan.datasets.count);
  if (plan.config.attributeRisk.estimator === 'parameters') {
    return parametersTerms<StoredChains>(
      base,
      datasets.map((generating) => ({ name: `generating/${generating}`, generating })),
      datasets.map((dataset) => side('alone', dataset)),
    );
  }
  const pairs = [];
  for (const dataset of datasets) {
    const { origin } = await readDatasetSource(store, plan.runId, dataset);
    const chainByChain = origin === 'elsewhere';
    // Chains that are compared one by one share a name, so that they are resampled together.
    const name = chainByChain ? `pair/${dataset}` : undefined;
    pairs.push({ stacked: side('stacked', dataset, name), table: side('alone', dataset, name), chainByChain });
  }
  return augmentedTerms<StoredChains>(base, pairs);
}
