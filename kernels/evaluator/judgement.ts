/** What the evaluations of a combination say of its truth: the second half of the kernel of evaluations. */
import { lanes } from '../math/lanes';
import { exp, expLanes, log } from '../math/portable-math';
import {
  at,
  candidates,
  informationBits,
  logBayesFactors,
  losses,
  probabilities,
  ranked,
  ranks,
  scores,
  width,
} from './evaluator-memory';
import { tieRounding } from './value-sets';

const LN2: f64 = 0.6931471805599453;

/** What others weigh beside the truth where that is too little for a double to keep its digits; their odds are then found among themselves. */
const LEAST_OTHERS: f64 = 1e-290;

/** Above it are log-odds before the release of a truth beside which nothing is possible (`LOG_ZERO`). */
const ALONE: f64 = 5e8;

/**
 * Raises the log-likelihoods of one evaluation to the power of the slope, and says how far those that are ranked are
 * from that of candidate 0.
 *
 * @returns whether all of them are finite
 */
export function raise(row: usize, evaluation: i32, slope: f64): bool {
  const even = <usize>(ranked & ~1) << 3;
  // The last candidate that is ranked, if their number is odd, stands alone; what comes after it does not count.
  const isOdd = (ranked & 1) != 0;
  const infinity = f64x2.splat(Infinity);
  let finite = i64x2.splat(-1);
  let least = infinity;
  let most = f64x2.splat(-Infinity);
  for (let x: usize = 0; x < even; x += 16) {
    const value = f64x2.mul(v128.load(row + x), f64x2.splat(slope));
    v128.store(row + x, value);
    finite = v128.and(finite, f64x2.lt(f64x2.abs(value), infinity));
    least = f64x2.min(least, value);
    most = f64x2.max(most, value);
  }
  let lowest = min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
  let highest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
  if (isOdd) {
    const last = load<f64>(row + even) * slope;
    store<f64>(row + even, last);
    if (!(abs(last) < Infinity)) return false;
    lowest = min(lowest, last);
    highest = max(highest, last);
  }
  for (let x = ranked; x < candidates; x++) {
    const value = at(row, x) * slope;
    store<f64>(row + (<usize>x << 3), value);
    if (!(abs(value) < Infinity)) return false;
  }
  const truth = load<f64>(row);
  store<f64>(losses + (<usize>evaluation << 3), max(highest - truth, truth - lowest));
  return i64x2.all_true(finite);
}

/** What the logarithm of the odds of candidate 0 is against the others. */
function logOdds(row: usize): f64 {
  let largest: f64 = -Infinity;
  for (let x = 1; x < ranked; x++) largest = max(largest, at(row, x));
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let x = 1; x < ranked; x++) {
    const weight = exp(at(row, x) - largest);
    if ((x & 1) == 0) even += weight;
    else odd += weight;
  }
  return load<f64>(row) - largest - log(even + odd);
}

/** Logarithm of the sum of exp over the candidates that are ranked. */
function logSum(row: usize): f64 {
  let largest: f64 = -Infinity;
  for (let x = 0; x < ranked; x++) largest = max(largest, at(row, x));
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let x = 0; x < ranked; x++) {
    const weight = exp(at(row, x) - largest);
    if ((x & 1) == 0) even += weight;
    else odd += weight;
  }
  return largest + log(even + odd);
}

/**
 * Rank, probability, information and Bayes factor of one evaluation from its log-likelihoods.
 *
 * @param prior logarithms of the prior, up to a constant; 0 where it is uniform
 */
export function judge(likelihoods: usize, prior: usize, evaluation: i32): void {
  const even = <usize>(ranked & ~1) << 3;
  const isOdd = (ranked & 1) != 0;
  let row = likelihoods;
  if (prior != 0) {
    row = scores;
    for (let x: usize = 0; x < width; x += 16) {
      v128.store(row + x, f64x2.add(v128.load(likelihoods + x), v128.load(prior + x)));
    }
  }
  const last = isOdd ? load<f64>(row + even) : -Infinity;
  const truth = load<f64>(row);
  let most = f64x2.splat(-Infinity);
  let larger = i64x2.splat(0);
  let atLeast = i64x2.splat(0);
  const tolerance = f64x2.splat(tieRounding);
  for (let x: usize = 0; x < even; x += 16) {
    const value = v128.load(row + x);
    most = f64x2.max(most, value);
    const gap = f64x2.sub(value, f64x2.splat(truth));
    larger = i64x2.sub(larger, f64x2.gt(gap, tolerance));
    atLeast = i64x2.sub(atLeast, f64x2.ge(gap, f64x2.neg(tolerance)));
  }
  let above = i64x2.extract_lane(larger, 0) + i64x2.extract_lane(larger, 1);
  // The truth is one of those that are not below itself.
  let ties = i64x2.extract_lane(atLeast, 0) + i64x2.extract_lane(atLeast, 1) - above - 1;
  if (isOdd) {
    const gap = last - truth;
    if (gap > tieRounding) above++;
    else if (gap >= -tieRounding) ties++;
  }
  const largest = max(max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)), last);
  let totals = f64x2.splat(0);
  let moments = f64x2.splat(0);
  let others = f64x2.splat(0);
  let priorMoments = f64x2.splat(0);
  for (let x: usize = 0; x < even; x += 16) {
    const distance = f64x2.sub(v128.load(row + x), f64x2.splat(largest));
    const weight = expLanes(distance);
    totals = f64x2.add(totals, weight);
    moments = f64x2.add(moments, f64x2.mul(weight, distance));
    others = f64x2.add(others, x == 0 ? f64x2.replace_lane(weight, 0, 0) : weight);
    if (prior != 0) priorMoments = f64x2.add(priorMoments, f64x2.mul(weight, v128.load(prior + x)));
  }
  if (isOdd) {
    const distance = last - largest;
    const weight = exp(distance);
    totals = f64x2.replace_lane(totals, 0, f64x2.extract_lane(totals, 0) + weight);
    moments = f64x2.replace_lane(moments, 0, f64x2.extract_lane(moments, 0) + weight * distance);
    if (even > 0) others = f64x2.replace_lane(others, 0, f64x2.extract_lane(others, 0) + weight);
    if (prior != 0) {
      const moment = weight * load<f64>(prior + even);
      priorMoments = f64x2.replace_lane(priorMoments, 0, f64x2.extract_lane(priorMoments, 0) + moment);
    }
  }
  const total = lanes(totals);
  const ofOthers = lanes(others);
  const odds = ofOthers < LEAST_OTHERS ? logOdds(row) : truth - largest - log(ofOthers);
  let nats: f64;
  let priorOdds: f64;
  if (prior == 0) {
    nats = log(<f64>ranked / total) + lanes(moments) / total;
    priorOdds = -log(<f64>(ranked - 1));
  } else {
    nats = lanes(moments) / total - log(total) - (lanes(priorMoments) / total - logSum(prior));
    priorOdds = logOdds(prior);
    if (priorOdds > ALONE) priorOdds = NaN;
  }
  const offset = <usize>evaluation << 3;
  store<f64>(ranks + offset, 1 + <f64>above + <f64>ties / 2);
  store<f64>(probabilities + offset, exp(truth - largest) / total);
  store<f64>(informationBits + offset, max<f64>(0, nats / LN2));
  store<f64>(logBayesFactors + offset, odds - priorOdds);
}
