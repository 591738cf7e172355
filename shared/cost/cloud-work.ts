/** What a run has to do and to move, as its plan and a measurement of speeds give it: the input of the estimate. */
export interface CloudWork {
  /**
   * Phases of the chains: equal ones side by side, and what one of them takes. Those of stage 2 go on from datasets, which
   * those of stage 1 make.
   */
  readonly phases: readonly { readonly stage: 1 | 2; readonly tasks: number; readonly secondsPerTask: number }[];
  /** Combinations in each batch. */
  readonly batches: readonly number[];
  /** Scoring all candidates of one combination under all draws. */
  readonly secondsPerCombination: number;
  /** Values that are guessed one by one, of all combinations and scenarios: what each has a row of in a table of results. */
  readonly values: number;
  /** What batches write of them. */
  readonly valueBytes: number;
  /** Bytes that each step takes at most: those that are one call each, and the process that runs chains with each of its threads. */
  readonly stepMemory: {
    readonly plan: number;
    readonly fit: { readonly process: number; readonly thread: number };
    /** A batch, beside the table and the draws that are kept. */
    readonly assess: number;
    readonly aggregate: number;
    readonly report: number;
  };
  /** Measuring the utility of all datasets, once when the results are put together. */
  readonly utilitySeconds: number;
  /** What every batch reads of the draws under which it is scored, and the objects that hold them. */
  readonly draws: { readonly bytes: number; readonly objects: number };
  /** All draws as they are stored: also what each batch reads its own part of. */
  readonly storedBytes: number;
  /** The table and where the datasets came from, which every batch reads as well. */
  readonly table: { readonly bytes: number; readonly objects: number };
  /** Small objects that every batch reads beside these, each time: the plan and the like. */
  readonly contextObjects: number;
  /** What a batch writes. */
  readonly part: { readonly bytesPerCombination: number; readonly objects: number };
  /** Objects that the tasks of the chains read and write, all together. */
  readonly fitReads: number;
  readonly fitObjects: number;
}
