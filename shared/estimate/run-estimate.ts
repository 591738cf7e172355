/** What a run is expected to do and to need on this machine. */
export interface RunEstimate {
  readonly candidatesPerCombination: number;
  /** Over all combinations. */
  readonly candidates: number;
  readonly batches: number;
  /** Base, synthesis and paired chains, both sides counted. */
  readonly chains: number;
  readonly iterations: number;
  /** Trees that are grown, where the model is of trees. */
  readonly trees: number;
  /** Draws under which every candidate is scored. */
  readonly draws: number;
  readonly jobs: number;
  readonly minutes: number;
  readonly memoryMiB: number;
  readonly diskMiB: number;
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
    /** Measuring the utility of all datasets; 0 where it is not. */
    readonly utility: number;
  };
}

/** The same of the tasks of a run alone. */
export interface TaskEstimate extends Omit<RunEstimate, 'secondsPer'> {
  readonly secondsPer: Omit<RunEstimate['secondsPer'], 'utility'>;
}
