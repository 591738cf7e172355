import { KEPT_HALF, keptEvaluations } from '../attribute/kept-evaluations.ts';

/** Sums a row of numbers, times a factor, into another. */
function addTo(sums: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += factor * values[i]!;
}

/**
 * Means over the chains of one set, of some numbers that each chain says: in the estimate, in the resamples that are kept, stretched
 * as those of attribute risk, and in chains of half their length.
 */
export class PooledChains {
  readonly #counts: Float64Array;
  readonly #chains: number;
  readonly #sums: readonly Float64Array[];
  #added = 0;

  /** @param counts how often each of the chains counts in each evaluation (`chainCounts`) */
  constructor(counts: Float64Array, chains: number, numbers: number) {
    this.#counts = counts;
    this.#chains = chains;
    this.#sums = Array.from({ length: KEPT_HALF + 1 }, () => new Float64Array(numbers));
  }

  /** Adds a chain: means over its draws, and over the first half of them. */
  add(means: Float64Array, half: Float64Array): void {
    const chain = this.#added++;
    for (let e = 0; e < KEPT_HALF; e++) {
      const times = this.#counts[e * this.#chains + chain]!;
      if (times > 0) addTo(this.#sums[e]!, means, times / this.#chains);
    }
    addTo(this.#sums[KEPT_HALF]!, half, 1 / this.#chains);
  }

  /** The means, evaluations x numbers. */
  means(): readonly Float64Array[] {
    const estimate = this.#sums[0]!;
    const stretch = this.#chains > 1 ? Math.sqrt(this.#chains / (this.#chains - 1)) : 1;
    return this.#sums.map((sums, e) =>
      e === 0 || e === KEPT_HALF ? sums : sums.map((sum, i) => estimate[i]! + stretch * (sum - estimate[i]!)),
    );
  }
}

/** Means over datasets in each of the evaluations that are kept (`kept-evaluations.ts`): evaluations x numbers. */
export class KeptMeans {
  readonly evaluations: readonly Float64Array[];
  readonly #datasets: number;

  constructor(numbers: number, datasets: number) {
    this.#datasets = datasets;
    const leftOut = datasets < 2 ? 0 : datasets;
    this.evaluations = Array.from({ length: keptEvaluations(leftOut) }, () => new Float64Array(numbers));
  }

  /** Adds what is known from a dataset (from 1), or, where it is null, what no dataset has a part in. */
  add(means: readonly Float64Array[], dataset: number | null): void {
    const [share, shareWithout] = dataset === null ? [1, 1] : [1 / this.#datasets, 1 / (this.#datasets - 1)];
    for (const [e, values] of this.evaluations.entries()) {
      if (e <= KEPT_HALF) addTo(values, means[e]!, share);
      else if (e - KEPT_HALF !== dataset) addTo(values, means[0]!, shareWithout);
    }
  }
}
