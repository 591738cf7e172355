import type { z } from 'zod';
import { CLOUD_LIMITS } from '../contracts/cloud/cloud-prices.ts';
import type { childTypeSchema } from '../contracts/run/usage.ts';

/** Children of the map. */
export type ChildType = z.infer<typeof childTypeSchema>;

/** How the workflow is deployed. */
export interface CloudOptions {
  /** What runs the chains: the container task, or one function after the other. */
  readonly engine: 'fargate' | 'lambda';
  /** vCPU of the container task, one chain at a time on each. */
  readonly vcpus: number;
  /** Batches at once. */
  readonly concurrency: number;
  readonly child: ChildType;
  /** Memory of the function that assesses, and of those that plan, aggregate and report. */
  readonly assessMemoryMiB: number;
  readonly stepMemoryMiB: number;
  /** When a call that assesses, and the container task, are ended. */
  readonly assessTimeoutSeconds: number;
  readonly fitTimeoutHours: number;
}

/** The options that a deployment has unless it is told otherwise: the defaults of its settings (docs/how-to/cloud.md). */
export const CLOUD_DEFAULTS: CloudOptions = {
  engine: 'fargate',
  vcpus: 4,
  concurrency: 400,
  child: 'express',
  assessMemoryMiB: CLOUD_LIMITS.lambdaVcpuMiB,
  stepMemoryMiB: 3008,
  // Three attempts and their pauses fit into the five minutes of an Express child.
  assessTimeoutSeconds: 90,
  fitTimeoutHours: 12,
};
