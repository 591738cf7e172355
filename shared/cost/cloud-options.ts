import type { z } from 'zod';
import { childType, type EnvironmentSize, readTimeFactors, type TimeFactors } from '../contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS } from '../contracts/cloud/cloud-prices.ts';
import type { childTypeSchema } from '../contracts/run/usage.ts';

/** Children of the map. */
export type ChildType = z.infer<typeof childTypeSchema>;

/** How the workflow is deployed. */
export interface CloudOptions {
  /** What runs the chains: the container task, or one function after the other. */
  readonly engine: 'fargate' | 'lambda';
  /** vCPU of a container task, one chain at a time on each. */
  readonly vcpus: number;
  /** Memory of a container task. */
  readonly fitMemoryGiB: number;
  /** Tasks that share the chains of a round, and how many vCPU all of them may have at once. */
  readonly fitTasks: number;
  readonly vcpusAtOnce: number;
  /** Batches at once: of a run, and of all runs together. */
  readonly concurrency: number;
  readonly concurrencyOfAll: number;
  /** Runs like this that are under way at once. */
  readonly runsAtOnce: number;
  readonly child: ChildType;
  /** Memory of the function that assesses, and of those that plan, aggregate and report. */
  readonly assessMemoryMiB: number;
  readonly stepMemoryMiB: number;
  /** When a call that assesses, and the container task, are ended. */
  readonly assessTimeoutSeconds: number;
  readonly fitTimeoutHours: number;
  /** What predicted processor times are multiplied by. */
  readonly timeFactors: TimeFactors;
}

/** How an environment of this size carries out a run. */
export function cloudOptions(size: EnvironmentSize, fitTasks = 1): CloudOptions {
  const { assessMemoryMiB, assessTimeoutSeconds, engine, fitMemoryGiB, fitTimeoutHours, stepMemoryMiB } = size;
  return {
    engine,
    fitTasks,
    assessMemoryMiB,
    assessTimeoutSeconds,
    fitMemoryGiB,
    fitTimeoutHours,
    stepMemoryMiB,
    vcpus: size.fitVcpu,
    vcpusAtOnce: size.fargateVcpu,
    concurrency: size.mapConcurrency,
    concurrencyOfAll: size.reservedConcurrency ?? CLOUD_LIMITS.lambdaConcurrency,
    runsAtOnce: 1,
    child: childType(size),
    timeFactors: readTimeFactors(size.timeFactors),
  };
}

/** The options that a deployment has unless it is told otherwise: the defaults of its settings (docs/how-to/cloud.md). */
export const CLOUD_DEFAULTS: CloudOptions = {
  engine: 'fargate',
  vcpus: 4,
  fitMemoryGiB: 8,
  fitTasks: 1,
  vcpusAtOnce: CLOUD_LIMITS.fargateVcpus,
  concurrency: 400,
  concurrencyOfAll: CLOUD_LIMITS.lambdaConcurrency,
  runsAtOnce: 1,
  child: 'express',
  assessMemoryMiB: CLOUD_LIMITS.lambdaVcpuMiB,
  stepMemoryMiB: 3008,
  // Three attempts and their pauses fit into the five minutes of an Express child.
  assessTimeoutSeconds: 90,
  fitTimeoutHours: 12,
  timeFactors: readTimeFactors(undefined),
};
