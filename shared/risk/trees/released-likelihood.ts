import { log } from '../../numeric/portable-math.ts';

/** Log-probability of released values, and how many of them no donor could give, for which it does not account. */
export interface ReleasedLikelihood {
  readonly logLikelihood: number;
  readonly impossible: number;
}

/** The probability of no values. */
export const NOTHING_RELEASED: ReleasedLikelihood = { logLikelihood: 0, impossible: 0 };

/** The probability of values that were drawn from the donors of a node. */
export class DonorShares {
  /** Logarithms of whole numbers. */
  readonly #logs: Float64Array;

  /** @param records most that a node can have */
  constructor(records: number) {
    this.#logs = Float64Array.from({ length: records + 1 }, (_, count) => (count === 0 ? 0 : log(count)));
  }

  /**
   * Σ_v s_v (log n_v - log n) of s_v released values from n_v donors of n by class.
   *
   * @param released null for none
   */
  likelihood(released: Float64Array | null, counts: Float64Array, records: number): ReleasedLikelihood {
    if (released === null) return NOTHING_RELEASED;
    let logLikelihood = 0;
    let impossible = 0;
    let given = 0;
    for (let one = 0; one < released.length; one++) {
      const values = released[one]!;
      if (values === 0) continue;
      if (counts[one] === 0) impossible += values;
      else {
        logLikelihood += values * this.#logs[counts[one]!]!;
        given += values;
      }
    }
    return { logLikelihood: logLikelihood - given * this.#logs[records]!, impossible };
  }
}
