import { readDatasetSource, readGeneratingState } from '../../../artifacts/stored-dataset.ts';
import { hasDraws, writeDraws } from '../../../artifacts/stored-draws.ts';
import { integratesPhi } from '../../../contracts/config/config.ts';
import type { Task } from '../../../contracts/run/plan.ts';
import { sampleChain } from '../../../model/chains/sample-chain.ts';
import type { Store } from '../../../storage/store.ts';
import { chainsNeeded } from '../../rounds/chains-needed.ts';
import { bindStacked } from './bind-stacked.ts';
import { type ChainRun, openChainRun } from './chain-run.ts';

/**
 * Runs one pair of chains of a dataset and stores their draws under `stacked/<dataset>/<chain>` (the
 * augmented chain, on the table stacked with the dataset) and `alone/<dataset>/<chain>` (on the table alone).
 *
 * Both go on from the draw that generated the dataset. Where that is unknown, the augmented chain starts
 * fresh, with full burn-in, and the chain on the table alone goes on from its end, in the mode it found.
 */
export async function pairChain(
  store: Store,
  run: ChainRun,
  { runId, dataset, chain }: Extract<Task, { step: 'pair' }>,
  onIteration: () => void,
): Promise<void> {
  const stackedName = `stacked/${dataset}/${chain}`;
  const aloneName = `alone/${dataset}/${chain}`;
  const { sides } = chainsNeeded(run.plan);
  const wanted = { stacked: stackedName, alone: aloneName };
  const present = await Promise.all(sides.map((side) => hasDraws(store, runId, wanted[side])));
  if (present.every(Boolean)) return;

  const context = await openChainRun(store, run);
  const { plan, streams, table, bind } = context;
  const { mcmc } = plan.config;
  const source = await readDatasetSource(store, runId, dataset);
  const generating = await readGeneratingState(store, runId, source);
  const going = {
    burnIn: 0,
    draws: mcmc.pairedDraws,
    thin: mcmc.pairedThin,
    keepLatent: false,
    // Those of the table come first in the stack.
    keepAllocation: integratesPhi(plan.config) ? table.combinations.count : 0,
  };
  let start = generating;
  if (sides.includes('stacked')) {
    const model = await bindStacked(store, context, dataset);
    const random = streams.open(`chain/${stackedName}`);
    const schedule = generating ? going : { ...going, burnIn: mcmc.burnIn };
    const first = generating ?? model.init(random);
    const { draws, last } = sampleChain(model, first, random, schedule, { name: stackedName, onIteration });
    await writeDraws(store, runId, stackedName, draws);
    start ??= last;
  }
  if (start === null) throw new RangeError('a dataset made elsewhere needs its stacked chain');
  const random = streams.open(`chain/${aloneName}`);
  const { draws } = sampleChain(bind(table.combinations), start, random, going, { name: aloneName, onIteration });
  await writeDraws(store, runId, aloneName, draws);
}
