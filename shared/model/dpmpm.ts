import { logSumExp } from '../numeric/log-sum-exp.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { categoricalFromSums, gamma, logBetaPair } from '../random/distributions.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { Combinations } from '../table/combinations.ts';
import { categoryOffsets, type SharingOrder, sharingOrder } from './sharing-order.ts';

/** Settings of the truncated Dirichlet process mixture of products of multinomials (000 eq. 1-6). */
export interface DpmpmSettings {
  /** F, the number of classes at which stick breaking is truncated. */
  readonly classes: number;
  /** Prior of alpha, Gamma(shape, rate), or a fixed value. */
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  /**
   * Moves between labels. Only a study of their effect turns them off: without them alpha is about ten
   * times too large and the risk is miscalibrated (docs/estimators.md).
   */
  readonly labelSwitching?: boolean;
}

/** One draw of the parameters, and all that the next iteration needs. */
export interface DpmpmState {
  /** pi, one entry a class, summing to 1. */
  readonly weights: Float64Array;
  /** phi, categories of all variables end to end x classes, classes innermost. */
  readonly probabilities: Float64Array;
  /** alpha. */
  readonly concentration: number;
  /** Classes that held at least one record in the allocation behind this draw. */
  readonly occupiedClasses: number;
}

/** A DPMPM bound to the records it is fitted to. */
export interface Dpmpm {
  /** A state drawn given an allocation of the records over all classes at random. */
  init(random: RandomStream): DpmpmState;
  /** One iteration of the blocked Gibbs sampler. Throws RangeError when a weight is not a number. */
  step(state: DpmpmState, random: RandomStream): DpmpmState;
  /** Log-likelihood of the records under a state's parameters (nats). */
  logLikelihood(state: DpmpmState): number;
}

/**
 * Below this a product of probabilities may have lost digits to underflow in classes that matter, and is
 * formed again in logs. Sums above it are exact to rounding for every class of relative weight over 1e-50.
 */
const SAFE_SUM = 1e-250;

interface Allocation {
  readonly classCounts: Float64Array;
  /** Categories of all variables end to end x classes. */
  readonly categoryCounts: Float64Array;
}

/**
 * Running sums over classes of pi_f prod_k phi[f][k][x_k], for each combination in turn. Products over the
 * variables that a combination shares with the one before are not formed again.
 * `visit` receives the row; `sums[classes - 1]` is the total times exp(-`logScale`).
 */
function walkClassSums(
  order: SharingOrder,
  state: DpmpmState,
  sums: Float64Array,
  visit: (row: number, logScale: number) => void,
): void {
  const { rows, variables, categories, shared } = order;
  const { weights, probabilities } = state;
  const classes = weights.length;
  const products = new Float64Array(variables * classes);
  products.set(weights);
  const lastProduct = (variables - 1) * classes;
  for (let row = 0; row < rows; row++) {
    const first = row * variables;
    for (let j = shared[row]!; j < variables - 1; j++) {
      const from = j * classes;
      const category = categories[first + j]! * classes;
      for (let f = 0; f < classes; f++) {
        products[from + classes + f] = products[from + f]! * probabilities[category + f]!;
      }
    }
    const category = categories[first + variables - 1]! * classes;
    let total = 0;
    for (let f = 0; f < classes; f++) {
      total += products[lastProduct + f]! * probabilities[category + f]!;
      sums[f] = total;
    }
    visit(row, total > SAFE_SUM ? 0 : logClassSums(order, state, row, sums));
  }
}

/** The slow path of {@link walkClassSums}: the same sums formed in logs; returns their scale. */
function logClassSums(order: SharingOrder, state: DpmpmState, row: number, sums: Float64Array): number {
  const { variables, categories } = order;
  const classes = sums.length;
  let largest = -Infinity;
  for (let f = 0; f < classes; f++) {
    let value = log(state.weights[f]!);
    for (let j = 0; j < variables; j++) {
      value += log(state.probabilities[categories[row * variables + j]! * classes + f]!);
    }
    sums[f] = value;
    if (value > largest) largest = value;
  }
  if (!(largest > -Infinity)) throw new RangeError('every class gives some combination probability zero');
  let total = 0;
  for (let f = 0; f < classes; f++) {
    total += exp(sums[f]! - largest);
    sums[f] = total;
  }
  return largest;
}

/**
 * Moves (i) and (ii) of Papaspiliopoulos & Roberts (2008, Biometrika 95(1), section 3.4), F of each.
 * (i) two classes swap their records, accepted with min(1, (pi_j/pi_l)^(n_l - n_j)); (ii) neighbours swap
 * records and sticks, accepted with min(1, (1 - V_(j+1))^n_j / (1 - V_j)^n_(j+1)). The last stick is not
 * free (V_F = 1) and stays. Returns, for each class, whose records it now holds.
 */
function switchLabels(
  counts: Float64Array,
  logSticks: Float64Array,
  logRests: Float64Array,
  logWeights: Float64Array,
  random: RandomStream,
): Uint32Array {
  const classes = counts.length;
  const holder = Uint32Array.from({ length: classes }, (_, f) => f);
  const accept = (logRatio: number) => logRatio >= 0 || log(random.uniform()) < logRatio;
  const swap = (values: Float64Array | Uint32Array, j: number, l: number) => {
    const kept = values[j]!;
    values[j] = values[l]!;
    values[l] = kept;
  };
  for (let move = 0; move < classes && classes > 1; move++) {
    const j = random.below(classes);
    const l = (j + 1 + random.below(classes - 1)) % classes;
    const difference = counts[holder[l]!]! - counts[holder[j]!]!;
    // Equal counts are a swap of ratio 1, whatever the weights (which may both be zero in floating point).
    if (difference === 0 || accept(difference * (logWeights[j]! - logWeights[l]!))) swap(holder, j, l);
  }
  for (let move = 0; move < classes && classes > 2; move++) {
    const j = random.below(classes - 2);
    const logRatio = counts[holder[j]!]! * logRests[j + 1]! - counts[holder[j + 1]!]! * logRests[j]!;
    if (!accept(logRatio)) continue;
    swap(holder, j, j + 1);
    const before = logWeights[j]! - logSticks[j]!;
    swap(logSticks, j, j + 1);
    swap(logRests, j, j + 1);
    logWeights[j] = before + logSticks[j]!;
    logWeights[j + 1] = before + logRests[j]! + logSticks[j + 1]!;
  }
  return holder;
}

/**
 * Binds the DPMPM to a set of distinct combinations with counts.
 *
 * The blocked Gibbs sampler (Ishwaran & James 2001; 000 section 2): records are allocated given (pi, phi),
 * by combination since equal records share their class probabilities; then the sticks given the counts, the
 * label-switching moves (phi integrated out), phi, and alpha ~ Gamma(a + F - 1, rate b - log pi_F).
 *
 * @param sizes number of categories of each variable; phi has a uniform Dirichlet prior (000 section 2)
 */
export function createDpmpm(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
): Dpmpm {
  const { classes, concentration, labelSwitching = true } = settings;
  const order = sharingOrder(combinations, sizes);
  const { variables, categories, counts } = order;
  const offsets = categoryOffsets(sizes);
  const categoryTotal = offsets[sizes.length]!;
  const sums = new Float64Array(classes);
  const drawn = new Float64Array(classes);

  function tally(allocation: Allocation, row: number, f: number, records: number): void {
    allocation.classCounts[f]! += records;
    for (let j = 0; j < variables; j++) {
      allocation.categoryCounts[categories[row * variables + j]! * classes + f]! += records;
    }
  }

  function emptyAllocation(): Allocation {
    return {
      classCounts: new Float64Array(classes),
      categoryCounts: new Float64Array(categoryTotal * classes),
    };
  }

  function allocate(state: DpmpmState, random: RandomStream): Allocation {
    const allocation = emptyAllocation();
    walkClassSums(order, state, sums, (row) => {
      if (!(sums[classes - 1]! < Infinity)) throw new RangeError('a class weight is not a number');
      const records = counts[row]!;
      if (records === 1) {
        tally(allocation, row, categoricalFromSums(random, sums, 0, classes), 1);
        return;
      }
      for (let i = 0; i < records; i++) drawn[categoricalFromSums(random, sums, 0, classes)]!++;
      for (let f = 0; f < classes; f++) {
        if (drawn[f] === 0) continue;
        tally(allocation, row, f, drawn[f]!);
        drawn[f] = 0;
      }
    });
    return allocation;
  }

  function drawProbabilities(categoryCounts: Float64Array, holder: Uint32Array, random: RandomStream) {
    const probabilities = new Float64Array(categoryTotal * classes);
    for (let k = 0; k < sizes.length; k++) {
      for (let f = 0; f < classes; f++) {
        let total = 0;
        for (let c = offsets[k]!; c < offsets[k + 1]!; c++) {
          const variate = gamma(random, 1 + categoryCounts[c * classes + holder[f]!]!);
          probabilities[c * classes + f] = variate;
          total += variate;
        }
        for (let c = offsets[k]!; c < offsets[k + 1]!; c++) probabilities[c * classes + f]! /= total;
      }
    }
    return probabilities;
  }

  function drawState(allocation: Allocation, previousAlpha: number, random: RandomStream): DpmpmState {
    const { classCounts, categoryCounts } = allocation;
    const logSticks = new Float64Array(classes);
    const logRests = new Float64Array(classes);
    const logWeights = new Float64Array(classes);
    let after = classCounts.reduce((sum, count) => sum + count, 0);
    let logRest = 0;
    for (let f = 0; f < classes - 1; f++) {
      after -= classCounts[f]!;
      [logSticks[f], logRests[f]] = logBetaPair(random, 1 + classCounts[f]!, previousAlpha + after) as [
        number,
        number,
      ];
      logWeights[f] = logRest + logSticks[f]!;
      logRest += logRests[f]!;
    }
    logWeights[classes - 1] = logRest;
    const holder = labelSwitching
      ? switchLabels(classCounts, logSticks, logRests, logWeights, random)
      : Uint32Array.from({ length: classes }, (_, f) => f);
    const probabilities = drawProbabilities(categoryCounts, holder, random);
    const alpha =
      'value' in concentration
        ? concentration.value
        : gamma(random, concentration.shape + classes - 1) / (concentration.rate - logRest);
    const logTotal = logSumExp(logWeights);
    const weights = logWeights.map((value) => exp(value - logTotal));
    let occupiedClasses = 0;
    for (const count of classCounts) if (count > 0) occupiedClasses++;
    if (!(alpha < Infinity)) throw new RangeError('the concentration is not a number');
    return { weights, probabilities, concentration: alpha, occupiedClasses };
  }

  return {
    init(random) {
      const allocation = emptyAllocation();
      for (let row = 0; row < order.rows; row++) {
        for (let i = 0; i < counts[row]!; i++) tally(allocation, row, random.below(classes), 1);
      }
      return drawState(allocation, 'value' in concentration ? concentration.value : 1, random);
    },
    step(state, random) {
      return drawState(allocate(state, random), state.concentration, random);
    },
    logLikelihood(state) {
      let total = 0;
      walkClassSums(order, state, sums, (row, logScale) => {
        total += counts[row]! * (log(sums[classes - 1]!) + logScale);
      });
      return total;
    },
  };
}
