import { MISSING, type MixedRows } from '../../shared/model/mixed/mixed-rows.ts';
import { NORMAL_PRIOR } from '../../shared/model/mixed/normal-prior.ts';
import { factorize, solveLower, solveUpper } from '../../shared/numeric/cholesky.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { exp, log } from '../../shared/numeric/portable-math.ts';
import { gamma, logBetaPair } from '../../shared/random/distributions.ts';
import { gammaBelow } from '../../shared/random/gamma-below.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';

/**
 * What the normal of a continuous variable within a class has as its mean: a constant, as in the model `mixed`, or a regression on the
 * continuous variables before it, or on these and on all categories (Murray & Reiter 2016, section 3).
 */
export type Dependence = 'none' | 'numbers' | 'all';

/** A chain: how many iterations are left out, and how many are scored. */
export interface Schedule {
  readonly classes: number;
  /** Prior precision of a slope, in units of the class's variance. */
  readonly slopePrecision: number;
  readonly burnIn: number;
  readonly draws: number;
}

/** alpha ~ Gamma(shape, rate), as the model's default. */
const CONCENTRATION = { shape: 0.25, rate: 0.25 };

/** The predictors of every continuous variable: rows x `width`, the constant first; a value that is not there is the middle. */
function designs({ rows, sizes, codes, continuous, values }: MixedRows, dependence: Dependence) {
  const offsets = categoryOffsets(sizes);
  const indicators = new Set(continuous.map(({ indicator }) => indicator));
  return continuous.map((_, j) => {
    const numbers = dependence === 'none' ? 0 : j;
    const parts = [...sizes.keys()].filter((k) => dependence === 'all' && (!indicators.has(k) || isBefore(k, j)));
    const width = 1 + numbers + parts.reduce((sum, k) => sum + sizes[k]! - 1, 0);
    const of = new Float64Array(rows * width);
    for (let row = 0; row < rows; row++) {
      let at = row * width;
      of[at++] = 1;
      for (let i = 0; i < numbers; i++, at++) of[at] = Number.isNaN(values[i * rows + row]!) ? 0 : values[i * rows + row]! - 0.5;
      for (const k of parts) {
        const code = codes[k * rows + row]!;
        if (code !== MISSING && code > 0) of[at + code - 1] = 1;
        at += sizes[k]! - 1;
      }
    }
    return { width, of };
  });

  function isBefore(part: number, variable: number): boolean {
    return continuous.findIndex(({ indicator }) => indicator === part) < variable && offsets.length > part;
  }
}

/**
 * The mean over held-out rows of log2 of their density under each of some draws of a chain on the other rows (an entry a held-out row),
 * on the unit scale: of the truncated mixture by blocked Gibbs sampling with all parameters drawn.
 *
 * @param train indices of the rows that the chain has; `test` of those that are scored
 */
export function heldOutBits(
  rows: MixedRows,
  { train, test }: Readonly<Record<'train' | 'test', readonly number[]>>,
  dependence: Dependence,
  { classes, slopePrecision, burnIn, draws }: Schedule,
  seed: number,
): Float64Array {
  const random = new RandomStream(seed, `numbers/${dependence}`);
  const { sizes, codes, continuous, values } = rows;
  const offsets = categoryOffsets(sizes);
  const ofVariables = designs(rows, dependence);
  const allocation = Uint32Array.from(train, () => random.below(classes));
  let alpha = 1;
  const logs = new Float64Array(draws * test.length);
  const logOfClass = new Float64Array(classes);
  for (let iteration = 0; iteration < burnIn + draws; iteration++) {
    const { logWeights, logStayed } = drawWeights();
    alpha = gamma(random, CONCENTRATION.shape + classes - 1) / (CONCENTRATION.rate - logStayed);
    const logPhi = drawPhi();
    const normals = continuous.map((part, j) => drawNormals(j, part.smallest));
    const logDensities = (row: number) => {
      logOfClass.set(logWeights);
      for (const k of sizes.keys()) {
        const code = codes[k * rows.rows + row]!;
        if (code === MISSING) continue;
        for (let f = 0; f < classes; f++) logOfClass[f]! += logPhi[(offsets[k]! + code) * classes + f]!;
      }
      for (const [j, { betas, variances, logScales }] of normals.entries()) {
        const value = values[j * rows.rows + row]!;
        if (Number.isNaN(value)) continue;
        const { width, of } = ofVariables[j]!;
        const present: number[] = [];
        for (let i = 0; i < width; i++) if (of[row * width + i] !== 0) present.push(i);
        for (let f = 0; f < classes; f++) {
          let mean = 0.5;
          for (const i of present) mean += betas[f * width + i]! * of[row * width + i]!;
          logOfClass[f]! -= logScales[f]! + (0.5 * (value - mean) ** 2) / variances[f]!;
        }
      }
      return logOfClass;
    };
    for (const [i, row] of train.entries()) allocation[i] = drawn(logDensities(row));
    if (iteration < burnIn) continue;
    for (const [i, row] of test.entries()) logs[(iteration - burnIn) * test.length + i] = logSumExp(logDensities(row));
  }
  return Float64Array.from(
    test,
    (_, i) => (logSumExp(Float64Array.from({ length: draws }, (_, s) => logs[s * test.length + i]!)) - log(draws)) / Math.LN2,
  );

  /** Index drawn by logarithms of weights. */
  function drawn(logs: Float64Array): number {
    let most = -Infinity;
    for (const value of logs) most = Math.max(most, value);
    let left = 0;
    for (const value of logs) left += exp(value - most);
    left *= random.uniform();
    let f = -1;
    do left -= exp(logs[++f]! - most);
    while (left > 0 && f < classes - 1);
    return f;
  }

  function drawWeights() {
    const counts = new Float64Array(classes);
    for (const f of allocation) counts[f]!++;
    let after = train.length;
    let logStayed = 0;
    const logWeights = new Float64Array(classes);
    for (let f = 0; f < classes; f++) {
      after -= counts[f]!;
      const [taken, stayed] = f === classes - 1 ? [0, 0] : logBetaPair(random, 1 + counts[f]!, alpha + after);
      logWeights[f] = logStayed + taken;
      logStayed += stayed;
    }
    return { logWeights, logStayed };
  }

  function drawPhi(): Float64Array {
    const logPhi = new Float64Array(offsets.at(-1)! * classes).fill(1);
    for (const k of sizes.keys()) {
      for (const [i, row] of train.entries()) {
        const code = codes[k * rows.rows + row]!;
        if (code !== MISSING) logPhi[(offsets[k]! + code) * classes + allocation[i]!]!++;
      }
      for (let f = 0; f < classes; f++) {
        let total = 0;
        for (let at = offsets[k]!; at < offsets[k + 1]!; at++) total += logPhi[at * classes + f] = gamma(random, logPhi[at * classes + f]!);
        for (let at = offsets[k]!; at < offsets[k + 1]!; at++) logPhi[at * classes + f] = log(logPhi[at * classes + f]! / total);
      }
    }
    return logPhi;
  }

  /** beta ~ N(0, sigma2 / precisions), sigma2 ~ inverse gamma, given the values of every class; the mean is 0.5 + x beta. */
  function drawNormals(j: number, smallest: number) {
    const { width, of } = ofVariables[j]!;
    const squares = new Float64Array(classes * width * width);
    const products = new Float64Array(classes * width);
    const [numbers, lengths] = [new Float64Array(classes), new Float64Array(classes)];
    for (const [i, row] of train.entries()) {
      const value = values[j * rows.rows + row]! - 0.5;
      if (Number.isNaN(value)) continue;
      const f = allocation[i]!;
      numbers[f]!++;
      lengths[f]! += value * value;
      for (let a = 0, x = row * width; a < width; a++) {
        const own = of[x + a]!;
        if (own === 0) continue;
        products[f * width + a]! += own * value;
        for (let b = 0; b <= a; b++) squares[(f * width + a) * width + b]! += own * of[x + b]!;
      }
    }
    const betas = new Float64Array(classes * width);
    const variances = new Float64Array(classes);
    for (let f = 0; f < classes; f++) {
      const factor = squares.subarray(f * width * width, (f + 1) * width * width);
      for (let a = 0; a < width; a++) factor[a * width + a]! += a === 0 ? NORMAL_PRIOR.kappa : slopePrecision;
      factorize(factor, width);
      const mean = products.slice(f * width, (f + 1) * width);
      solveLower(factor, width, mean);
      const explained = mean.reduce((sum, value) => sum + value * value, 0);
      const rate = NORMAL_PRIOR.rate + 0.5 * Math.max(0, lengths[f]! - explained);
      const variance = rate / gammaBelow(random, NORMAL_PRIOR.shape + 0.5 * numbers[f]!, rate / (smallest * smallest));
      variances[f] = variance;
      // beta = L'^-1 (L^-1 X'y + sigma e).
      const beta = mean.map((value) => value + Math.sqrt(variance) * normal(random));
      solveUpper(factor, width, beta);
      betas.set(beta, f * width);
    }
    return { betas, variances, logScales: variances.map((variance) => 0.5 * log(2 * Math.PI * variance)) };
  }
}
