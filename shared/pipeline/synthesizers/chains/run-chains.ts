import { encodeCheckedNpy } from '../../../arrays/checked-npy.ts';
import { type RunContext, type RunModel, readRunContext, readRunModel } from '../../../artifacts/run-context.ts';
import { readDataset, readDatasetSource, readGeneratingState } from '../../../artifacts/stored-dataset.ts';
import { hasDraws, readDraws, writeDraws } from '../../../artifacts/stored-draws.ts';
import { readPartialDataset, readRecordTable } from '../../../artifacts/stored-table.ts';
import { integratesPhi, keepsLatent } from '../../../contracts/config/config.ts';
import { knowledgeName } from '../../../contracts/config/knowledge.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { Plan, Task } from '../../../contracts/run/plan.ts';
import type { ChainSampler } from '../../../model/chains/chain-sampler.ts';
import { sampleChain, stateOfDraw } from '../../../model/chains/sample-chain.ts';
import type { Store } from '../../../storage/store.ts';
import { stackCombinations } from '../../../table/distinct-rows.ts';
import { someCombinations } from '../../../table/known-combinations.ts';
import { chainsNeeded, lesserChain } from '../../rounds/chains-needed.ts';
import { type ChainModel, type Chains, chainModel } from '../chain-model.ts';

/** A run by a model with chains. */
export interface ChainRun {
  readonly plan: Plan;
  readonly chains: Chains;
}

/** Reads what every chain of a run starts from, with its model to be bound to records. */
export async function openChainRun(store: Store, { plan, chains }: ChainRun): Promise<RunContext & ChainModel> {
  return withModel(await readRunContext(store, plan), chains);
}

/** The same without random streams. */
export async function openChainModel(store: Store, { plan, chains }: ChainRun): Promise<RunModel & ChainModel> {
  return withModel(await readRunModel(store, plan), chains);
}

const withModel = <Model extends RunModel>(run: Model, chains: Chains): Model & ChainModel => ({
  ...run,
  ...chainModel(chains, run.plan.config, run.table.schema, run.support),
});

/** Runs one base chain, fresh on the table, and stores its draws under `base/<chain>`. */
export async function fitChain(
  store: Store,
  run: ChainRun,
  { runId, chain }: Extract<Task, { step: 'fit' }>,
  onIteration: () => void,
): Promise<void> {
  const name = `base/${chain}`;
  if (await hasDraws(store, runId, name)) return;
  const { plan, streams, fitted, bind } = await openChainRun(store, run);
  const model = bind(fitted.combinations);
  const random = streams.open(`chain/${name}`);
  const schedule = {
    ...plan.config.mcmc,
    keepLatent: keepsLatent(plan.config),
    keepAllocation: integratesPhi(plan.config) ? fitted.combinations.count : 0,
  };
  const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
}

/**
 * Runs one chain of an intruder who does not have all records but one: fresh, on the records that he has, and a dataset
 * below them unless the task says 0. Its draws are stored under the name that {@link lesserChain} gives it.
 */
export async function learnChain(
  store: Store,
  run: ChainRun,
  { runId, scenario, dataset, chain }: Extract<Task, { step: 'learn' }>,
  onIteration: () => void,
): Promise<void> {
  const { knows } = run.plan.config.attributeRisk.scenarios[scenario - 1]!;
  if (knows === undefined) throw new RangeError(`scenario ${scenario} is of an intruder with all records but one`);
  const name = lesserChain(knows, dataset, chain);
  if (await hasDraws(store, runId, name)) return;
  const { plan, streams, table, known, bind } = await openChainRun(store, run);
  const own = someCombinations(table.combinations, known.get(knowledgeName(knows))!);
  const records = dataset === 0 ? own : stackCombinations(own, (await readDataset(store, runId, dataset)).combinations);
  const model = bind(records);
  const random = streams.open(`chain/${name}`);
  const schedule = { ...plan.config.mcmc, keepLatent: false };
  const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
}

/**
 * A run's model bound to its table with a dataset (numbered from 1). Records of a fully synthetic dataset come below
 * those of the table, since their classes are drawn anew. Values that were synthesized from a record's own class stand
 * beside the record's own.
 */
export async function bindStacked(
  store: Store,
  { plan, fitted, synthesized, bind, bindBeside }: RunModel & ChainModel,
  dataset: number,
): Promise<ChainSampler> {
  if (synthesized === null) {
    const { combinations } = await readDataset(store, plan.runId, dataset);
    return bind(stackCombinations(fitted.combinations, combinations));
  }
  const records = await readRecordTable(store, plan);
  return bindBeside(records, await readPartialDataset(store, plan, dataset, records));
}

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
  const { plan, streams, fitted, bind } = context;
  const { mcmc } = plan.config;
  const source = await readDatasetSource(store, runId, dataset);
  const generating = await readGeneratingState(store, runId, source);
  const going = {
    burnIn: 0,
    draws: mcmc.pairedDraws,
    thin: mcmc.pairedThin,
    keepLatent: false,
    // Those of the table come first in the stack.
    keepAllocation: integratesPhi(plan.config) ? fitted.combinations.count : 0,
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
  const { draws } = sampleChain(bind(fitted.combinations), start, random, going, { name: aloneName, onIteration });
  await writeDraws(store, runId, aloneName, draws);
}

/**
 * Log-likelihood of every dataset under every draw of one base chain: the log of p_j, the weights of the
 * published estimator (000 eq. 14). Stored as datasets x draws.
 */
export async function weighDatasets(
  store: Store,
  run: ChainRun,
  { runId, chain }: Extract<Task, { step: 'weigh' }>,
  onIteration: () => void,
): Promise<void> {
  const key = runKeys(runId).logWeights(chain);
  if ((await store.head(key)) !== null) return;
  const context = await openChainModel(store, run);
  const { plan, synthesized, bind } = context;
  const draws = await readDraws(store, runId, `base/${chain}`);
  const { count } = plan.datasets;
  const logWeights = new Float64Array(count * draws.draws);
  for (let l = 0; l < count; l++) {
    // P(Z | D, Theta) of values synthesized from the records' own classes is that of both over that of the table.
    const model =
      synthesized === null ? bind((await readDataset(store, runId, l + 1)).combinations) : await bindStacked(store, context, l + 1);
    for (let j = 0; j < draws.draws; j++) {
      const ofTable = synthesized === null ? 0 : draws.logLikelihood[j]!;
      logWeights[l * draws.draws + j] = model.logLikelihood(stateOfDraw(draws, j)) - ofTable;
      onIteration();
    }
  }
  await store.put(key, encodeCheckedNpy(logWeights, [count, draws.draws]), { ifAbsent: true });
}
