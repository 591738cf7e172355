import { readDatasetSource } from '../../artifacts/stored-dataset.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import {
  augmentedTerms,
  type ChainTerm,
  parametersTerms,
} from '../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../risk/attribute/chain-evaluations.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import type { Side } from '../rounds/chains-needed.ts';

/** The whole numbers from 1 up to `count`. */
export const numbered = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

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

/** What an expectation of a run's estimator is over, before anything of it is read. */
export type StoredChains = DrawnChains | GeneratingDraw;

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

/**
 * The terms of a run's estimator, each with its chains, whatever the candidates are that will be scored. `importance`
 * has others, since it weighs the base chains alone.
 */
export async function runTerms(
  store: Store,
  plan: Plan,
  numbers: ChainNumbers,
): Promise<ChainTerm<StoredChains>[]> {
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
    pairs.push({
      stacked: side('stacked', dataset, name),
      table: side('alone', dataset, name),
      chainByChain,
    });
  }
  return augmentedTerms<StoredChains>(base, pairs);
}
