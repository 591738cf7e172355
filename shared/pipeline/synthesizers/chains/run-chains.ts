import { readDatasetSource, readGeneratingState } from '../../../artifacts/stored-dataset.ts';
import { writeDraws } from '../../../artifacts/stored-draws.ts';
import { type Config, earlySchedule, keepsLatent } from '../../../contracts/config/config.ts';
import type { Knowledge } from '../../../contracts/config/knowledge.ts';
import type { DatasetSource, Plan } from '../../../contracts/run/plan.ts';
import { openScenario } from '../../../contracts/run/scenarios.ts';
import type { ChainSampler, ChainState } from '../../../model/chains/chain-sampler.ts';
import { type Schedule, sampleChain, stateOfDraw } from '../../../model/chains/sample-chain.ts';
import type { RandomSource } from '../../../random/random-source.ts';
import type { KeyedStreams } from '../../../random/streams.ts';
import type { Store } from '../../../storage/store.ts';
import { chainsNeeded, lesserChain, numbered } from '../../rounds/chains-needed.ts';
import type { FitStep, FitTask, Steps } from '../synthesizer.ts';

/** A run by a model with chains, its table read: what its chains are bound to, and how a draw of them makes a dataset. */
export interface BoundRun {
  readonly plan: Plan;
  readonly streams: KeyedStreams;
  /** Rows of the table whose classes a chain keeps with each draw, to integrate parameters out; nothing is kept without it. */
  readonly keepAllocation?: number | undefined;
  /** The model on the table alone. */
  alone(): ChainSampler;
  /**
   * The model on the table with a dataset (numbered from 1). Records of a fully synthetic dataset come below those of the table,
   * since their classes are drawn anew. Values that were synthesized from a record's own class stand beside the record's own.
   */
  stacked(dataset: number): Promise<ChainSampler>;
  /** The model on the records that an intruder has who does not have all but one, with a dataset below them unless it is 0. */
  learned(knows: Knowledge, dataset: number): Promise<ChainSampler>;
  /** Synthesizes a dataset (numbered from 1) from a state, and stores it. */
  synthesize(state: ChainState, made: { readonly dataset: number; readonly source: DatasetSource }, random: RandomSource): Promise<void>;
}

/** Reads what every chain of a run starts from. */
export type OpenRun = (store: Store, plan: Plan) => Promise<BoundRun>;

/** How a step of a model is done: what it makes is in the store, where what is there already stays. */
export type RunStep<Step extends FitStep> = (store: Store, plan: Plan, task: FitTask<Step>, onIteration: () => void) => Promise<void>;

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
  { plan, streams }: Pick<BoundRun, 'plan' | 'streams'>,
  { name, model, schedule, start }: ChainToRun,
  onIteration: () => void,
) {
  const random = streams.open(`chain/${name}`);
  const { draws, last } = sampleChain(model, start ?? model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, plan.runId, name, draws);
  return last;
}

/** Runs one base chain, fresh on the table: `base/<chain>`, and before it its draws up to half its burn-in, `early/<chain>`. */
const fitChain =
  (open: OpenRun): RunStep<'fit'> =>
  async (store, plan, { runId, chain }, onIteration) => {
    const name = `base/${chain}`;
    const run = await open(store, plan);
    const { config } = plan;
    const { mcmc } = config;
    const { keepAllocation } = run;
    const model = run.alone();
    const random = run.streams.open(`chain/${name}`);
    const goOn = (start: ChainState, schedule: Schedule) =>
      sampleChain(model, start, random, { ...schedule, keepAllocation }, { name, onIteration });
    const early = earlySchedule(config);
    const start = model.init(random);
    const half = early ? goOn(start, { ...early, keepLatent: false }) : null;
    const burnIn = early ? mcmc.burnIn - Math.floor(mcmc.burnIn / 2) : mcmc.burnIn;
    const { draws } = goOn(half?.last ?? start, { ...mcmc, burnIn, keepLatent: keepsLatent(config) });
    if (half) await writeDraws(store, runId, `early/${chain}`, half.draws);
    await writeDraws(store, runId, name, draws);
  };

/**
 * Runs one pair of chains of a dataset: `stacked/<dataset>/<chain>` (the augmented chain, on the table stacked with the
 * dataset) and `alone/<dataset>/<chain>` (on the table alone).
 *
 * Both go on from the draw that generated the dataset. Where that is unknown, the augmented chain starts
 * fresh, with full burn-in, and the chain on the table alone goes on from its end, in the mode it found.
 */
const pairChain =
  (open: OpenRun): RunStep<'pair'> =>
  async (store, plan, { runId, dataset, chain }, onIteration) => {
    const { sides } = chainsNeeded(plan);
    const names = { stacked: `stacked/${dataset}/${chain}`, alone: `alone/${dataset}/${chain}` };
    const run = await open(store, plan);
    const { mcmc } = plan.config;
    const generating = await readGeneratingState(store, runId, await readDatasetSource(store, runId, dataset));
    // The rows of the table come first in the stack.
    const { keepAllocation } = run;
    const going = { burnIn: 0, draws: mcmc.pairedDraws, thin: mcmc.pairedThin, keepLatent: false, keepAllocation };
    let start = generating;
    if (sides.includes('stacked')) {
      const model = await run.stacked(dataset);
      const schedule = generating ? going : { ...going, burnIn: mcmc.burnIn };
      const last = await runChain(store, run, { name: names.stacked, model, schedule, start: generating }, onIteration);
      start ??= last;
    }
    if (start === null) throw new RangeError('a dataset made elsewhere needs its stacked chain');
    await runChain(store, run, { name: names.alone, model: run.alone(), schedule: going, start }, onIteration);
  };

/**
 * Runs one chain of an intruder who does not have all records but one: fresh, on the records that they have, and a dataset
 * below them unless the task says 0. {@link lesserChain} names it. None of its rows is scored.
 */
const learnChain =
  (open: OpenRun): RunStep<'learn'> =>
  async (store, plan, { scenario, dataset, chain }, onIteration) => {
    const { knows, phi } = openScenario(plan, scenario);
    if (knows === undefined) throw new RangeError(`scenario ${scenario} is of an intruder with all records but one`);
    const name = lesserChain(knows, dataset, chain);
    const run = await open(store, plan);
    const schedule = { ...plan.config.mcmc, keepLatent: false, ...(phi === 'integrated' ? { keepAllocation: 0 } : {}) };
    await runChain(store, run, { name, model: await run.learned(knows, dataset), schedule }, onIteration);
  };

/**
 * The draws of a synthesis chain that generate datasets. A chain of its own gives one, `thin` iterations after burn-in; one chain for all
 * gives one after each stretch as long as a base chain's draws, so that they are far apart (Hu et al. 2014, section 2).
 */
function synthesisSchedule({ mcmc, synthesis }: Config): Schedule {
  return synthesis.chains === 'own'
    ? { burnIn: mcmc.burnIn, draws: 1, thin: mcmc.thin }
    : { burnIn: mcmc.burnIn, draws: synthesis.datasets, thin: mcmc.draws * mcmc.thin };
}

/**
 * Runs one synthesis chain and writes the datasets that it generates (with `own` chains, the one of its
 * number): the file to release, what the pipeline reads, and which draw made it.
 */
const synthesizeChain =
  (open: OpenRun): RunStep<'synthesize'> =>
  async (store, plan, { runId, chain }, onIteration) => {
    const { config } = plan;
    const datasets = config.synthesis.chains === 'own' ? [chain] : numbered(config.synthesis.datasets);
    const run = await open(store, plan);
    const name = `synthesis/${chain}`;
    const schedule = synthesisSchedule(config);
    const model = run.alone();
    const random = run.streams.open(`chain/${name}`);
    const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
    await writeDraws(store, runId, name, draws);
    const { records } = plan.table;
    for (const [draw, dataset] of datasets.entries()) {
      const iteration = schedule.burnIn + (draw + 1) * schedule.thin;
      const source: DatasetSource = { origin: 'synthesized', records, chain: name, draw, iteration };
      await run.synthesize(stateOfDraw(draws, draw), { dataset, source }, run.streams.openReleased(`dataset/${dataset}`));
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

/** The steps of chains: base chains, chains that synthesize, pairs, and chains of intruders who know less. */
export const chainSteps = (open: OpenRun): Required<Pick<Steps, 'fit' | 'synthesize' | 'pair' | 'learn'>> => ({
  fit: { run: fitChain(open), units: chainUnits.fit },
  synthesize: { run: synthesizeChain(open), units: chainUnits.synthesize },
  pair: { run: pairChain(open), units: chainUnits.pair },
  learn: { run: learnChain(open), units: chainUnits.learn },
});
