/**
 * The program of shared/risk/attribute/evaluator-reference.ts, two candidates at a time (f64x2) and four evaluations at
 * once: the same operations in the same order for each candidate and evaluation, so that the results are the same to
 * the last bit. See there for the mathematics; here are the memory and the blocks.
 */
import { lanes } from './math/lanes';
import { aligned, reserve, VECTOR } from './math/memory';
import { exp, expLanes, log, logLanes } from './math/portable-math';
import { FIGURES, layOut, weighSet } from './value-sets';

const LN2: f64 = 0.6931471805599453;

/** Evaluations of a block. */
const BLOCK: i32 = 4;

/** Brings the deviation of a half of the chains to that of all; see `HALF_SHRINK` in expectation.ts. */
const HALF_SHRINK: f64 = 0.7071067811865476;

let candidates: i32 = 0;
let evaluations: i32 = 0;
let resamples: i32 = 0;
let groups: i32 = 0;
let safeLeast: f64 = 0;
let safeMost: f64 = 0;
/** Blocks of evaluations, the last of them filled up. */
let blocks: i32 = 0;
/** The group of the one term whose expectation is the model's prior; -1 where nothing needs it. */
let priorGroup: i32 = -1;
/** Where the intruder's prior of the candidates is: the same for all, in `givenPrior`, or the model's. */
let priorSource: i32 = 0;
const GIVEN: i32 = 1;
const MODEL: i32 = 2;
let sets: i32 = 0;
/** Bytes of a row over candidates, padded to whole tiles of four. */
let width: usize = 0;

/** groups x stride, f64: what a group contributes to the estimate, around which resamples are stretched. */
let centres: usize = 0;
/** BLOCK x stride, f64: what is being pooled. */
let pooled: usize = 0;
/** BLOCK x stride, f64: log-likelihoods. */
let values: usize = 0;
/** BLOCK x stride, f64: logarithms of the prior probabilities, up to a constant. */
let priors: usize = 0;
/** stride, f64: log-likelihoods with the prior. */
let scores: usize = 0;

/** Candidates of a row, with its padding. */
export let stride: i32 = 0;
/** groups, f64. */
export let coefficients: usize = 0;
/** groups, f64. */
export let stretches: usize = 0;
/** groups, u32: 1 where chains are pooled by the geometric mean. */
export let geometric: usize = 0;
/** groups, u32: terms of each group. */
export let groupSizes: usize = 0;
/** terms, u32: chains of each term. */
export let chainCounts: usize = 0;
/** For each term, blocks x chains x 4, f64: each chain's share in the evaluations of a block. */
export let shares: usize = 0;
/** chains of all terms end to end x stride, f64: means of r_x of one combination; `evaluate` may change them. */
export let means: usize = 0;
/** candidates, f64: log-likelihoods in evaluation 0, times the slope. */
export let estimates: usize = 0;
/** evaluations, f64: rank of candidate 0. */
export let ranks: usize = 0;
/** evaluations, f64: posterior probability of candidate 0. */
export let probabilities: usize = 0;
/** evaluations, f64: information of the posterior, in bits. */
export let informationBits: usize = 0;
/** evaluations, f64: logarithm of the Bayes factor of candidate 0 against the others. */
export let logBayesFactors: usize = 0;
/** evaluations, f64: the farthest that a log-likelihood is from that of candidate 0. */
export let losses: usize = 0;
/** candidates, f64: logarithms of a prior that is given, up to a constant. */
export let givenPrior: usize = 0;
/** candidates, f64: the model's prior of evaluation 0, in logarithms. */
export let priorEstimates: usize = 0;
/** candidates, f64: log-likelihoods, times the slope, for `weighOther`. */
export let otherEstimates: usize = 0;
/** sets, u32: entries of each value set; a set without any has no figures. */
export let setEntries: usize = 0;
/** sets, u32: values of each value set. */
export let setValues: usize = 0;
/** entries of all sets end to end, u32: a candidate. */
export let entryCandidates: usize = 0;
/** entries of all sets end to end, u32: which value of its set the candidate has; the truth's is 0. */
export let entryValues: usize = 0;
/** (1 + resamples + others) x sets x FIGURES, f64. */
export let figures: usize = 0;
/** sets x 2, u32: the likeliest value before and after the release; 0 if the truth is one of them. */
export let guesses: usize = 0;

/**
 * Lays the memory out; called once. `chains` are those of all terms together, `entries` the most that all sets may
 * have, `others` how often value sets are weighed beside the estimate and its resamples.
 */
export function prepare(
  candidateCount: i32,
  evaluationCount: i32,
  resampleCount: i32,
  groupCount: i32,
  terms: i32,
  chains: i32,
  least: f64,
  most: f64,
  prior: i32,
  source: i32,
  setCount: i32,
  entries: i32,
  others: i32,
): void {
  priorGroup = prior;
  priorSource = source;
  sets = setCount;
  candidates = candidateCount;
  evaluations = evaluationCount;
  resamples = resampleCount;
  groups = groupCount;
  safeLeast = least;
  safeMost = most;
  stride = (candidates + 3) & ~3;
  width = <usize>stride << 3;
  blocks = (evaluations + BLOCK - 1) / BLOCK;
  const column = <usize>(blocks * BLOCK) << 3;
  coefficients = aligned(__heap_base, VECTOR);
  stretches = coefficients + (<usize>groups << 3);
  geometric = stretches + (<usize>groups << 3);
  groupSizes = geometric + (<usize>groups << 2);
  chainCounts = groupSizes + (<usize>groups << 2);
  shares = aligned(chainCounts + (<usize>terms << 2), VECTOR);
  means = shares + <usize>chains * column;
  centres = means + <usize>chains * width;
  pooled = centres + <usize>groups * width;
  values = pooled + BLOCK * width;
  estimates = values + BLOCK * width;
  ranks = estimates + width;
  probabilities = ranks + column;
  informationBits = probabilities + column;
  logBayesFactors = informationBits + column;
  losses = logBayesFactors + column;
  givenPrior = losses + column;
  scores = givenPrior + width;
  priors = scores + width;
  priorEstimates = priors + BLOCK * width;
  otherEstimates = priorEstimates + width;
  figures = layOut(otherEstimates + width, entries);
  setEntries = figures + (<usize>((1 + resamples + others) * sets * FIGURES) << 3);
  setValues = setEntries + (<usize>sets << 2);
  guesses = setValues + (<usize>sets << 2);
  entryCandidates = guesses + (<usize>sets << 3);
  entryValues = entryCandidates + (<usize>entries << 2);
  reserve(entryValues + (<usize>entries << 2));
}

/** Says how many candidates the next combinations have, at most those that were laid out; what pads their rows is 1. */
export function consider(candidateCount: i32): void {
  candidates = candidateCount;
}

function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function count(array: usize, index: i32): i32 {
  return load<u32>(array + (<usize>index << 2));
}

/** Turns the means of a term whose chains are pooled geometrically into their logarithms. */
function takeLogs(from: usize, chains: i32): void {
  for (let c = 0; c < chains; c++) {
    const row = from + <usize>c * width;
    for (let x = candidates; x < stride; x++) store<f64>(row + (<usize>x << 3), 1);
    for (let x: usize = 0; x < width; x += 16) v128.store(row + x, logLanes(v128.load(row + x)));
  }
}

/**
 * Adds up the chains of a term in the four evaluations of a block, and brings the sums into `pooled`: they replace
 * what is there, are added to it or multiply it.
 *
 * @returns whether `pooled` lies between `safeLeast` and `safeMost`
 */
function poolTerm(share: usize, mean: usize, chains: i32, first: bool, adds: bool): bool {
  let least = f64x2.splat(1);
  let most = f64x2.splat(1);
  for (let x: usize = 0; x < width; x += 32) {
    // Evaluations a, b, c and d of the block; candidates x and x + 1, x + 2 and x + 3.
    let a0 = f64x2.splat(0);
    let a1 = f64x2.splat(0);
    let b0 = f64x2.splat(0);
    let b1 = f64x2.splat(0);
    let c0 = f64x2.splat(0);
    let c1 = f64x2.splat(0);
    let d0 = f64x2.splat(0);
    let d1 = f64x2.splat(0);
    let chainShares = share;
    let chainMeans = mean + x;
    for (let chain = 0; chain < chains; chain++) {
      const mean0 = v128.load(chainMeans);
      const mean1 = v128.load(chainMeans, 16);
      const a = v128.load64_splat(chainShares);
      a0 = f64x2.add(a0, f64x2.mul(a, mean0));
      a1 = f64x2.add(a1, f64x2.mul(a, mean1));
      const b = v128.load64_splat(chainShares, 8);
      b0 = f64x2.add(b0, f64x2.mul(b, mean0));
      b1 = f64x2.add(b1, f64x2.mul(b, mean1));
      const c = v128.load64_splat(chainShares, 16);
      c0 = f64x2.add(c0, f64x2.mul(c, mean0));
      c1 = f64x2.add(c1, f64x2.mul(c, mean1));
      const d = v128.load64_splat(chainShares, 24);
      d0 = f64x2.add(d0, f64x2.mul(d, mean0));
      d1 = f64x2.add(d1, f64x2.mul(d, mean1));
      chainShares += BLOCK << 3;
      chainMeans += width;
    }
    const a = pooled + x;
    const b = a + width;
    const c = b + width;
    const d = c + width;
    if (!first) {
      if (adds) {
        a0 = f64x2.add(v128.load(a), a0);
        a1 = f64x2.add(v128.load(a, 16), a1);
        b0 = f64x2.add(v128.load(b), b0);
        b1 = f64x2.add(v128.load(b, 16), b1);
        c0 = f64x2.add(v128.load(c), c0);
        c1 = f64x2.add(v128.load(c, 16), c1);
        d0 = f64x2.add(v128.load(d), d0);
        d1 = f64x2.add(v128.load(d, 16), d1);
      } else {
        a0 = f64x2.mul(v128.load(a), a0);
        a1 = f64x2.mul(v128.load(a, 16), a1);
        b0 = f64x2.mul(v128.load(b), b0);
        b1 = f64x2.mul(v128.load(b, 16), b1);
        c0 = f64x2.mul(v128.load(c), c0);
        c1 = f64x2.mul(v128.load(c, 16), c1);
        d0 = f64x2.mul(v128.load(d), d0);
        d1 = f64x2.mul(v128.load(d, 16), d1);
      }
    }
    v128.store(a, a0);
    v128.store(a, a1, 16);
    v128.store(b, b0);
    v128.store(b, b1, 16);
    v128.store(c, c0);
    v128.store(c, c1, 16);
    v128.store(d, d0);
    v128.store(d, d1, 16);
    least = f64x2.min(f64x2.min(least, f64x2.min(a0, a1)), f64x2.min(b0, b1));
    least = f64x2.min(f64x2.min(least, f64x2.min(c0, c1)), f64x2.min(d0, d1));
    most = f64x2.max(f64x2.max(most, f64x2.max(a0, a1)), f64x2.max(b0, b1));
    most = f64x2.max(f64x2.max(most, f64x2.max(c0, c1)), f64x2.max(d0, d1));
  }
  const safe = v128.and(f64x2.ge(least, f64x2.splat(safeLeast)), f64x2.le(most, f64x2.splat(safeMost)));
  return i64x2.all_true(safe);
}

/** The sum over the chains of a term for one evaluation of a block and one candidate. */
function expectation(share: usize, mean: usize, chains: i32, b: i32, x: i32): f64 {
  let sum: f64 = 0;
  for (let c = 0; c < chains; c++) sum += at(share, c * BLOCK + b) * at(mean + <usize>c * width, x);
  return sum;
}

/**
 * Logarithm of the product of the expectations of some terms in one evaluation of a block, into `pooled`: of the
 * product where it is safe at every candidate, otherwise the sum of logarithms.
 */
function poolRow(firstTerm: i32, terms: i32, firstShare: usize, firstMean: usize, block: i32, b: i32): void {
  const out = pooled + <usize>b * width;
  // First the product, then, if it was not safe, again in logs.
  for (let attempt = 0; attempt < 2; attempt++) {
    const inLogs = attempt == 1;
    let safe = true;
    for (let x = 0; x < candidates; x++) {
      let total: f64 = inLogs ? 0 : 1;
      let share = firstShare;
      let mean = firstMean;
      for (let t = firstTerm; t < firstTerm + terms; t++) {
        const chains = count(chainCounts, t);
        const sum = expectation(share + (<usize>(block * chains * BLOCK) << 3), mean, chains, b, x);
        if (inLogs) total += log(sum);
        else {
          total *= sum;
          if (!(total >= safeLeast && total <= safeMost)) safe = false;
        }
        share += <usize>(blocks * chains * BLOCK) << 3;
        mean += <usize>chains * width;
      }
      store<f64>(out + (<usize>x << 3), inLogs ? total : log(total));
    }
    if (safe) return;
  }
}

/** Pools a group of terms in the evaluations of a block: the logarithm of what is pooled, into `pooled`. */
function poolGroup(group: i32, firstTerm: i32, share: usize, mean: usize, block: i32): void {
  const terms = count(groupSizes, group);
  const adds = count(geometric, group) != 0;
  const firstShare = share;
  const firstMean = mean;
  let safe = true;
  for (let t = 0; t < terms; t++) {
    const chains = count(chainCounts, firstTerm + t);
    const own = share + (<usize>(block * chains * BLOCK) << 3);
    if (!poolTerm(own, mean, chains, t == 0, adds)) safe = false;
    share += <usize>(blocks * chains * BLOCK) << 3;
    mean += <usize>chains * width;
  }
  if (adds) return;
  if (safe) {
    const end = pooled + BLOCK * width;
    for (let x = pooled; x < end; x += 16) v128.store(x, logLanes(v128.load(x)));
    return;
  }
  for (let b = 0; b < BLOCK; b++) poolRow(firstTerm, terms, firstShare, firstMean, block, b);
}

/** Adds a group's share to the log-likelihoods of a block; deviations from the estimate are stretched or shrunk. */
function addGroup(group: i32, block: i32): void {
  const coefficient = f64x2.splat(at(coefficients, group));
  const centre = centres + <usize>group * width;
  if (block == 0) memory.copy(centre, pooled, width);
  for (let b = 0; b < BLOCK; b++) {
    const evaluation = block * BLOCK + b;
    const stretch = f64x2.splat(evaluation <= resamples ? at(stretches, group) : HALF_SHRINK);
    const from = pooled + <usize>b * width;
    const to = values + <usize>b * width;
    for (let x: usize = 0; x < width; x += 16) {
      let value = v128.load(from + x);
      if (evaluation > 0) {
        const middle = v128.load(centre + x);
        value = f64x2.add(middle, f64x2.mul(stretch, f64x2.sub(value, middle)));
      }
      if (group == priorGroup) v128.store(priors + <usize>b * width + x, value);
      v128.store(to + x, f64x2.add(v128.load(to + x), f64x2.mul(coefficient, value)));
    }
  }
}

/**
 * Raises the log-likelihoods of one evaluation to the power of the slope, and says how far they are from that of
 * candidate 0.
 *
 * @returns whether all of them are finite
 */
function raise(row: usize, evaluation: i32, slope: f64): bool {
  const even = <usize>(candidates & ~1) << 3;
  // The last candidate, if their number is odd, stands alone; the padding after it does not count.
  const isOdd = (candidates & 1) != 0;
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
  const truth = load<f64>(row);
  store<f64>(losses + (<usize>evaluation << 3), max(highest - truth, truth - lowest));
  return i64x2.all_true(finite);
}

/** What the logarithm of the odds of candidate 0 is against the others. */
function logOdds(row: usize): f64 {
  let largest: f64 = -Infinity;
  for (let x = 1; x < candidates; x++) largest = max(largest, at(row, x));
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let x = 1; x < candidates; x++) {
    const weight = exp(at(row, x) - largest);
    if ((x & 1) == 0) even += weight;
    else odd += weight;
  }
  return load<f64>(row) - largest - log(even + odd);
}

/** Logarithm of the sum of exp over the candidates. */
function logSum(row: usize): f64 {
  let largest: f64 = -Infinity;
  for (let x = 0; x < candidates; x++) largest = max(largest, at(row, x));
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let x = 0; x < candidates; x++) {
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
function judge(likelihoods: usize, prior: usize, evaluation: i32): void {
  const even = <usize>(candidates & ~1) << 3;
  const isOdd = (candidates & 1) != 0;
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
  let equal = i64x2.splat(0);
  for (let x: usize = 0; x < even; x += 16) {
    const value = v128.load(row + x);
    most = f64x2.max(most, value);
    larger = i64x2.sub(larger, f64x2.gt(value, f64x2.splat(truth)));
    equal = i64x2.sub(equal, f64x2.eq(value, f64x2.splat(truth)));
  }
  let above = i64x2.extract_lane(larger, 0) + i64x2.extract_lane(larger, 1);
  let ties = i64x2.extract_lane(equal, 0) + i64x2.extract_lane(equal, 1) - 1;
  if (isOdd) {
    above += last > truth ? 1 : 0;
    ties += last == truth ? 1 : 0;
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
  const odds = truth - largest - log(lanes(others));
  let nats: f64;
  let priorOdds: f64;
  if (prior == 0) {
    nats = log(<f64>candidates / total) + lanes(moments) / total;
    priorOdds = -log(<f64>(candidates - 1));
  } else {
    nats = lanes(moments) / total - log(total) - (lanes(priorMoments) / total - logSum(prior));
    priorOdds = logOdds(prior);
  }
  const offset = <usize>evaluation << 3;
  store<f64>(ranks + offset, 1 + <f64>above + <f64>ties / 2);
  store<f64>(probabilities + offset, exp(truth - largest) / total);
  store<f64>(informationBits + offset, max<f64>(0, nats / LN2));
  store<f64>(logBayesFactors + offset, odds - priorOdds);
}

/** Figures of all value sets from log-likelihoods and priors, into a row of `figures`. */
function weigh(prior: usize, row: usize, index: i32): void {
  let entry: usize = 0;
  for (let s = 0; s < sets; s++) {
    const entries = count(setEntries, s);
    if (entries > 0) {
      const own = figures + (<usize>((index * sets + s) * FIGURES) << 3);
      weighSet(
        entries,
        count(setValues, s),
        entryCandidates + entry,
        entryValues + entry,
        prior,
        row,
        own,
        index == 0 ? guesses + (<usize>s << 3) : 0,
      );
    }
    entry += <usize>entries << 2;
  }
}

/** Figures of the value sets from the log-likelihoods in `otherEstimates`, with the prior of the estimate. */
export function weighOther(other: i32): void {
  weigh(priorEstimates, otherEstimates, 1 + resamples + other);
}

/** Evaluates the combination whose `means` are in memory; returns whether every estimate is finite. */
export function evaluate(slope: f64): bool {
  let firstTerm = 0;
  let mean = means;
  for (let group = 0; group < groups; group++) {
    const end = firstTerm + count(groupSizes, group);
    for (; firstTerm < end; firstTerm++) {
      const chains = count(chainCounts, firstTerm);
      if (count(geometric, group) != 0) takeLogs(mean, chains);
      mean += <usize>chains * width;
    }
  }
  for (let block = 0; block < blocks; block++) {
    memory.fill(values, 0, BLOCK * width);
    firstTerm = 0;
    mean = means;
    let share = shares;
    for (let group = 0; group < groups; group++) {
      poolGroup(group, firstTerm, share, mean, block);
      addGroup(group, block);
      const end = firstTerm + count(groupSizes, group);
      for (; firstTerm < end; firstTerm++) {
        const chains = count(chainCounts, firstTerm);
        share += <usize>(blocks * chains * BLOCK) << 3;
        mean += <usize>chains * width;
      }
    }
    for (let b = 0; b < BLOCK; b++) {
      const evaluation = block * BLOCK + b;
      const row = values + <usize>b * width;
      if (evaluation < evaluations) {
        if (!raise(row, evaluation, slope)) return false;
        const own = priors + <usize>b * width;
        judge(row, priorSource == MODEL ? own : priorSource == GIVEN ? givenPrior : 0, evaluation);
      }
      if (evaluation <= resamples) weigh(priors + <usize>b * width, row, evaluation);
    }
    if (block > 0) continue;
    memory.copy(estimates, values, width);
    memory.copy(priorEstimates, priors, width);
  }
  return true;
}
