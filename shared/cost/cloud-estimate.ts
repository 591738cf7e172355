import { CLOSING_TASK, PARTS_AT_ONCE, VALUE_PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS, PRICES_DATE, PRICES_REGION } from '../contracts/cloud/cloud-prices.ts';
import type { Prediction } from '../contracts/run/prediction.ts';
import { CLOUD_STEPS, type CloudStep } from '../contracts/run/usage.ts';
import { closingSeconds } from './closing-seconds.ts';
import { CLOUD_ASSUMPTIONS as ASSUMED } from './cloud-assumptions.ts';
import { cloudNotices, type Notice } from './cloud-notices.ts';
import type { CloudOptions } from './cloud-options.ts';
import type { CloudWork } from './cloud-work.ts';
import { type FanOut, type FanOutOutcome, type Reading, simulateFanOut } from './fan-out.ts';
import { type FitOutcome, fitOutcome } from './fit-outcome.ts';
import { monthOfStack } from './month-of-stack.ts';
import { type CloudUsage, type CostItem, priceUsage, STORAGE } from './price-usage.ts';

/** What a run is expected to take and to cost in AWS. */
export interface CloudEstimate extends CloudOptions {
  readonly pricesDate: string;
  readonly region: string;
  /** By step of the workflow, and from upload to notification. */
  readonly minutes: Readonly<Record<CloudStep | 'total', number>>;
  /** What is held against what the run then takes. */
  readonly steps: Prediction['steps'];
  readonly batches: number;
  readonly environments: number;
  readonly secondsPerBatch: number;
  readonly longestCallSeconds: number;
  /** Of the tasks that run chains. */
  readonly longestTaskSeconds: number;
  /** Whether a container task puts the results together, and the functions do the rest of these two steps. */
  readonly closesInTask: boolean;
  /** By step and service; storage is that of a month. */
  readonly items: readonly CostItem[];
  readonly dollars: number;
  /** Dollars a month of the deployed environment, whether or not a run is under way. */
  readonly month: readonly { readonly service: string; readonly dollars: number }[];
  readonly notices: readonly Notice[];
}

type StepSeconds = Readonly<Record<CloudStep, number>>;

const MIB = 1024 * 1024;

/** Objects that a step reads or writes beside those of chains and batches, about. */
const FEW_OBJECTS = 10;

/** Files of draws that are read at once for their digests. */
const DRAWS_AT_ONCE = 8;

/** Transitions of the workflow outside of its map: its steps, choices and the notification. */
const TRANSITIONS = 13;

/** Calls that ask whether the budget suffices, in a round. */
const BUDGET_CHECKS = 2;

const byStep = <Value>(of: (step: CloudStep) => Value) =>
  Object.fromEntries(CLOUD_STEPS.map((step) => [step, of(step)])) as Record<CloudStep, Value>;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Seconds that objects take to be read one after the other, held back by nothing but the network. */
function readingOf(objects: number, bytes: number): Reading {
  return { requests: objects, seconds: objects * ASSUMED.s3FirstByteSeconds + bytes / ASSUMED.s3BytesPerSecond };
}

/**
 * What an environment keeps from one batch to the next, and what it reads again: the table, read first, whole or not at all, and
 * as many draws as there is room for.
 */
function inputsOf({ draws, table }: CloudWork, { assessMemoryMiB }: CloudOptions) {
  const room = assessMemoryMiB * MIB * ASSUMED.inputsShareOfMemory;
  const keptTable = table.bytes <= room ? table.bytes : 0;
  const keptDraws = Math.min(draws.bytes, room - keptTable);
  const drawsAgain = draws.bytes === 0 ? 0 : 1 - keptDraws / draws.bytes;
  const tableAgain = table.bytes === keptTable ? 0 : 1;
  return {
    kept: keptTable + keptDraws,
    again: { objects: drawsAgain * draws.objects + tableAgain * table.objects, bytes: drawsAgain * draws.bytes + tableAgain * table.bytes },
  };
}

/** The map over a run's batches: plan, table and draws are read, every candidate is scored, the part is written. */
function assessFanOut(work: CloudWork, options: CloudOptions): FanOut {
  const { batches, contextObjects, draws, part, secondsPerCombination, table } = work;
  const { assessMemoryMiB, child, concurrency, concurrencyOfAll, runsAtOnce, timeFactors } = options;
  const vcpus = Math.min(1, assessMemoryMiB / CLOUD_LIMITS.lambdaVcpuMiB);
  const writingSeconds = part.objects * ASSUMED.s3FirstByteSeconds;
  const { again } = inputsOf(work, options);
  return {
    batchSeconds: batches.map((size) => (size * secondsPerCombination * timeFactors.assess) / (vcpus * ASSUMED.vcpuSpeed) + writingSeconds),
    childrenPerSecond: child === 'express' ? CLOUD_LIMITS.expressChildrenPerSecond : CLOUD_LIMITS.standardChildrenPerSecond,
    // Runs that are under way at once share the function, and what S3 answers.
    concurrency: Math.max(1, Math.min(concurrency, CLOUD_LIMITS.mapChildren, Math.floor(concurrencyOfAll / runsAtOnce))),
    environmentsAtOnce: CLOUD_LIMITS.lambdaEnvironmentsAtOnce,
    environmentsPerSecond: CLOUD_LIMITS.lambdaEnvironmentsPerSecond,
    coldStartSeconds: ASSUMED.coldStartSeconds,
    firstReading: readingOf(contextObjects + table.objects + draws.objects, table.bytes + draws.bytes),
    laterReading: readingOf(contextObjects + again.objects, again.bytes),
    readsPerSecond: CLOUD_LIMITS.s3ReadsPerSecond / runsAtOnce,
  };
}

/** Seconds in which all parts are read, {@link PARTS_AT_ONCE}: each waits for its first byte, and all share the network. */
const partsSeconds = ({ batches, part }: CloudWork): number =>
  readingOf((batches.length * part.objects) / PARTS_AT_ONCE, sum(batches) * part.bytesPerCombination).seconds;

/** Seconds in which all values are read, some parts of them at once. */
const valuesSeconds = ({ batches, valueBytes }: CloudWork): number =>
  valueBytes === 0 ? 0 : readingOf(batches.length / VALUE_PARTS_AT_ONCE, valueBytes).seconds;

/** Processor time of each step; what its processes take to start is left out. */
function cpuSecondsOf(work: CloudWork, { timeFactors }: CloudOptions): StepSeconds {
  const combinations = sum(work.batches);
  const closing = closingSeconds(combinations, work.values);
  const measured: StepSeconds = {
    plan: combinations * ASSUMED.planSecondsPerCombination,
    fit: sum(work.phases.map(({ secondsPerTask, tasks }) => tasks * secondsPerTask)),
    assess: combinations * work.secondsPerCombination,
    aggregate: closing.aggregate + work.utilitySeconds,
    report: closing.report,
  };
  return byStep((step) => (measured[step] * timeFactors[step]) / ASSUMED.vcpuSpeed);
}

/**
 * Of the time that a function may take, what putting results together, or reporting them, may be expected to take there: expected times
 * may be wrong by a factor of two.
 */
const CLOSING_SECONDS = CLOUD_LIMITS.lambdaSeconds / 2;

/** Whether a container task puts the results together: where a function might lack time, or has too little memory. */
function closesInTask({ stepMemory }: CloudWork, { engine, stepMemoryMiB }: CloudOptions, { aggregate, report }: StepSeconds): boolean {
  const isLong = Math.max(aggregate, report) > CLOSING_SECONDS;
  return engine === 'fargate' && (isLong || Math.max(stepMemory.aggregate, stepMemory.report) > stepMemoryMiB * MIB);
}

/** The same seconds where one container task does the work of two functions, of which one begins and ends it, and one signs. */
const withClosingTask = (seconds: StepSeconds): StepSeconds => ({
  ...seconds,
  aggregate: ASSUMED.containerStartSeconds + seconds.aggregate + seconds.report,
  report: ASSUMED.stepSeconds,
});

/** Seconds that each step takes in functions, given how the chains and the map go. */
function stepSeconds(work: CloudWork, cpu: StepSeconds, fit: FitOutcome, map: FanOutOutcome): StepSeconds {
  const parts = partsSeconds(work);
  // The manifest has the digests of all parts, values and draws, which are read some at a time.
  const draws = readingOf(work.draws.objects / DRAWS_AT_ONCE, work.storedBytes).seconds;
  return {
    plan: (1 + BUDGET_CHECKS) * ASSUMED.stepSeconds + cpu.plan,
    fit: fit.wallSeconds,
    assess: map.wallSeconds,
    aggregate: ASSUMED.stepSeconds + cpu.aggregate + parts + valuesSeconds(work),
    report: ASSUMED.stepSeconds + cpu.report + parts + 2 * valuesSeconds(work) + draws,
  };
}

/** What each step uses of each service. */
function stepUsage(
  { batches, draws, fitObjects, fitReads, part, storedBytes }: CloudWork,
  { assessMemoryMiB, child, engine, fitMemoryGiB, stepMemoryMiB, vcpus }: CloudOptions,
  {
    fit,
    inTask,
    map,
    seconds,
  }: { readonly seconds: StepSeconds; readonly fit: FitOutcome; readonly map: FanOutOutcome; readonly inTask: boolean },
): Record<CloudStep, CloudUsage> {
  const objects = (reads: number, writes: number): CloudUsage => ({
    s3: { reads, writes },
    keyRequests: (reads + writes) * ASSUMED.keyRequestsPerRequest,
  });
  const oneCall = (step: CloudStep, reads: number, calls = 1): CloudUsage => ({
    lambda: { calls, gibSeconds: (seconds[step] * stepMemoryMiB) / 1024 },
    logBytes: calls * ASSUMED.logBytesPerCall,
    ...objects(reads, calls * FEW_OBJECTS),
  });
  const children = batches.length;
  const partObjects = children * part.objects;
  const toAggregate = partObjects + draws.objects;
  // The table from the parts, and the digests of everything.
  const toReport = children + partObjects + draws.objects + FEW_OBJECTS;
  return {
    plan: { ...oneCall('plan', FEW_OBJECTS, 1 + BUDGET_CHECKS), transitions: TRANSITIONS },
    fit: {
      ...(engine === 'fargate'
        ? { fargate: { vcpus, gib: fitMemoryGiB, seconds: fit.taskSeconds } }
        : { lambda: { calls: fit.tasks, gibSeconds: (fit.taskSeconds * stepMemoryMiB) / 1024 } }),
      // Two maps in the place of one state, and a state for each task.
      ...(fit.tasks > 1 ? { transitions: fit.tasks + 1 } : {}),
      storedBytes,
      ...objects(fitReads + FEW_OBJECTS, fitObjects + FEW_OBJECTS),
    },
    assess: {
      lambda: { calls: children, gibSeconds: (map.callSeconds * assessMemoryMiB) / 1024 },
      logBytes: children * ASSUMED.logBytesPerCall,
      storedBytes: sum(batches) * part.bytesPerCombination,
      // The step of the map that starts a child, and for a Standard child its own step.
      ...(child === 'express' ? { transitions: children, express: { children, seconds: map.callSeconds } } : { transitions: 2 * children }),
      ...objects(map.reads, partObjects),
    },
    aggregate: inTask
      ? {
          fargate: { vcpus: CLOSING_TASK.vcpus, gib: CLOSING_TASK.memoryGiB, seconds: seconds.aggregate },
          lambda: { calls: 2, gibSeconds: (2 * ASSUMED.stepSeconds * stepMemoryMiB) / 1024 },
          logBytes: 2 * ASSUMED.logBytesPerCall,
          transitions: 2,
          ...objects(toAggregate + toReport, 3 * FEW_OBJECTS),
        }
      : oneCall('aggregate', toAggregate),
    report: oneCall('report', inTask ? FEW_OBJECTS : toReport),
  };
}

/** What each step is expected to take, in the terms in which its processes note what they have taken. */
function predictedSteps(
  work: CloudWork,
  options: CloudOptions,
  {
    cpu,
    inTask,
    items,
    seconds,
  }: { readonly cpu: StepSeconds; readonly inTask: boolean; readonly items: readonly CostItem[]; readonly seconds: StepSeconds },
): Prediction['steps'] {
  const { assess, fit, ...others } = work.stepMemory;
  const threads = options.engine === 'fargate' ? options.vcpus : 1;
  const bytes = {
    ...others,
    // Where one task does both, its memory is held against theirs.
    aggregate: Math.max(others.aggregate, inTask ? others.report : 0),
    fit: fit.process + threads * fit.thread,
    assess: ASSUMED.programMiB * MIB + assess + inputsOf(work, options).kept,
  };
  return byStep((step) => ({
    cpuSeconds: cpu[step],
    seconds: seconds[step],
    memoryMiB: bytes[step] / MIB,
    dollars: sum(items.filter((item) => item.step === step && item.service !== STORAGE).map(({ dollars }) => dollars)),
  }));
}

/**
 * Minutes and dollars of a run in AWS, before it starts: the chains in their container tasks, the map over the batches
 * as {@link simulateFanOut} plays it, the other steps by the number of combinations, everything at list prices. One
 * round; a run that adds chains repeats the steps from fit to aggregate.
 */
export function estimateCloud(work: CloudWork, options: CloudOptions): CloudEstimate {
  const fanOut = assessFanOut(work, options);
  const map = simulateFanOut(fanOut);
  const fit = fitOutcome(work, options);
  const functionCpu = cpuSecondsOf(work, options);
  const inFunctions = stepSeconds(work, functionCpu, fit, map);
  const inTask = closesInTask(work, options, inFunctions);
  const seconds = inTask ? withClosingTask(inFunctions) : inFunctions;
  const cpu = inTask ? { ...functionCpu, aggregate: functionCpu.aggregate + functionCpu.report, report: 0 } : functionCpu;
  const usage = stepUsage(work, options, { seconds, fit, map, inTask });
  const items = CLOUD_STEPS.flatMap((step) => priceUsage(step, usage[step]));
  const minutes = byStep((step) => seconds[step] / 60);
  return {
    ...options,
    pricesDate: PRICES_DATE,
    region: PRICES_REGION,
    minutes: { ...minutes, total: sum(Object.values(minutes)) },
    steps: predictedSteps(work, options, { cpu, inTask, items, seconds: { ...seconds, fit: fit.taskSeconds, assess: map.callSeconds } }),
    batches: work.batches.length,
    environments: map.environments,
    secondsPerBatch: map.callSeconds / Math.max(1, work.batches.length),
    longestCallSeconds: map.longestCallSeconds,
    longestTaskSeconds: fit.longestTaskSeconds,
    closesInTask: inTask,
    items,
    dollars: sum(items.map(({ dollars }) => dollars)),
    month: monthOfStack(),
    notices: cloudNotices({ options, work, seconds, fit, map, closesInTask: inTask, reading: fanOut.firstReading }),
  };
}

/**
 * Dollars of a run while it is under way, as a budget counts them: all but the storage of what it leaves.
 *
 * @param past steps that are over
 */
export function dollarsOfRun({ items }: Pick<CloudEstimate, 'items'>, past: readonly CloudStep[] = []): number {
  const counted = items.filter(({ service, step }) => service !== STORAGE && !past.includes(step));
  return sum(counted.map(({ dollars }) => dollars));
}
