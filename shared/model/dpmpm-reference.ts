import { logSumExp } from '../numeric/log-sum-exp.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { categoricalFromSums, gamma, logBetaPair } from '../random/distributions.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { Combinations } from '../table/combinations.ts';
import type { Dpmpm, DpmpmSettings, DpmpmState } from './dpmpm.ts';
import { categoryOffsets, type SharingOrder, sharingOrder } from './sharing-order.ts';

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
 * Running sums over classes of pi_f prod_k phi[f][k][x_k] for one combination, given those of the combination
 * before it: products over the variables that the two share are not formed again.
 *
 * @param products variables x classes; its first row holds the class weights
 * @param sums receives the running sums, so that its last entry is the total times exp(-scale)
 * @returns the scale, 0 but for totals that would underflow
 */
function classSums(
  order: SharingOrder,
  row: number,
  state: DpmpmState,
  products: Float64Array,
  sums: Float64Array,
): number {
  const { variables, categories } = order;
  const { probabilities } = state;
  const classes = sums.length;
  const first = row * variables;
  let from = order.shared[row]! * classes;
  for (let j = order.shared[row]!; j < variables - 1; j++) {
    const category = categories[first + j]! * classes;
    const to = from + classes;
    for (let f = 0; f < classes; f++) products[to + f] = products[from + f]! * probabilities[category + f]!;
    from = to;
  }
  const category = categories[first + variables - 1]! * classes;
  let total = 0;
  for (let f = 0; f < classes; f++) {
    total += products[from + f]! * probabilities[category + f]!;
    sums[f] = total;
  }
  return total > SAFE_SUM ? 0 : logClassSums(order, state, row, sums);
}

/** The slow path of {@link classSums}: the same sums formed in logs; returns their scale. */
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

const swap = (values: Float64Array | Uint32Array, j: number, l: number) => {
  const kept = values[j]!;
  values[j] = values[l]!;
  values[l] = kept;
};

const accepts = (random: RandomStream, logRatio: number) => logRatio >= 0 || log(random.uniform()) < logRatio;

/**
 * Two classes swap their records with the sticks integrated out, F times. With n_f records in class f, and
 * N_f in f and the classes after it, the allocation has probability proportional to
 * prod_(f<F) n_f! / (alpha + N_f) times Gamma(alpha + n_F), from beta integrals that telescope; only N_f of
 * classes between the two change, and the last class has a factor of its own.
 *
 * The moves of {@link switchLabels} cannot bring records out of the last class, whose stick is fixed: one
 * chain in five stayed with records there, and with alpha at (a + F - 1) / (b - log pi_F), two to eight
 * times too large on a survey table (docs/estimators.md).
 *
 * @param counts records of each class, permuted along with `holder`
 */
function swapWithoutSticks(
  counts: Float64Array,
  holder: Uint32Array,
  alpha: number,
  random: RandomStream,
): void {
  const classes = counts.length;
  for (let move = 0; move < classes && classes > 1; move++) {
    const first = random.below(classes);
    const second = (first + 1 + random.below(classes - 1)) % classes;
    const j = Math.min(first, second);
    const l = Math.max(first, second);
    const change = counts[j]! - counts[l]!;
    let logRatio = 0;
    if (change !== 0) {
      let after = 0;
      for (let f = l; f < classes; f++) after += counts[f]!;
      for (let f = l; f > j; f--) {
        if (f < classes - 1) logRatio += log((alpha + after) / (alpha + after + change));
        after += counts[f - 1]!;
      }
      if (l === classes - 1) logRatio += logLastClassRatio(counts[j]!, counts[l]!, alpha);
    }
    if (accepts(random, logRatio)) {
      swap(counts, j, l);
      swap(holder, j, l);
    }
  }
}

/** log of last! Gamma(alpha + other) / (other! Gamma(alpha + last)), for whole numbers of records. */
function logLastClassRatio(other: number, last: number, alpha: number): number {
  let logProduct = 0;
  let product = 1;
  for (let i = Math.min(other, last); i < Math.max(other, last); i++) {
    product *= (1 + i) / (alpha + i);
    // One logarithm for many factors, before they can leave the range of a double.
    if (!(product > 1e-200 && product < 1e200)) {
      logProduct += log(product);
      product = 1;
    }
  }
  logProduct += log(product);
  return last > other ? logProduct : -logProduct;
}

/**
 * Moves (i) and (ii) of Papaspiliopoulos & Roberts (2008, Biometrika 95(1), section 3.4), F of each.
 * (i) two classes swap their records, accepted with min(1, (pi_j/pi_l)^(n_l - n_j)); (ii) neighbours swap
 * records and sticks, accepted with min(1, (1 - V_(j+1))^n_j / (1 - V_j)^n_(j+1)). The last stick is not
 * free (V_F = 1) and stays.
 *
 * @param counts records of each class, permuted along with `holder`
 */
function switchLabels(
  counts: Float64Array,
  holder: Uint32Array,
  logSticks: Float64Array,
  logRests: Float64Array,
  logWeights: Float64Array,
  random: RandomStream,
): void {
  const classes = counts.length;
  const swapRecords = (j: number, l: number) => {
    swap(counts, j, l);
    swap(holder, j, l);
  };
  for (let move = 0; move < classes && classes > 1; move++) {
    const j = random.below(classes);
    const l = (j + 1 + random.below(classes - 1)) % classes;
    const difference = counts[l]! - counts[j]!;
    // Equal counts are a swap of ratio 1, whatever the weights (which may both be zero in floating point).
    const logRatio = difference === 0 ? 0 : difference * (logWeights[j]! - logWeights[l]!);
    if (accepts(random, logRatio)) swapRecords(j, l);
  }
  for (let move = 0; move < classes && classes > 2; move++) {
    const j = random.below(classes - 2);
    const logRatio = counts[j]! * logRests[j + 1]! - counts[j + 1]! * logRests[j]!;
    if (!accepts(random, logRatio)) continue;
    swapRecords(j, j + 1);
    const before = logWeights[j]! - logSticks[j]!;
    swap(logSticks, j, j + 1);
    swap(logRests, j, j + 1);
    logWeights[j] = before + logSticks[j]!;
    logWeights[j + 1] = before + logRests[j]! + logSticks[j + 1]!;
  }
}

/**
 * The DPMPM in plain TypeScript: the program to read, and the oracle of the kernel behind `createDpmpm`, which
 * does the same operations in the same order.
 *
 * The blocked Gibbs sampler (Ishwaran & James 2001; 000 section 2): records are allocated given (pi, phi),
 * by combination since equal records share their class probabilities; labels move without sticks; then the
 * sticks given the counts, label moves with sticks (phi integrated out of both), phi, and
 * alpha ~ Gamma(a + F - 1, rate b - log pi_F).
 *
 * @param sizes number of categories of each variable; phi has a uniform Dirichlet prior (000 section 2)
 */
export function createReferenceDpmpm(
  combinations: Combinations,
  sizes: readonly number[],
  settings: DpmpmSettings,
): Dpmpm {
  const { classes, concentration, labelSwitching = true } = settings;
  const order = sharingOrder(combinations, sizes);
  const { variables, categories, counts } = order;
  const offsets = categoryOffsets(sizes);
  const categoryTotal = offsets[sizes.length]!;
  const products = new Float64Array(variables * classes);
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
    products.set(state.weights);
    for (let row = 0; row < order.rows; row++) {
      classSums(order, row, state, products, sums);
      if (!(sums[classes - 1]! < Infinity)) throw new RangeError('a class weight is not a number');
      const records = counts[row]!;
      if (records === 1) {
        tally(allocation, row, categoricalFromSums(random, sums, 0, classes), 1);
        continue;
      }
      for (let i = 0; i < records; i++) drawn[categoricalFromSums(random, sums, 0, classes)]!++;
      for (let f = 0; f < classes; f++) {
        if (drawn[f] === 0) continue;
        tally(allocation, row, f, drawn[f]!);
        drawn[f] = 0;
      }
    }
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
    // Whose records each class holds, once labels have moved.
    const holder = Uint32Array.from({ length: classes }, (_, f) => f);
    if (labelSwitching) swapWithoutSticks(classCounts, holder, previousAlpha, random);
    const logSticks = new Float64Array(classes);
    const logRests = new Float64Array(classes);
    const logWeights = new Float64Array(classes);
    let after = classCounts.reduce((sum, count) => sum + count, 0);
    let logRest = 0;
    for (let f = 0; f < classes - 1; f++) {
      after -= classCounts[f]!;
      const [logStick, logOneMinus] = logBetaPair(random, 1 + classCounts[f]!, previousAlpha + after);
      logSticks[f] = logStick;
      logRests[f] = logOneMinus;
      logWeights[f] = logRest + logStick;
      logRest += logOneMinus;
    }
    logWeights[classes - 1] = logRest;
    if (labelSwitching) switchLabels(classCounts, holder, logSticks, logRests, logWeights, random);
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
      products.set(state.weights);
      for (let row = 0; row < order.rows; row++) {
        const scale = classSums(order, row, state, products, sums);
        total += counts[row]! * (log(sums[classes - 1]!) + scale);
      }
      return total;
    },
  };
}
