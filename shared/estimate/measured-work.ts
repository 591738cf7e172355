import { allocationBytes } from '../artifacts/stored-draws.ts';
import { readCheckedJson } from '../artifacts/stored-json.ts';
import { partNumbers, VALUE_NUMBERS } from '../artifacts/stored-part.ts';
import { scoresCells } from '../contracts/candidates.ts';
import { earlySchedule, lesserKnowledge } from '../contracts/config/config.ts';
import { runKeys } from '../contracts/keys.ts';
import { factsOf } from '../contracts/models/models.ts';
import { type Plan, planSchema, type Task } from '../contracts/run/plan.ts';
import { openScenarios, valueSets } from '../contracts/run/scenarios.ts';
import type { CloudWork } from '../cost/cloud-work.ts';
import { methodOf } from '../pipeline/methods/methods.ts';
import type { ChainNumbers } from '../pipeline/rounds/chain-growth.ts';
import { chainsNeeded, firstRound, isStackedLesson, lesserChains, type PhaseTasks } from '../pipeline/rounds/chains-needed.ts';
import { type RoundReference, readRoundChains } from '../pipeline/rounds/stored-round.ts';
import { roundTasks } from '../pipeline/synthesizers/round-tasks.ts';
import { taskUnits } from '../pipeline/tasks/run-task.ts';
import { missingTasks, readRoundTasks } from '../pipeline/tasks/stored-tasks.ts';
import type { Store } from '../storage/store.ts';
import type { RunEstimate } from './estimate-run.ts';

/** Schema, combinations and counts. */
const TABLE_OBJECTS = 3;

/** Combinations, counts, source and the file to release. */
const DATASET_OBJECTS = 4;

/** What every task of the chains reads: plan, table and release key. Beside them, it asks whether its draws are there. */
const TASK_READS = 2 + TABLE_OBJECTS;

/** What a pair reads beside that: whether its draws are there, and the dataset with its source and generating draw. */
const PAIR_READS = 2 + 2 + 1 + 1;

/** What is to be done in a round, and the chains on which its estimate rests. */
export interface RoundWork {
  readonly tasks: PhaseTasks;
  readonly chains: ChainNumbers;
}

/** True for a chain of an intruder who knows less that no dataset is with. */
const isAlone = (task: Task) => task.step === 'learn' && task.dataset === 0;

/** Draws under which every candidate is scored, with so many chains. */
function drawsScored(plan: Plan, chains: ChainNumbers): number {
  const { mcmc } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan, chains);
  return base * mcmc.draws + pairs * sides.length * mcmc.pairedDraws;
}

/** The same with the draws of intruders who know less. */
const allDrawsScored = (plan: Plan, chains: ChainNumbers): number =>
  drawsScored(plan, chains) + lesserChains(plan, chains) * plan.config.mcmc.draws;

/**
 * What a round of a run has to do and to move, by default all of the first, from its plan and the speeds and sizes that were
 * measured for the first.
 */
export function measuredWork(
  plan: Plan,
  { densityBytes = 0, diskMiB, secondsPer, stepMemory }: Pick<RunEstimate, 'densityBytes' | 'diskMiB' | 'secondsPer' | 'stepMemory'>,
  { chains, tasks }: RoundWork = { tasks: roundTasks(plan, firstRound(plan)), chains: firstRound(plan) },
): CloudWork {
  const { mcmc } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan, chains);
  const first = drawsScored(plan, mcmc);
  const growth = first === 0 ? 1 : allDrawsScored(plan, chains) / allDrawsScored(plan, mcmc);
  const stackedIterations = sides.includes('stacked') ? mcmc.pairedDraws * mcmc.pairedThin : 0;
  /** Iterations of a task on a table with a dataset. */
  const onBoth = (task: Task) => {
    if (task.step === 'pair') return stackedIterations;
    return isStackedLesson(plan, task) ? taskUnits(plan, task, mcmc) : 0;
  };
  const secondsOf = (task: Task) => {
    if (task.step === 'grow') return secondsPer.tree!;
    if (task.step === 'drop' || task.step === 'draw') return secondsPer.dataset!;
    return secondsOfChain(task);
  };
  const secondsOfChain = (task: Task) =>
    taskUnits(plan, task, mcmc) * secondsPer.iteration + onBoth(task) * (secondsPer.stackedIteration - secondsPer.iteration);
  const [lessons, others] = [true, false].map((isLesson) => tasks.augment.filter(({ step }) => (step === 'learn') === isLesson)) as [
    Task[],
    Task[],
  ];
  const ofStage = (stage: 1 | 2, ...phases: readonly Task[][]) =>
    phases.flatMap((equal) => (equal.length === 0 ? [] : [{ stage, tasks: equal.length, secondsPerTask: secondsOf(equal[0]!) }]));
  const phases = [
    ...ofStage(1, [...tasks.fit], [...tasks.synthesize]),
    ...ofStage(
      2,
      others,
      lessons.filter(isAlone),
      lessons.filter((task) => !isAlone(task)),
    ),
  ];
  const scoredChains = base + pairs * sides.length;
  const lesser = lesserChains(plan, chains);
  // Of classes of combinations, which are in files of their own, a batch reads its own.
  const stored = diskMiB * 1024 * 1024;
  const ofCombinations = first * allocationBytes(plan, plan.table.combinations);
  const filesPerChain = ofCombinations > 0 ? 2 : 1;
  // A base chain stores draws half-way through its burn-in as well, which batches read.
  const chainFiles = filesPerChain * (scoredChains + (earlySchedule(plan.config) ? base : 0)) + lesser;
  const keys = runKeys(plan.runId);
  const datasets = plan.datasets.count;
  const { scenarios } = plan.config.attributeRisk;
  const knowledge = lesserKnowledge(plan.config).length;
  const allCells = scenarios.some(({ candidates }) => scoresCells(candidates));
  const storesBeside = scenarios.some((scenario) => methodOf(plan.config, scenario).readBeside);
  const hasDensities = factsOf(plan.config.model).offers.includes('densities');
  const partObjects = Object.keys(keys.part(1, 1)).filter(
    (name) =>
      (allCells || (name !== 'guesses' && name !== 'marginals')) &&
      (storesBeside || name !== 'beside') &&
      (hasDensities || name !== 'densities') &&
      (knowledge > 0 || name !== 'datasetSums'),
  );
  const values = openScenarios(plan).reduce((sum, scenario) => sum + (scenario.batches.at(-1)?.to ?? 0) * valueSets(plan, scenario), 0);
  return {
    phases,
    batches: tasks.assess.flatMap((task) => {
      const range = 'batch' in task ? plan.batches[task.batch - 1] : undefined;
      return range ? [range.to - range.from] : [];
    }),
    secondsPerCombination: secondsPer.combination * growth,
    values,
    valueBytes: values * VALUE_NUMBERS * Float64Array.BYTES_PER_ELEMENT,
    stepMemory,
    utilitySeconds: secondsPer.utility + (secondsPer.reconstruction ?? 0),
    storedBytes: growth * stored,
    draws: { bytes: growth * (stored - ofCombinations), objects: chainFiles },
    // Two bytes a code and four a count; the schema is small beside them.
    table: { bytes: plan.table.combinations * (2 * plan.table.variables + 4), objects: TABLE_OBJECTS + knowledge + datasets },
    // The plan, the release key, the chains of the round, and whether the part is there.
    contextObjects: 4,
    part: {
      // What all cells have beside them is small.
      bytesPerCombination: partNumbers(plan.datasets.count) * Float64Array.BYTES_PER_ELEMENT + densityBytes,
      objects: partObjects.length,
    },
    fitReads: (tasks.fit.length + tasks.synthesize.length) * (TASK_READS + 1) + tasks.augment.length * (TASK_READS + PAIR_READS),
    fitObjects: chainFiles + tasks.synthesize.length + datasets * DATASET_OBJECTS,
  };
}

/** What a round of a run still has to do: its tasks without those whose results are stored. */
export async function remainingWork(store: Store, reference: RoundReference): Promise<RoundWork> {
  const keys = runKeys(reference.runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const tasks = await readRoundTasks(store, reference);
  const missing = await missingTasks(store, plan);
  const left: PhaseTasks = {
    fit: await missing(tasks.fit),
    synthesize: await missing(tasks.synthesize),
    augment: await missing(tasks.augment),
    assess: await missing(tasks.assess),
  };
  return { tasks: left, chains: await readRoundChains(store, plan, reference.round) };
}
