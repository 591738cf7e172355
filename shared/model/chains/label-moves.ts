import { lgamma } from '../../numeric/gamma-function.ts';
import { log } from '../../numeric/portable-math.ts';
import { logBetaPair } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';

/**
 * Sticks given the number of members of each class: V_f ~ Beta(1 + n_f, alpha + N_(f+1)) for all classes but the last,
 * whose V is 1 (Ishwaran & James 2001; docs/explanation/synthesizers.md).
 */
export function drawSticks(classCounts: Float64Array, alpha: number, random: RandomSource): LogSticks {
  const classes = classCounts.length;
  const logSticks = new Float64Array(classes);
  const logRests = new Float64Array(classes);
  const logWeights = new Float64Array(classes);
  let after = classCounts.reduce((sum, count) => sum + count, 0);
  let logRest = 0;
  for (let f = 0; f < classes - 1; f++) {
    after -= classCounts[f]!;
    const [logStick, logOneMinus] = logBetaPair(random, 1 + classCounts[f]!, alpha + after);
    logSticks[f] = logStick;
    logRests[f] = logOneMinus;
    logWeights[f] = logRest + logStick;
    logRest += logOneMinus;
  }
  logWeights[classes - 1] = logRest;
  return { logSticks, logRests, logWeights };
}

/** Beyond these a product is turned into a logarithm, before it can leave the range of a double. */
const SMALL_PRODUCT = 1e-100;
const LARGE_PRODUCT = 1e100;

/** Classes whose labels move. */
export interface LabelledClasses {
  readonly counts: Float64Array;
  /** For each class, which class of the allocation its records are. */
  readonly holder: Uint32Array;
}

/** Logarithms of V, of 1 - V and of pi, for the stick of each class; of the last class, whose V is 1, only pi. */
export interface LogSticks {
  readonly logSticks: Float64Array;
  readonly logRests: Float64Array;
  readonly logWeights: Float64Array;
}

const swap = (values: Float64Array | Uint32Array, j: number, l: number) => {
  const kept = values[j]!;
  values[j] = values[l]!;
  values[l] = kept;
};

const swapRecords = ({ counts, holder }: LabelledClasses, j: number, l: number) => {
  swap(counts, j, l);
  swap(holder, j, l);
};

const accepts = (random: RandomSource, logRatio: number) => logRatio >= 0 || log(random.uniform()) < logRatio;

/**
 * Two classes swap their records with the sticks integrated out, so many times. With n_f records in class f, and N_f in f
 * and the classes after it, the allocation has probability proportional to prod_(f<F) n_f! / (alpha + N_f) times
 * Gamma(alpha + n_F); only N_f of classes between the two change, and the last class has a factor of its own. {@link
 * switchLabels} cannot bring records out of the last class, whose stick is fixed: one chain in five stayed there
 * (docs/explanation/synthesizers.md).
 */
export function swapWithoutSticks(labelled: LabelledClasses, alpha: number, random: RandomSource, moves: number): void {
  const { counts } = labelled;
  const classes = counts.length;
  const after = new Float64Array(classes);
  for (let f = classes - 1, sum = 0; f >= 0; f--) {
    sum += counts[f]!;
    after[f] = sum;
  }
  for (let move = 0; move < moves && classes > 1; move++) {
    const first = random.below(classes);
    const second = (first + 1 + random.below(classes - 1)) % classes;
    const j = Math.min(first, second);
    const l = Math.max(first, second);
    const recordsOfFirst = counts[j]!;
    const recordsOfSecond = counts[l]!;
    const change = recordsOfFirst - recordsOfSecond;
    if (change !== 0) {
      let logRatio = 0;
      let product = 1;
      for (let f = j + 1; f <= l && f < classes - 1; f++) {
        const rest = alpha + after[f]!;
        product *= rest / (rest + change);
        if (!(product > SMALL_PRODUCT && product < LARGE_PRODUCT)) {
          logRatio += log(product);
          product = 1;
        }
      }
      logRatio += log(product);
      if (l === classes - 1) {
        logRatio +=
          lgamma(recordsOfSecond + 1) - lgamma(recordsOfFirst + 1) + (lgamma(alpha + recordsOfFirst) - lgamma(alpha + recordsOfSecond));
      }
      if (!accepts(random, logRatio)) continue;
      for (let f = j + 1; f <= l; f++) after[f]! += change;
    }
    swapRecords(labelled, j, l);
  }
}

/**
 * Moves (i) and (ii) of Papaspiliopoulos & Roberts (2008, Biometrika 95(1), section 3.4), so many of each. (i) two
 * classes swap their records, accepted with min(1, (pi_j/pi_l)^(n_l - n_j)); (ii) neighbours swap records and sticks,
 * accepted with min(1, (1 - V_(j+1))^n_j / (1 - V_j)^n_(j+1)). The last stick, V_F = 1, stays.
 */
export function switchLabels(labelled: LabelledClasses, sticks: LogSticks, random: RandomSource, moves: number): void {
  const { counts } = labelled;
  const { logSticks, logRests, logWeights } = sticks;
  const classes = counts.length;
  for (let move = 0; move < moves && classes > 1; move++) {
    const j = random.below(classes);
    const l = (j + 1 + random.below(classes - 1)) % classes;
    const difference = counts[l]! - counts[j]!;
    // Equal counts are a swap of ratio 1, whatever the weights (which may both be zero in floating point).
    const logRatio = difference === 0 ? 0 : difference * (logWeights[j]! - logWeights[l]!);
    if (accepts(random, logRatio)) swapRecords(labelled, j, l);
  }
  for (let move = 0; move < moves && classes > 2; move++) {
    const j = random.below(classes - 2);
    const logRatio = counts[j]! * logRests[j + 1]! - counts[j + 1]! * logRests[j]!;
    if (!accepts(random, logRatio)) continue;
    swapRecords(labelled, j, j + 1);
    const before = logWeights[j]! - logSticks[j]!;
    swap(logSticks, j, j + 1);
    swap(logRests, j, j + 1);
    logWeights[j] = before + logSticks[j]!;
    logWeights[j + 1] = before + logRests[j]! + logSticks[j + 1]!;
  }
}
