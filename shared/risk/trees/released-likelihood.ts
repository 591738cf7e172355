/** Log-probability of released values, and how many of them no donor could give, for which it does not account. */
export interface ReleasedLikelihood {
  readonly logLikelihood: number;
  readonly impossible: number;
  /**
   * Of several datasets each by itself: the log-probabilities, and then how many values are impossible. Null where nothing
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
 * Log-likelihood ratios without each dataset, in nats; -Infinity where what is left is impossible. Null where they are
 * not known.
 *
 * @param datasets how many there are, from 2
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
