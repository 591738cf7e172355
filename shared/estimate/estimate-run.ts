import type { Plan } from '../contracts/run/plan.ts';
import { openScenarios, valueSets } from '../contracts/run/scenarios.ts';
import { closingSeconds } from '../cost/closing-seconds.ts';
import { predictMemory, predictStepMemory, type StepMemory } from '../pipeline/plan/predict-memory.ts';
import { firstRound, hasAttributeRisk } from '../pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../pipeline/synthesizers/round-tasks.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import { synthesizerOf } from '../pipeline/synthesizers/synthesizers.ts';
import type { TaskEstimate } from '../pipeline/synthesizers/task-estimate.ts';
import { utilitySeconds } from './utility-seconds.ts';

/** What a run is expected to do and to need on this machine. */
export interface RunEstimate extends TaskEstimate {
  readonly candidatesPerCombination: number;
  readonly batches: number;
  readonly jobs: number;
  readonly memoryMiB: number;
  /** What utility adds to the minutes. */
  readonly utilityMinutes: number;
  /** Bytes of each step in AWS. */
  readonly stepMemory: StepMemory;
  readonly secondsPer: TaskEstimate['secondsPer'] & {
    /** Measuring the utility of all datasets; 0 where it is not. */
    readonly utility: number;
  };
}

const MIB = 1024 * 1024;

/** Seconds that each measured piece of the calibration may take. */
const CALIBRATION_SECONDS = 0.25;

/** The same of a first, short measurement. */
const QUICK_SECONDS = 0.03;

/** Nobody waits for a longer measurement of a run that takes no longer than this. */
const SHORT_RUN_SECONDS = 20;

/** A short measurement suffices where everything is predicted to stay this far from its limit: so small a share of it. */
export const FAR_BELOW = 1 / 8;

/** Calls before those that are measured, at most: until the processor has compiled what it runs. */
const WARM_UP_CALLS = 20;

/** Seconds in which the program starts, the table is read, and the results of a small table are put together and reported. */
const AROUND_SECONDS = 3;

/** Seconds of what one thread does before and after chains and batches. */
function aloneSeconds(plan: Plan): number {
  if (plan.purpose === 'calibrate' || plan.purpose === 'replicate') return 0;
  const closing = (hasAttributeRisk(plan) ? openScenarios(plan) : []).map((scenario) => {
    const rows = scenario.batches.at(-1)?.to ?? 0;
    return closingSeconds(rows, rows * valueSets(plan, scenario));
  });
  return closing.reduce((sum, { aggregate, report }) => sum + aggregate + report, AROUND_SECONDS);
}

/** Repeats a call for so many seconds, at most so often; the seconds of one. */
function repeat(call: () => void, seconds: number, most: number): number {
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  do {
    call();
    calls++;
    elapsed = (performance.now() - started) / 1000;
  } while (elapsed < seconds && calls < most);
  return elapsed / calls;
}

/** Seconds that one call takes: warmed up, then repeated for so many seconds. */
function measureCall(call: () => void, seconds: number): number {
  repeat(call, seconds, WARM_UP_CALLS);
  return repeat(call, seconds, Infinity);
}

/** What a run is expected to do and to need, from measurements of so many seconds each. */
function estimateFrom(planned: MeasuredRun, jobs: number, utility: number, calibrationSeconds: number): RunEstimate {
  const { plan } = planned;
  // Beside the batches, where there are any.
  const utilityMinutes = utility / 60 / (hasAttributeRisk(plan) ? jobs : 1);
  const { candidates, minutes, diskMiB, secondsPer, ...work } = synthesizerOf(plan.config).estimate(planned, {
    jobs,
    tasks: roundTasks(plan, firstRound(plan)),
    seconds: calibrationSeconds,
    secondsPerCall: (call) => measureCall(call, calibrationSeconds),
  });
  return {
    candidatesPerCombination: plan.candidatesPerCombination,
    candidates,
    batches: plan.batches.length,
    ...work,
    jobs,
    minutes: minutes + utilityMinutes + aloneSeconds(plan) / 60,
    utilityMinutes,
    memoryMiB: predictMemory(planned, jobs).peak / MIB,
    stepMemory: predictStepMemory(planned),
    diskMiB,
    secondsPer: { ...secondsPer, utility },
  };
}

/** An estimate from short measurements where these suffice, or else from longer ones. Utility is measured in one thread. */
function estimateUnless(planned: MeasuredRun, jobs: number, suffices: (quick: RunEstimate) => boolean): RunEstimate {
  const utility = utilitySeconds(planned);
  const quick = estimateFrom(planned, jobs, utility, QUICK_SECONDS);
  return suffices(quick) ? quick : estimateFrom(planned, jobs, utility, CALIBRATION_SECONDS);
}

/** Expected time, memory and disk of a planned run, from a calibration of some seconds, or of less where the run takes little longer. */
export const estimateRun = (planned: MeasuredRun, jobs: number): RunEstimate =>
  estimateUnless(planned, jobs, ({ minutes }) => 60 * minutes < SHORT_RUN_SECONDS);

/** The same for one thread, from a short measurement unless that is too near a limit to tell on which side of it the run is. */
export const estimateShortly = (planned: MeasuredRun, isFar: (quick: RunEstimate) => boolean): RunEstimate =>
  estimateUnless(planned, 1, isFar);
