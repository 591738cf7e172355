import { log } from '../../numeric/portable-math.ts';
import type { GrownNode } from './grown-node.ts';
import type { TreePlace } from './tree-variables.ts';

/** Log-probability of released values, and how many of them no donor could give, for which it does not account. */
export interface ReleasedLikelihood {
  readonly logLikelihood: number;
  readonly impossible: number;
  /**
   * Of several datasets each by itself: the log-probabilities, then how many values are impossible. Null where nothing
   * was released, or by a single dataset; undefined where it is not known.
   */
  readonly separate?: Float64Array | null | undefined;
}

/** The probability of no values. */
export const NOTHING_RELEASED: ReleasedLikelihood = { logLikelihood: 0, impossible: 0, separate: null };

/** The probability of all of some values, `less` those of others. */
export function sumOfLikelihoods(parts: readonly ReleasedLikelihood[], less: ReleasedLikelihood = NOTHING_RELEASED): ReleasedLikelihood {
  let [logLikelihood, impossible] = [0, 0];
  for (const part of parts) {
    logLikelihood += part.logLikelihood;
    impossible += part.impossible;
  }
  return {
    logLikelihood: logLikelihood - less.logLikelihood,
    impossible: impossible - less.impossible,
    separate: sumOfSeparate(parts, less),
  };
}

function sumOfSeparate(parts: readonly ReleasedLikelihood[], { separate: less }: ReleasedLikelihood): Float64Array | null | undefined {
  if (less === undefined) return undefined;
  let sum = less?.map((one) => -one) ?? null;
  for (const { separate } of parts) {
    if (separate === undefined) return undefined;
    if (separate === null) continue;
    if (sum === null) sum = separate.slice();
    else for (let i = 0; i < sum.length; i++) sum[i]! += separate[i]!;
  }
  return sum;
}

/**
 * Log-likelihood ratios without each of two datasets or more, in nats; -Infinity where what is left is impossible. Null
 * where they are not known.
 */
export function ratiosWithout({ separate }: ReleasedLikelihood, datasets: number): Float64Array | null {
  if (separate === undefined) return null;
  const ratios = new Float64Array(datasets);
  if (separate === null) return ratios;
  for (let without = 0; without < datasets; without++) {
    let impossible = 0;
    for (let l = 0; l < datasets; l++) {
      if (l === without) continue;
      ratios[without]! += separate[l]!;
      impossible += separate[datasets + l]!;
    }
    if (impossible > 0) ratios[without] = -Infinity;
  }
  return ratios;
}

/** Donors of a node as the table has them, and what was released from it. */
export type LeafDonors = Pick<GrownNode, 'counts' | 'records' | 'resting' | 'donors'>;

/** The probability of what was released from the donors of a node. */
export interface LeafLikelihood {
  /**
   * Takes up the table without one record and with another; null for none. False if this changes what nodes release that do
   * not hold the record.
   */
  changeTable(removed: TreePlace | null, added: TreePlace | null): boolean;
  /** That of a node, without one of its donors and with another. */
  of(leaf: LeafDonors, removed: TreePlace | null, added: TreePlace | null): ReleasedLikelihood;
}

/** Counts by class with one record less and one more. */
export function changedCounts(counts: Float64Array, removed: TreePlace | null, added: TreePlace | null): Float64Array {
  const changed = counts.slice();
  if (removed !== null) changed[removed.response]!--;
  if (added !== null) changed[added.response]!++;
  return changed;
}

/** The probability of values that were drawn from the donors of a node: their shares by class. */
export class DonorShares implements LeafLikelihood {
  /** Logarithms of whole numbers. */
  readonly #logs: Float64Array;

  /** @param records most that a node can have */
  constructor(records: number) {
    this.#logs = Float64Array.from({ length: records + 1 }, (_, count) => (count === 0 ? 0 : log(count)));
  }

  changeTable(): boolean {
    return true;
  }

  of({ counts, records, resting }: LeafDonors, removed: TreePlace | null, added: TreePlace | null): ReleasedLikelihood {
    if (resting === null) return NOTHING_RELEASED;
    const changed = records - (removed === null ? 0 : 1) + (added === null ? 0 : 1);
    return this.likelihood(resting, changedCounts(counts, removed, added), changed);
  }

  /**
   * Σ_v s_v (log n_v - log n) of s_v released values from n_v donors of n by class.
   *
   * @param released in all, and then by dataset if there are several; null for none
   */
  likelihood(released: Float64Array | null, counts: Float64Array, records: number): ReleasedLikelihood {
    if (released === null) return NOTHING_RELEASED;
    const all = this.#part(released, 0, counts, records);
    const datasets = released.length / counts.length - 1;
    if (datasets === 0) return { ...all, separate: null };
    const separate = new Float64Array(2 * datasets);
    for (let l = 0; l < datasets; l++) {
      const dataset = this.#part(released, (1 + l) * counts.length, counts, records);
      separate[l] = dataset.logLikelihood;
      separate[datasets + l] = dataset.impossible;
    }
    return { ...all, separate };
  }

  #part(released: Float64Array, from: number, counts: Float64Array, records: number) {
    let logLikelihood = 0;
    let impossible = 0;
    let given = 0;
    for (let one = 0; one < counts.length; one++) {
      const values = released[from + one]!;
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
