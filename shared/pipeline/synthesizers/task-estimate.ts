import type { PhaseTasks } from '../rounds/chains-needed.ts';

/** How the time of a run is measured. */
export interface Measuring {
  /** Threads. */
  readonly jobs: number;
  /** The tasks of its first round. */
  readonly tasks: PhaseTasks;
  /** For how long calls are measured. */
  readonly seconds: number;
  /** Seconds that one call takes, as they are measured. */
  readonly secondsPerCall: (call: () => void) => number;
}

/** What the tasks of a run are expected to do and to take. */
export interface TaskEstimate {
  /** Candidates over all rows. */
  readonly candidates: number;
  /** Base, synthesis and paired chains, both sides counted. */
  readonly chains: number;
  readonly iterations: number;
  /** Trees that are grown, where the model is of trees. */
  readonly trees: number;
  /** Draws under which every candidate is scored. */
  readonly draws: number;
  readonly minutes: number;
  readonly diskMiB: number;
  /** Where numbers are guessed at: bytes of the distributions of a record's numbers, which a batch stores of each of its records. */
  readonly densityBytes?: number;
  /** CPU seconds that the pieces of the estimate take: this machine's other work is not in them. */
  readonly secondsPer: {
    /** One iteration on the table alone, or on the table stacked with a dataset. */
    readonly iteration: number;
    readonly stackedIteration: number;
    /** Scoring all candidates of one combination under all draws. */
    readonly combination: number;
    /** Where the model is of trees: growing one; of trees or of counts: drawing a dataset. */
    readonly tree?: number;
    readonly dataset?: number;
    /** Scoring which records somebody would name who knows nothing, where anybody asks: all of it, in one thread. */
    readonly reconstruction?: number;
  };
}

/** CPU seconds that work takes, and what it gives. */
export function timed<T>(work: () => T): { result: T; seconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}
