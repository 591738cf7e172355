import type { EnvironmentSize } from '../../shared/contracts/cloud-environment.ts';
import type { RunState } from '../../shared/contracts/results.ts';
import { priceUsage } from '../../shared/cost/price-usage.ts';

const MIB_A_GIB = 1024;

/** Seconds of wall time that the phases of a run have taken, and its batches. */
export interface RunUse {
  readonly seconds: RunState['seconds'];
  /** Batches that one round maps over. */
  readonly batches: number;
  /** Calls of the function that assesses. */
  readonly calls: number;
}

/**
 * The most that the compute of a run can have cost in an environment of this size, in dollars at list prices: the chains
 * by their time, and the batches as if as many as can be had been at work from the first moment of their phase to its
 * last. Storage, requests to S3, state transitions and what an environment costs standing still are not in it.
 */
export function runDollars({ seconds, batches, calls }: RunUse, size: EnvironmentSize): number {
  const gibSeconds = (memoryMiB: number, duration: number) => (memoryMiB / MIB_A_GIB) * duration;
  const chainSeconds = seconds.fit + seconds.synthesize + seconds.augment;
  const container = { vcpus: size.fitVcpu, gib: size.fitMemoryGiB, seconds: chainSeconds };
  const chains =
    size.engine === 'fargate'
      ? { fargate: container }
      : { lambda: { calls: 0, gibSeconds: gibSeconds(size.stepMemoryMiB, chainSeconds) } };
  const atOnce = Math.min(size.mapConcurrency, batches);
  const assess = { calls, gibSeconds: gibSeconds(size.assessMemoryMiB, seconds.assess * atOnce) };
  const closing = {
    calls: 0,
    gibSeconds: gibSeconds(size.stepMemoryMiB, seconds.aggregate + seconds.report),
  };
  return [
    ...(chainSeconds > 0 ? priceUsage('fit', chains) : []),
    ...priceUsage('assess', { lambda: assess }),
    ...priceUsage('aggregate', { lambda: closing }),
  ].reduce((sum, { dollars }) => sum + dollars, 0);
}
