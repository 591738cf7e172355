import { CLOSING_TASK, type EnvironmentSize, MOST_FIT_TASKS, SHARE_FOR_INPUTS } from '../contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS } from '../contracts/cloud/cloud-prices.ts';
import { RunTooLargeError, UnsupportedOptionError } from '../contracts/errors.ts';
import type { Plan } from '../contracts/run/plan.ts';
import type { Warning } from '../contracts/run/warning.ts';
import { CLOUD_ASSUMPTIONS } from '../cost/cloud-assumptions.ts';
import { type CloudEstimate, estimateCloud } from '../cost/cloud-estimate.ts';
import { fitLimitSeconds } from '../cost/cloud-notices.ts';
import { type CloudOptions, cloudOptions } from '../cost/cloud-options.ts';
import type { CloudWork } from '../cost/cloud-work.ts';
import { fitOutcome } from '../cost/fit-outcome.ts';
import { recutBatches } from '../pipeline/plan/plan-batches.ts';
import { predictStepMemory } from '../pipeline/plan/predict-memory.ts';
import { hasChains } from '../pipeline/rounds/chains-needed.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import { furtherWork } from './estimate-rounds.ts';
import { estimateShortly, FAR_BELOW, type RunEstimate } from './estimate-run.ts';
import { measuredWork, type RoundWork } from './measured-work.ts';

/** Tasks that are to share the chains of a round: what the upload asks for, or else what the environment is set to. */
export interface AskedTasks {
  readonly asked?: number | 'auto';
  readonly byDefault?: number | 'auto';
}

/** Chains that take no longer than this in one task (seconds) are not worth the start of others. */
const WORTH_SHARING_SECONDS = 600;

/**
 * How many tasks share the chains of a round. `auto` takes one task for chains of ten minutes or less, and else as many as
 * have a chain for each of their vCPU and may be at work at once.
 *
 * @throws UnsupportedOptionError `fit-tasks-without-chains`, `more-fit-tasks-than-chains` for what an upload asks for; what an
 *   environment is set to is for runs that have chains, and as many
 */
export function chooseFitTasks(
  { config }: Plan,
  work: Pick<CloudWork, 'phases'>,
  options: CloudOptions,
  { asked, byDefault = 1 }: AskedTasks,
): number {
  const tasks = asked ?? byDefault;
  if (!hasChains(config)) {
    if (asked === undefined || asked === 'auto' || asked === 1) return 1;
    throw new UnsupportedOptionError(
      'fit-tasks-without-chains',
      `The model ${config.model.name} has no chains that tasks could share: leave --fit-tasks out.`,
    );
  }
  const ofStage = (of: 1 | 2) => work.phases.reduce((sum, { stage, tasks: chains }) => sum + (stage === of ? chains : 0), 0);
  const most = Math.max(1, ofStage(1), ofStage(2));
  if (tasks !== 'auto') {
    if (tasks <= most) return tasks;
    if (asked === undefined) return most;
    throw new UnsupportedOptionError(
      'more-fit-tasks-than-chains',
      `The run has ${most} chains at once for ${tasks} tasks: ask for ${most} at most (--fit-tasks).`,
    );
  }
  if (fitOutcome(work, { ...options, fitTasks: 1 }).wallSeconds <= WORTH_SHARING_SECONDS) return 1;
  const { engine, vcpus, vcpusAtOnce } = options;
  const sideBySide = engine === 'fargate' ? vcpus : 1;
  const atOnce = engine === 'fargate' ? Math.floor(vcpusAtOnce / vcpus) : MOST_FIT_TASKS;
  return Math.max(1, Math.min(Math.ceil(most / sideBySide), atOnce, MOST_FIT_TASKS));
}

/** What stands in the way of a run in an environment of some size: a stable word, and what to do about it. */
export interface Obstacle {
  readonly code: ObstacleCode;
  readonly message: string;
}

const MIB = 1024 * 1024;

/** Each of a map's children answers with three bytes, and all answers together with 256 KiB at most. */
export const MOST_BATCHES = 80_000;

/** The memory of what puts results together, and what makes less of them, or more room. */
function closingRoom({ engine, stepMemoryMiB }: EnvironmentSize): string {
  const less = 'fewer datasets, one unknown variable in place of one change of any (attributeRisk.candidates), or fewer records.';
  return engine === 'lambda'
    ? `the ${stepMemoryMiB} MiB of its function. Deploy with more stepMemoryMiB (10,240 at most) or with engine=fargate, or ask for less: ${less}`
    : `the ${CLOSING_TASK.memoryGiB} GiB of the task that does it. Ask for less: ${less}`;
}

/**
 * What to do about each obstacle. No figure is in it: what is told of a refused upload is open, and the predicted ones follow
 * from the numbers of combinations and categories. `plan --cloud` and `cloud doctor` tell them where the table is.
 */
const ADVICE = {
  'batch-too-long': ({ assessTimeoutSeconds }) =>
    `A batch of any size is expected to take longer than the ${assessTimeoutSeconds} s that a call has. Deploy with a longer assessTimeoutSeconds (mapType=STANDARD allows 900) or fewer at once (mapConcurrency), or ask for fewer draws (mcmc).`,
  'batch-exceeds-memory': ({ assessMemoryMiB }) =>
    `A batch of any size is expected to exceed what the draws leave of the ${assessMemoryMiB} MiB of the function. Deploy with more assessMemoryMiB (10,240 at most).`,
  'draws-exceed-memory': ({ assessMemoryMiB }) =>
    `The draws exceed what an environment of the function keeps, half of its ${assessMemoryMiB} MiB, and would be read again with every batch. Deploy with more assessMemoryMiB (10,240 at most), or ask for fewer draws (mcmc).`,
  'fit-too-long': (size) =>
    size.engine === 'lambda'
      ? `The chains are expected to take longer than the ${CLOUD_LIMITS.lambdaSeconds} s of a function. Deploy with engine=fargate, share them out (--fit-tasks), or ask for fewer iterations (mcmc).`
      : `The chains are expected to take longer than the ${size.fitTimeoutHours} hours that a task has. Share them out (--fit-tasks), deploy with more fitVcpu or fitTimeoutHours, or ask for fewer iterations (mcmc).`,
  'step-too-long': ({ engine, fitTimeoutHours }) =>
    engine === 'lambda'
      ? `Planning, aggregating or reporting is expected to take longer than the ${CLOUD_LIMITS.lambdaSeconds} s of a function. Deploy with engine=fargate, or evaluate fewer records.`
      : `Planning is expected to take longer than the ${CLOUD_LIMITS.lambdaSeconds} s of a function, or putting the results together longer than the ${fitTimeoutHours} hours of a task. Deploy with more fitTimeoutHours, or evaluate fewer records.`,
  'plan-exceeds-memory': ({ stepMemoryMiB }) =>
    `Reading the table is expected to exceed the ${stepMemoryMiB} MiB of the function that plans. Deploy with more stepMemoryMiB (10,240 at most), or leave columns out of the file.`,
  'parts-exceed-memory': (size) => `Putting the results of all batches together is expected to exceed ${closingRoom(size)}`,
  'report-exceeds-memory': (size) => `The report is expected to exceed ${closingRoom(size)}`,
  'fit-exceeds-memory': ({ engine, stepMemoryMiB, fitMemoryGiB }) =>
    engine === 'lambda'
      ? `The chains are expected to exceed the ${stepMemoryMiB} MiB of their function. Deploy with more stepMemoryMiB (10,240 at most), or with engine=fargate.`
      : `The chains are expected to exceed the ${fitMemoryGiB} GiB of their task. Deploy with more fitMemoryGiB, or ask for fewer classes or draws.`,
} satisfies Record<string, (size: EnvironmentSize) => string>;

type ObstacleCode = keyof typeof ADVICE;

/** Obstacles that smaller batches may take away. */
const OF_BATCHES: readonly string[] = ['batch-too-long', 'batch-exceeds-memory'];

const isObstacle = (code: string): code is ObstacleCode => Object.hasOwn(ADVICE, code);

/** MiB that a batch takes beside the draws that are kept, and what the function leaves it. */
export function batchMemory(run: MeasuredRun, assessMemoryMiB: number): { needed: number; free: number } {
  const { assess } = predictStepMemory(run);
  return { needed: Math.ceil(CLOUD_ASSUMPTIONS.programMiB + assess / MIB), free: Math.floor(assessMemoryMiB * (1 - SHARE_FOR_INPUTS)) };
}

/** Codes of what stands in the way of a run with these batches: in its first round, and with all chains that rounds may add. */
function obstacles(
  run: MeasuredRun,
  estimate: RunEstimate,
  options: CloudOptions,
): { readonly first: ReadonlySet<string>; readonly further: ReadonlySet<string>; readonly cost: CloudEstimate } {
  const { needed, free } = batchMemory(run, options.assessMemoryMiB);
  const ofMemory = needed > free ? ['batch-exceeds-memory'] : [];
  const codesOf = ({ notices }: CloudEstimate) => notices.map(({ code }) => code).filter(isObstacle);
  const further = furtherWork(run.plan, estimate);
  const cost = estimateCloud(measuredWork(run.plan, estimate), options);
  return {
    cost,
    first: new Set([...codesOf(cost), ...ofMemory]),
    further: new Set(further ? codesOf(estimateCloud(further, options)) : []),
  };
}

/** Whether all predicted times stay far below their limits. */
function isFarBelow({ closesInTask, longestCallSeconds, longestTaskSeconds, minutes }: CloudEstimate, options: CloudOptions): boolean {
  const steps = Math.max(minutes.plan, minutes.report, closesInTask ? 0 : minutes.aggregate);
  const nearest = Math.max(
    longestCallSeconds / options.assessTimeoutSeconds,
    Math.max(longestTaskSeconds, closesInTask ? 60 * minutes.aggregate : 0) / fitLimitSeconds(options),
    (60 * steps) / CLOUD_LIMITS.lambdaSeconds,
  );
  return nearest < FAR_BELOW;
}

/**
 * Batches in which nothing stands in the way of the run that smaller ones could take away: the largest of those that are as
 * planned, half as large, a quarter and so on. With all chains that rounds may add if that is possible, or else with those of
 * the first round; those of the plan where no size helps.
 */
function fittingBatches(run: MeasuredRun, estimate: RunEstimate, options: CloudOptions): Plan['batches'] {
  const planned = run.plan.batches;
  const fits = (codes: ReadonlySet<string>) => !OF_BATCHES.some((code) => codes.has(code));
  let ofFirstRound: Plan['batches'] | undefined;
  let size = Math.max(1, ...planned.map(({ from, to }) => to - from));
  for (;;) {
    const batches = recutBatches(planned, size);
    if (batches.length > MOST_BATCHES) break;
    const { first, further } = obstacles({ ...run, plan: { ...run.plan, batches } }, estimate, options);
    if (fits(first) && fits(further)) return batches;
    if (fits(first)) ofFirstRound ??= batches;
    if (size === 1) break;
    size = Math.ceil(size / 2);
  }
  return ofFirstRound ?? planned;
}

/** What a run comes to in an environment, before anything of it is paid for. */
export interface Ahead {
  /** Those of the plan, or smaller ones that the environment can assess. */
  readonly batches: Plan['batches'];
  /** Tasks that share the chains of a round. */
  readonly fitTasks: number;
  /** What still stands in the way of the first round. */
  readonly obstacles: readonly Obstacle[];
  /** What that is expected to take. */
  readonly cost: CloudEstimate;
}

/**
 * Looks ahead: whether an environment of this size can carry a run out, as far as that can be predicted from a measurement
 * of this processor, and with which batches and tasks. A second or two where nothing comes near its limit.
 *
 * @throws UnsupportedOptionError as {@link chooseFitTasks}
 */
export function lookAhead(run: MeasuredRun, size: EnvironmentSize, asked: AskedTasks = {}): Ahead {
  const options = cloudOptions(size);
  const estimate = estimateShortly(run, (quick) => isFarBelow(estimateCloud(measuredWork(run.plan, quick), options), options));
  const fitTasks = chooseFitTasks(run.plan, measuredWork(run.plan, estimate), options, { byDefault: size.fitTasks, ...asked });
  const batches = fittingBatches(run, estimate, { ...options, fitTasks });
  const fitting = { ...run, plan: { ...run.plan, batches } };
  const { cost, first } = obstacles(fitting, estimate, { ...options, fitTasks });
  const left = [...first].filter(isObstacle).map((code) => ({ code, message: ADVICE[code](size) }));
  return { batches, cost, fitTasks, obstacles: left };
}

/**
 * What stands in the way of a later round, whose batches are as planned: it may be asked for with fewer chains, by an upload
 * with another `mcmc.maxChains`. Draws that are read again with every batch are no obstacle here: the run ends all the same,
 * and what came before is paid for.
 */
export function roundObstacles(run: MeasuredRun, round: RoundWork, size: EnvironmentSize, fitTasks: number): Obstacle[] {
  const options = cloudOptions(size, fitTasks);
  const costOf = (estimate: RunEstimate) => estimateCloud(measuredWork(run.plan, estimate, round), options);
  const { notices } = costOf(estimateShortly(run, (quick) => isFarBelow(costOf(quick), options)));
  const codes = notices
    .map(({ code }) => code)
    .filter(isObstacle)
    .filter((code) => code !== 'draws-exceed-memory');
  return codes.map((code) => ({
    code,
    message: `${ADVICE[code](size)} This is of a round that adds chains: fewer of them are mcmc.maxChains, in another upload.`,
  }));
}

/** What the plan of a run says of what was found ahead. */
function warningsOf(before: Plan, { batches, obstacles: left }: Ahead): Warning[] {
  const largest = (cut: Plan['batches']) => Math.max(0, ...cut.map(({ from, to }) => to - from));
  const smaller = largest(batches) < largest(before.batches);
  return [
    ...(smaller
      ? [
          {
            code: 'smaller-batches',
            message: `Batches have ${largest(batches)} rows at most, and not ${largest(before.batches)}: larger ones are not expected to end in this environment.`,
          },
        ]
      : []),
    ...left.map(({ code, message }) => ({ code, message })),
  ];
}

/**
 * A planned run as an environment can carry it out, with the number of tasks that share its chains, and whether one closes it.
 *
 * @throws RunTooLargeError by the code of the first obstacle, unless the environment is set to warn
 */
export function prepareRun<Run extends MeasuredRun>(
  run: Run,
  size: EnvironmentSize,
  asked: AskedTasks = {},
): { readonly run: Run; readonly fitTasks: number; readonly closesInTask: boolean; readonly cost: CloudEstimate } {
  const ahead = lookAhead(run, size, asked);
  // It is planned, whatever that was expected to take.
  const obstaclesLeft = ahead.obstacles.filter(({ code }) => code !== 'plan-exceeds-memory');
  refuseObstacles(obstaclesLeft, size);
  const { plan } = run;
  const warnings = [...plan.warnings, ...warningsOf(plan, { ...ahead, obstacles: obstaclesLeft })];
  const { cost, fitTasks } = ahead;
  return { run: { ...run, plan: { ...plan, batches: ahead.batches, warnings } }, cost, fitTasks, closesInTask: cost.closesInTask };
}

/** Throws RunTooLargeError with the first of these obstacles, unless the environment is set to warn. */
export function refuseObstacles([first, ...others]: readonly Obstacle[], { lookAhead: asSet }: EnvironmentSize): void {
  if (first === undefined || asSet === 'warn') return;
  const also = others.length === 0 ? '' : ` Also ${others.map(({ code }) => code).join(', ')}.`;
  throw new RunTooLargeError(first.code, first.message + also);
}
