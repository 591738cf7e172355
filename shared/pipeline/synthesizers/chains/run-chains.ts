import { encodeCheckedNpy } from '../../../arrays/checked-npy.ts';
import { type RunContext, type RunModel, readRunContext } from '../../../artifacts/run-context.ts';
import {
  readDataset,
  readDatasetSource,
  readGeneratingState,
  storeFullDataset,
  storePartialDataset,
} from '../../../artifacts/stored-dataset.ts';
import { hasDraws, readDraws, writeDraws } from '../../../artifacts/stored-draws.ts';
import { readPartialDataset, readRecordTable } from '../../../artifacts/stored-table.ts';
import { type Config, earlySchedule, integratesPhi, keepsLatent } from '../../../contracts/config/config.ts';
import { knowledgeName } from '../../../contracts/config/knowledge.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { DatasetSource, Plan } from '../../../contracts/run/plan.ts';
import type { ChainSampler, ChainState } from '../../../model/chains/chain-sampler.ts';
import { type Schedule, sampleChain, stateOfDraw } from '../../../model/chains/sample-chain.ts';
import { type SynthesizedColumns, synthesizeFromOwnClass, synthesizeRecords } from '../../../model/dpmpm/dpmpm-synthesis.ts';
import type { RandomSource } from '../../../random/random-source.ts';
import type { Store } from '../../../storage/store.ts';
import { CombinationIndex } from '../../../table/combination-index.ts';
import type { CombinationsOfRecords } from '../../../table/combinations.ts';
import { someCombinations } from '../../../table/combinations.ts';
import { stackCombinations, uniqueCombinations } from '../../../table/distinct-rows.ts';
import type { Support } from '../../../table/support/support.ts';
import { type Column, incompleteColumns, type Table } from '../../../table/table.ts';
import { chainsNeeded, lesserChain, numbered } from '../../rounds/chains-needed.ts';
import { type ChainModel, type Chains, chainModel } from '../chain-model.ts';
import type { FitStep, FitTask } from '../synthesizer.ts';

/** A run by a model with chains. */
export interface ChainRun {
  readonly plan: Plan;
  readonly chains: Chains;
}

/** How a step of such a model is done: what it makes is in the store, where what is there already stays. */
export type RunStep<Step extends FitStep> = (store: Store, run: ChainRun, task: FitTask<Step>, onIteration: () => void) => Promise<void>;

/** Reads what every chain of a run starts from, with its model to be bound to records. */
export async function openChainRun(store: Store, { plan, chains }: ChainRun): Promise<RunContext & ChainModel> {
  const run = await readRunContext(store, plan);
  return { ...run, ...chainModel(chains, plan.config, run.table.schema, run.support) };
}

/** A chain to be run: fresh unless it goes on from a state. */
interface ChainToRun {
  /** Of its draws and of its stream. */
  readonly name: string;
  readonly model: ChainSampler;
  readonly schedule: Schedule;
  readonly start?: ChainState | null;
}

/** Runs a chain and stores its draws. Returns the state in which it ends. */
async function runChain(
  store: Store,
  { plan, streams }: RunContext,
  { name, model, schedule, start }: ChainToRun,
  onIteration: () => void,
) {
  const random = streams.open(`chain/${name}`);
  const { draws, last } = sampleChain(model, start ?? model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, plan.runId, name, draws);
  return last;
}

/** Combinations of the table whose classes a chain keeps with each draw. */
const keptAllocation = ({ plan, table }: RunContext) => (integratesPhi(plan.config) ? table.combinations.count : 0);

/** Runs one base chain, fresh on the table: `base/<chain>`, and before it its draws up to half its burn-in, `early/<chain>`. */
export const fitChain: RunStep<'fit'> = async (store, run, { runId, chain }, onIteration) => {
  const name = `base/${chain}`;
  if (await hasDraws(store, runId, name)) return;
  const context = await openChainRun(store, run);
  const { config } = context.plan;
  const { mcmc } = config;
  const model = context.bind(context.table.combinations);
  const keepAllocation = keptAllocation(context);
  const random = context.streams.open(`chain/${name}`);
  const goOn = (start: ChainState, schedule: Schedule) =>
    sampleChain(model, start, random, { ...schedule, keepAllocation }, { name, onIteration });
  const early = earlySchedule(config);
  const start = model.init(random);
  const half = early ? goOn(start, { ...early, keepLatent: false }) : null;
  const burnIn = early ? mcmc.burnIn - Math.floor(mcmc.burnIn / 2) : mcmc.burnIn;
  const { draws } = goOn(half?.last ?? start, { ...mcmc, burnIn, keepLatent: keepsLatent(config) });
  const earlyName = `early/${chain}`;
  if (half && !(await hasDraws(store, runId, earlyName))) await writeDraws(store, runId, earlyName, half.draws);
  await writeDraws(store, runId, name, draws);
};

/**
 * Runs one chain of an intruder who does not have all records but one: fresh, on the records that they have, and a dataset
 * below them unless the task says 0. {@link lesserChain} names it.
 */
export const learnChain: RunStep<'learn'> = async (store, run, { runId, scenario, dataset, chain }, onIteration) => {
  const { knows } = run.plan.config.attributeRisk.scenarios[scenario - 1]!;
  if (knows === undefined) throw new RangeError(`scenario ${scenario} is of an intruder with all records but one`);
  const name = lesserChain(knows, dataset, chain);
  if (await hasDraws(store, runId, name)) return;
  const context = await openChainRun(store, run);
  const own = someCombinations(context.table.combinations, context.known.get(knowledgeName(knows))!);
  const records = dataset === 0 ? own : stackCombinations(own, (await readDataset(store, runId, dataset)).combinations);
  const schedule = { ...context.plan.config.mcmc, keepLatent: false };
  await runChain(store, context, { name, model: context.bind(records), schedule }, onIteration);
};

/**
 * A run's model bound to its table with a dataset (numbered from 1). Records of a fully synthetic dataset come below those of the table,
 * since their classes are drawn anew. Values that were synthesized from a record's own class stand beside the record's own.
 */
async function bindStacked(store: Store, { plan, table, synthesized, bind, bindBeside }: RunModel & ChainModel, dataset: number) {
  if (synthesized === null) {
    const { combinations } = await readDataset(store, plan.runId, dataset);
    return bind(stackCombinations(table.combinations, combinations));
  }
  const records = await readRecordTable(store, plan);
  return bindBeside(records, await readPartialDataset(store, plan, dataset, records));
}

/**
 * Runs one pair of chains of a dataset: `stacked/<dataset>/<chain>` (the augmented chain, on the table stacked with the
 * dataset) and `alone/<dataset>/<chain>` (on the table alone).
 *
 * Both go on from the draw that generated the dataset. Where that is unknown, the augmented chain starts
 * fresh, with full burn-in, and the chain on the table alone goes on from its end, in the mode it found.
 */
export const pairChain: RunStep<'pair'> = async (store, run, { runId, dataset, chain }, onIteration) => {
  const { sides } = chainsNeeded(run.plan);
  const names = { stacked: `stacked/${dataset}/${chain}`, alone: `alone/${dataset}/${chain}` };
  const present = await Promise.all(sides.map((side) => hasDraws(store, runId, names[side])));
  if (present.every(Boolean)) return;
  const context = await openChainRun(store, run);
  const { mcmc } = context.plan.config;
  const generating = await readGeneratingState(store, runId, await readDatasetSource(store, runId, dataset));
  // The combinations of the table come first in the stack.
  const going = { burnIn: 0, draws: mcmc.pairedDraws, thin: mcmc.pairedThin, keepLatent: false, keepAllocation: keptAllocation(context) };
  let start = generating;
  if (sides.includes('stacked')) {
    const model = await bindStacked(store, context, dataset);
    const schedule = generating ? going : { ...going, burnIn: mcmc.burnIn };
    const last = await runChain(store, context, { name: names.stacked, model, schedule, start: generating }, onIteration);
    start ??= last;
  }
  if (start === null) throw new RangeError('a dataset made elsewhere needs its stacked chain');
  const model = context.bind(context.table.combinations);
  await runChain(store, context, { name: names.alone, model, schedule: going, start }, onIteration);
};

/**
 * Log-likelihood of every dataset under every draw of one base chain: the log of p_j, the weights of the
 * published estimator (000 eq. 14). Stored as datasets x draws.
 */
export const weighDatasets: RunStep<'weigh'> = async (store, run, { runId, chain }, onIteration) => {
  const key = runKeys(runId).logWeights(chain);
  if ((await store.head(key)) !== null) return;
  const context = await openChainRun(store, run);
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
};

/** Records whose codes are in memory at a time. */
const BLOCK_RECORDS = 65_536;

/**
 * The draws of a synthesis chain that generate datasets. A chain of its own gives one, `thin` iterations after burn-in; one chain for all
 * gives one after each stretch as long as a base chain's draws, so that they are far apart (000 section 2).
 */
function synthesisSchedule({ mcmc, synthesis }: Config): Schedule {
  return synthesis.chains === 'own'
    ? { burnIn: mcmc.burnIn, draws: 1, thin: mcmc.thin }
    : { burnIn: mcmc.burnIn, draws: synthesis.datasets, thin: mcmc.draws * mcmc.thin };
}

/** Synthesizes one dataset: its combinations, and which of them each record has. */
function synthesizeDataset(
  state: ChainState,
  sizes: readonly number[],
  records: number,
  random: RandomSource,
  support?: Support,
): CombinationsOfRecords {
  const variables = sizes.length;
  const index = new CombinationIndex(variables);
  const combinationOfRecord = new Uint32Array(records);
  for (let from = 0; from < records; from += BLOCK_RECORDS) {
    const length = Math.min(BLOCK_RECORDS, records - from);
    const codes = synthesizeRecords(state, sizes, length, random, support);
    for (let i = 0; i < length; i++) combinationOfRecord[from + i] = index.add(codes, i * variables, 1);
  }
  return { combinations: index.combinations(), combinationOfRecord };
}

/** Synthesizes some columns of a table anew, each record's values from its own class, and fills in what others lack. */
function replaceColumns(
  state: ChainState,
  table: Table,
  columns: Omit<SynthesizedColumns, 'completed'>,
  random: RandomSource,
): Map<number, Column> {
  const { synthesized } = columns;
  const completed = incompleteColumns(table).filter((k) => !synthesized.includes(k));
  const codes = synthesizeFromOwnClass(state, uniqueCombinations(table), { ...columns, completed }, random);
  return new Map([...synthesized, ...completed].map((k, j) => [k, { type: 'categorical', codes: codes[j]! }]));
}

/**
 * Runs one synthesis chain and writes the datasets that it generates (with `own` chains, the one of its
 * number): the file to release, what the pipeline reads, and which draw made it.
 */
export const synthesizeChain: RunStep<'synthesize'> = async (store, run, { runId, chain }, onIteration) => {
  const keys = runKeys(runId);
  const { config } = run.plan;
  const datasets = config.synthesis.chains === 'own' ? [chain] : numbered(config.synthesis.datasets);
  const sources = await Promise.all(datasets.map((l) => store.head(keys.dataset(l).source)));
  if (sources.every((source) => source !== null)) return;

  const { plan, streams, table, support, synthesized, bind } = await openChainRun(store, run);
  const name = `synthesis/${chain}`;
  const schedule = synthesisSchedule(config);
  const model = bind(table.combinations);
  const random = streams.open(`chain/${name}`);
  const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
  const { records } = plan.table;
  const recordTable = synthesized && (await readRecordTable(store, plan));
  for (const [draw, dataset] of datasets.entries()) {
    const stream = streams.openReleased(`dataset/${dataset}`);
    const state = stateOfDraw(draws, draw);
    const iteration = schedule.burnIn + (draw + 1) * schedule.thin;
    const source: DatasetSource = { origin: 'synthesized', records, chain: name, draw, iteration };
    if (recordTable) {
      const columns = replaceColumns(state, recordTable, { sizes: table.sizes, synthesized, support }, stream);
      await storePartialDataset(store, plan, recordTable, { dataset, rows: columns, source });
      continue;
    }
    const rows = synthesizeDataset(state, table.sizes, records, stream, support);
    await storeFullDataset(store, plan, table.schema, { dataset, rows, source });
  }
};

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
