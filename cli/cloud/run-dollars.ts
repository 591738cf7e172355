import { CLOSING_TASK, type EnvironmentSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import { priceUsage } from '../../shared/cost/price-usage.ts';

const MIB_A_GIB = 1024;

/** A phase under way: how long it has been, and what it maps over. */
export interface PhaseUnderWay {
  readonly phase: 'chains' | 'batches' | 'closing';
  readonly seconds: number;
  /** Batches that the map is over. */
  readonly batches: number;
  /** Tasks that share the chains. */
  readonly fitTasks: number;
  /** Whether a container task puts the results together. */
  readonly closesInTask: boolean;
}

/**
 * The most that the compute of a phase can have cost so far in an environment of this size, in dollars at list prices: the
 * containers by its time, as many as may be at work at once, and batches as if as many as can be had been at work from the first moment.
 */
export function phaseDollars({ batches, closesInTask, fitTasks, phase, seconds }: PhaseUnderWay, size: EnvironmentSize): number {
  const gibSeconds = (memoryMiB: number) => (memoryMiB / MIB_A_GIB) * seconds;
  const tasks = Math.max(1, Math.min(fitTasks, Math.floor(size.fargateVcpu / size.fitVcpu)));
  const container = { vcpus: tasks * size.fitVcpu, gib: tasks * size.fitMemoryGiB, seconds };
  const step = { lambda: { calls: 0, gibSeconds: gibSeconds(size.stepMemoryMiB) } };
  const functions = { lambda: { calls: 0, gibSeconds: fitTasks * gibSeconds(size.stepMemoryMiB) } };
  const atOnce = Math.min(size.mapConcurrency, batches);
  const usage = {
    chains: size.engine === 'fargate' ? { fargate: container } : functions,
    batches: { lambda: { calls: batches, gibSeconds: gibSeconds(size.assessMemoryMiB) * atOnce } },
    closing: closesInTask ? { fargate: { vcpus: CLOSING_TASK.vcpus, gib: CLOSING_TASK.memoryGiB, seconds } } : step,
  };
  return priceUsage('assess', usage[phase]).reduce((sum, { dollars }) => sum + dollars, 0);
}
