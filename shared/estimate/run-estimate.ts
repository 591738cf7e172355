import type { TaskEstimate } from '../pipeline/synthesizers/task-estimate.ts';

/** What a run is expected to do and to need on this machine. */
export interface RunEstimate extends TaskEstimate {
  readonly candidatesPerCombination: number;
  readonly batches: number;
  readonly jobs: number;
  readonly memoryMiB: number;
  readonly secondsPer: TaskEstimate['secondsPer'] & {
    /** Measuring the utility of all datasets; 0 where it is not. */
    readonly utility: number;
  };
}
