import { scoresCells, searchedCells } from '../../contracts/config/config.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import { openScenario, type Scenario } from '../../contracts/run/scenarios.ts';
import { cellPasses } from '../../risk/cells/cell-prior.ts';
import { blocksOf } from '../../risk/cells/cell-scorer.ts';
import type { Store } from '../../storage/store.ts';
import { assessBatch } from '../assess/assess-batch.ts';
import { scoreTargets } from '../assess/score-targets.ts';
import { drawDataset } from '../fit/draw-dataset.ts';
import { dropDataset } from '../fit/drop-dataset.ts';
import { fitChain } from '../fit/fit-chain.ts';
import { growTree } from '../fit/grow-tree.ts';
import { learnChain } from '../fit/learn-chain.ts';
import { pairChain } from '../fit/pair-chain.ts';
import { synthesisSchedule, synthesizeChain } from '../fit/synthesize-chain.ts';
import { weighDatasets } from '../fit/weigh-datasets.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded, hasChains } from '../rounds/chains-needed.ts';
import { lesserChains } from '../rounds/lesser-chains.ts';

/** Runs one task of a run; what it makes is in the store. `onUnit` is called {@link taskUnits} times at most. */
export function runTask(store: Store, task: Task, onUnit: () => void): Promise<void> {
  switch (task.step) {
    case 'fit':
      return fitChain(store, task, onUnit);
    case 'synthesize':
      return synthesizeChain(store, task, onUnit);
    case 'pair':
      return pairChain(store, task, onUnit);
    case 'learn':
      return learnChain(store, task, onUnit);
    case 'weigh':
      return weighDatasets(store, task, onUnit);
    case 'assess':
      return assessBatch(store, task, onUnit);
    case 'score':
      return scoreTargets(store, task, onUnit);
    case 'grow':
      return growTree(store, task, onUnit);
    case 'drop':
      return dropDataset(store, task, onUnit);
    case 'draw':
      return drawDataset(store, task, onUnit);
  }
}

/**
 * Blocks of cells that are scored for a batch, at most: where they are searched for, once more to find them; where a prior is
 * not uniform, once more for its part in the error.
 */
function cellBlocks({ candidates, prior, candidatesPerCombination }: Scenario): number {
  const most = searchedCells(candidates);
  return (most === null ? 0 : blocksOf(most)) + cellPasses(prior) * blocksOf(candidatesPerCombination);
}

/**
 * Units of work of a task, for progress: iterations of a chain, chains scored for a batch, blocks of cells, or one tree
 * or dataset.
 *
 * @param numbers of chains in the task's round
 */
export function taskUnits(plan: Plan, task: Task, numbers: ChainNumbers): number {
  const { mcmc } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan, numbers);
  switch (task.step) {
    case 'fit':
    case 'learn':
      return mcmc.burnIn + mcmc.draws * mcmc.thin;
    case 'synthesize': {
      const { burnIn, draws, thin } = synthesisSchedule(plan.config);
      return burnIn + draws * thin;
    }
    case 'pair': {
      const fresh = plan.datasets.origin === 'elsewhere' ? mcmc.burnIn : 0;
      return fresh + sides.length * mcmc.pairedDraws * mcmc.pairedThin;
    }
    case 'weigh':
      return plan.datasets.count * mcmc.draws;
    case 'assess': {
      if (!hasChains(plan.config)) return 1;
      const scenario = openScenario(plan, plan.batches[task.batch - 1]!.scenario);
      const allCells = scoresCells(scenario.candidates);
      if (scenario.knows) return lesserChains(plan, numbers, [scenario.knows]);
      // A block of cells takes about as long as any other unit, however many cells there are. The base chains are read for
      // them where they are the prior.
      const readBase = !allCells || scenario.prior === 'model';
      return pairs * sides.length + (readBase ? base : 0) + (allCells ? cellBlocks(scenario) : 0);
    }
    case 'score':
      return base + pairs * sides.length;
    case 'grow':
    case 'drop':
    case 'draw':
      return 1;
  }
}
