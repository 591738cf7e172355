import { CLOSING_TASK } from '../contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS } from '../contracts/cloud/cloud-prices.ts';
import type { CloudStep } from '../contracts/run/usage.ts';
import { CLOUD_ASSUMPTIONS } from './cloud-assumptions.ts';
import type { CloudOptions } from './cloud-options.ts';
import type { CloudWork } from './cloud-work.ts';
import type { FanOutOutcome, Reading } from './fan-out.ts';
import type { FitOutcome } from './fit-outcome.ts';

/** Something in the way of a run as it is estimated: a limit, or money that waits. */
export interface Notice {
  readonly code: string;
  readonly message: string;
}

const MIB = 1024 * 1024;
const MIB_A_GIB = 1024;

/** When a task of chains is ended (seconds). */
export const fitLimitSeconds = ({ engine, fitTimeoutHours }: CloudOptions): number =>
  engine === 'fargate' ? 3600 * fitTimeoutHours : CLOUD_LIMITS.lambdaSeconds;

/** What of an estimate passes the limits of AWS or of the deployment, or wastes money, and what to do about it. */
export function cloudNotices(estimate: {
  readonly options: CloudOptions;
  readonly work: CloudWork;
  readonly seconds: Readonly<Record<CloudStep, number>>;
  readonly fit: FitOutcome;
  readonly map: FanOutOutcome;
  /** Whether a container task puts the results together. */
  readonly closesInTask: boolean;
  /** What the first call of an environment reads. */
  readonly reading: Reading;
}): Notice[] {
  const { closesInTask, options, reading, seconds, work } = estimate;
  const { environments, longestCallSeconds } = estimate.map;
  const notices: Notice[] = [];
  const check = (passes: boolean, code: string, message: string) => {
    if (!passes) notices.push({ code, message });
  };
  // More tasks than are let at their vCPU at once wait for each other.
  const tasksAtOnce = Math.max(1, Math.min(options.fitTasks, Math.floor(options.vcpusAtOnce / options.vcpus)));
  const vcpus = options.vcpus * tasksAtOnce * options.runsAtOnce;
  check(
    options.engine === 'lambda' || vcpus <= CLOUD_LIMITS.fargateVcpus,
    'fargate-quota',
    `A new account has ${CLOUD_LIMITS.fargateVcpus} vCPU of Fargate; ${vcpus} must be requested.`,
  );
  const environmentsWanted = Math.min(options.concurrency * options.runsAtOnce, Math.max(options.concurrency, options.concurrencyOfAll));
  check(
    environmentsWanted <= CLOUD_LIMITS.lambdaConcurrency,
    'lambda-quota',
    `An account has a Lambda concurrency of ${CLOUD_LIMITS.lambdaConcurrency} unless it asks for more, and other functions share it.`,
  );
  check(
    longestCallSeconds <= options.assessTimeoutSeconds,
    'batch-too-long',
    `A batch takes up to ${Math.ceil(longestCallSeconds)} s and is ended after ${options.assessTimeoutSeconds}: choose smaller batches or fewer at once.`,
  );
  const unhindered = Math.max(1, Math.floor((CLOUD_LIMITS.s3ReadsPerSecond * reading.seconds) / reading.requests));
  check(
    environments <= 2 * unhindered,
    'waiting-for-s3',
    `${environments} environments that read the draws ask for more than the ${CLOUD_LIMITS.s3ReadsPerSecond} objects a second that S3 gives, and are paid while they wait: about ${unhindered} at once (--concurrency) cost less.`,
  );
  const fitLimit = fitLimitSeconds(options);
  check(
    estimate.fit.longestTaskSeconds <= fitLimit,
    'fit-too-long',
    `The chains take about ${Math.ceil(estimate.fit.longestTaskSeconds / 3600)} hours and are ended after ${fitLimit / 3600}: ask for more vCPU, tasks or time.`,
  );
  const cacheMiB = Math.floor(options.assessMemoryMiB * CLOUD_ASSUMPTIONS.inputsShareOfMemory);
  check(
    work.draws.bytes <= cacheMiB * MIB,
    'draws-exceed-memory',
    `The draws take ${Math.ceil(work.draws.bytes / MIB)} MiB and an environment keeps ${cacheMiB}: the rest is read again with every batch. More memory is cheaper.`,
  );
  for (const step of ['plan', 'aggregate', 'report'] as const) {
    const [by, limit] = closesInTask && step === 'aggregate' ? ['task', fitLimit] : ['function', CLOUD_LIMITS.lambdaSeconds];
    check(
      seconds[step] <= limit,
      'step-too-long',
      `The step ${step} takes about ${Math.ceil(seconds[step])} s and its ${by} may take ${limit}.`,
    );
  }
  const { plan, fit, aggregate, report } = work.stepMemory;
  const ofStep = { plan: 'plan-exceeds-memory', aggregate: 'parts-exceed-memory', report: 'report-exceeds-memory' } as const;
  for (const [step, bytes] of Object.entries({ plan, aggregate, report })) {
    const inTask = closesInTask && step !== 'plan';
    const memoryMiB = inTask ? CLOSING_TASK.memoryGiB * MIB_A_GIB : options.stepMemoryMiB;
    check(
      bytes <= memoryMiB * MIB,
      ofStep[step as keyof typeof ofStep],
      `The step ${step} takes up to ${Math.ceil(bytes / MIB)} MiB and its ${inTask ? 'task' : 'function'} has ${memoryMiB}.`,
    );
  }
  const [threads, fitMiB] = options.engine === 'fargate' ? [options.vcpus, options.fitMemoryGiB * MIB_A_GIB] : [1, options.stepMemoryMiB];
  const fitBytes = fit.process + threads * fit.thread;
  check(
    fitBytes <= fitMiB * MIB,
    'fit-exceeds-memory',
    `The chains take up to ${Math.ceil(fitBytes / MIB)} MiB with ${threads} at once, and their task has ${fitMiB}.`,
  );
  return notices;
}
