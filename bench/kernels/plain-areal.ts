import type { CellClusters } from '../../shared/model/dp-areal/cells.ts';
import { type ArealCells, type ArealParameters, PRECISION } from '../../shared/model/dp-areal/cells.ts';
import { drawWeights } from '../../shared/model/dp-areal/clusters.ts';
import { drawEmptyClusters } from '../../shared/model/dp-areal/coefficients.ts';
import { dividedByScales, logPrecisionPrior, logScalePrior } from '../../shared/model/dp-areal/covariance.ts';
import { factorize, inverse, solveLower, solveUpper } from '../../shared/numeric/cholesky.ts';
import { categoricalFromSums, gamma } from '../../shared/random/distributions.ts';
import { logRate } from '../../shared/random/log-rate.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { sliceOnLine, sliceWithin } from '../../shared/random/slice.ts';
import { normal } from '../../shared/random/ziggurat.ts';

const sumOver = <T>(items: Iterable<T>, of: (item: T) => number) => {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
};

function drawFromLogs(logs: readonly number[], random: RandomStream): number {
  const largest = Math.max(...logs);
  let sum = 0;
  const sums = Float64Array.from(logs, (value) => {
    sum += Math.exp(value - largest);
    return sum;
  });
  return categoricalFromSums(random, sums, 0, sums.length);
}

/**
 * One iteration of DP-areal without a synthetic dataset by the obvious program, in place of the parameters: every step of
 * docs/explanation/synthesizers.md cell by cell with all clusters, every density from its definition.
 */
export function iteratePlainly(areal: ArealCells, parameters: ArealParameters, alpha: number, random: RandomStream): number {
  const { categories, clusters, terms, columns, regressors, counts } = areal;
  const { logRates, coefficients, logWeights, scales, correlations, intercept, precisions } = parameters;
  const width = 1 + regressors;
  const cells = [...counts.keys()];
  const columnsOf = (cell: number) => {
    const b = Math.floor(cell / categories);
    return columns.subarray(b * terms, (b + 1) * terms);
  };
  const meanOf = (cell: number, k: number) => intercept[0]! + sumOver(columnsOf(cell), (column) => coefficients[k * width + column]!);
  const labels = [...logWeights.keys()];
  const allocation: CellClusters = { clusterOf: new Uint32Array(cells.length), sizes: new Float64Array(clusters) };
  const { clusterOf, sizes } = allocation;
  for (const cell of cells) {
    const tau = precisions[PRECISION.rates]!;
    const given = labels.map((k) => logWeights[k]! - 0.5 * tau * (logRates[cell]! - meanOf(cell, k)) ** 2);
    const distance = logRates[cell]! - meanOf(cell, drawFromLogs(given, random));
    const moved = labels.map((k) => {
      const rate = meanOf(cell, k) + distance;
      return logWeights[k]! + counts[cell]! * rate - Math.exp(rate);
    });
    const k = drawFromLogs(moved, random);
    clusterOf[cell] = k;
    sizes[k]!++;
    logRates[cell] = meanOf(cell, k) + distance;
  }
  const settings = { concentration: { shape: 1, rate: 1 }, labelMoves: clusters };
  const nextAlpha = drawWeights(parameters, allocation, alpha, settings, random);

  const occupied = labels.filter((k) => sizes[k]! > 0);
  const cellsOf = (k: number) => cells.filter((cell) => clusterOf[cell] === k);
  const precisionOfEffects = dividedByScales(inverse(correlations, regressors), scales);
  drawEffects();
  moveEffects();
  scaleEffects();
  const squares = sumOver(cells, (cell) => (logRates[cell]! - meanOf(cell, clusterOf[cell]!)) ** 2);
  const thetaSquares = sumOver(occupied, (k) => coefficients[k * width]! ** 2);
  const precision = (n: number, sum: number) => gamma(random, 1 + n / 2) / (1 + sum / 2);
  precisions[PRECISION.rates] = precision(cells.length, squares);
  precisions[PRECISION.theta] = precision(occupied.length, thetaSquares);
  precisions[PRECISION.intercept] = precision(1, intercept[0]! ** 2);
  drawCovariance();
  const covarianceInverse = dividedByScales(inverse(correlations, regressors), scales);
  drawEmptyClusters(areal, parameters, allocation, covarianceInverse, random);
  for (const cell of cells) {
    const mean = meanOf(cell, clusterOf[cell]!);
    logRates[cell] = logRate(random, counts[cell]!, mean, precisions[PRECISION.rates]!);
  }
  return nextAlpha;

  /** mu, then theta* and phi* of each cluster, given the log rates. */
  function drawEffects(): void {
    const tau = precisions[PRECISION.rates]!;
    let muPrecision = precisions[PRECISION.intercept]!;
    let muSum = 0;
    const solved = occupied.map((k) => {
      const factor = new Float64Array(width * width);
      factor[0] = precisions[PRECISION.theta]!;
      for (let r = 0; r < regressors; r++) {
        for (let s = 0; s < regressors; s++) {
          factor[(1 + r) * width + 1 + s] = precisionOfEffects[r * regressors + s]!;
        }
      }
      const ones = new Float64Array(width);
      const rates = new Float64Array(width);
      for (const cell of cellsOf(k)) {
        for (const r of columnsOf(cell)) {
          ones[r]! += tau;
          rates[r]! += tau * logRates[cell]!;
          for (const s of columnsOf(cell)) factor[r * width + s]! += tau;
        }
      }
      muPrecision += ones[0]!;
      muSum += rates[0]!;
      factorize(factor, width);
      solveLower(factor, width, ones);
      solveLower(factor, width, rates);
      muPrecision -= sumOver(ones, (one) => one * one);
      muSum -= sumOver(ones.keys(), (r) => ones[r]! * rates[r]!);
      return { k, factor, ones, rates };
    });
    const mu = muSum / muPrecision + normal(random) / Math.sqrt(muPrecision);
    intercept[0] = mu;
    for (const { k, factor, ones, rates } of solved) {
      const own = rates.map((rate, r) => rate - mu * ones[r]! + normal(random));
      solveUpper(factor, width, own);
      coefficients.set(own, k * width);
    }
  }

  /** mu and each coefficient together with the log rates that it enters. */
  function moveEffects(): void {
    const shift = (own: readonly number[], mean: number, ofPrior: number) => {
      if (own.length === 0) return 0;
      const logExposure = Math.log(sumOver(own, (cell) => Math.exp(logRates[cell]!)));
      const total = sumOver(own, (cell) => counts[cell]!);
      const drawn = logRate(random, total, mean + logExposure, ofPrior) - logExposure;
      for (const cell of own) logRates[cell]! += drawn;
      return drawn;
    };
    intercept[0]! += shift(cells, -intercept[0]!, precisions[PRECISION.intercept]!);
    for (const k of occupied) {
      const own = coefficients.subarray(k * width, (k + 1) * width);
      own[0]! += shift(cellsOf(k), -own[0]!, precisions[PRECISION.theta]!);
      for (let r = 0; r < regressors; r++) {
        const row = precisionOfEffects.subarray(r * regressors, (r + 1) * regressors);
        const product = sumOver(row.keys(), (s) => row[s]! * own[1 + s]!);
        const within = cellsOf(k).filter((cell) => columnsOf(cell).includes(1 + r));
        own[1 + r]! += shift(within, -product / row[r]!, row[r]!);
      }
    }
  }

  /** Each scale together with the coefficients that it scales. */
  function scaleEffects(): void {
    const tau = precisions[PRECISION.rates]!;
    for (let column = 0; column < width; column++) {
      const within = cells.filter((cell) => columnsOf(cell).includes(column));
      const logPrior = column === 0 ? (s: number) => logPrecisionPrior(-2 * s) : logScalePrior;
      const current = column === 0 ? -0.5 * Math.log(precisions[PRECISION.theta]!) : Math.log(scales[column - 1]!);
      const logDensity = (logScale: number) => {
        const change = Math.exp(logScale - current) - 1;
        const misfit = sumOver(within, (cell) => {
          const k = clusterOf[cell]!;
          return (logRates[cell]! - meanOf(cell, k) - change * coefficients[k * width + column]!) ** 2;
        });
        return logPrior(logScale) - 0.5 * tau * misfit;
      };
      const next = sliceOnLine(random, logDensity, current, 1);
      if (column === 0) precisions[PRECISION.theta] = Math.exp(-2 * next);
      else scales[column - 1] = Math.exp(next);
      for (const k of occupied) coefficients[k * width + column]! *= Math.exp(next - current);
    }
  }

  /** Log-density of sigma and Omega without the scales' prior: LKJ(2), and phi* of the clusters that hold cells. */
  function logCovarianceDensity(omega: Float64Array): number {
    const factor = omega.slice();
    try {
      factorize(factor, regressors);
    } catch (error) {
      if (error instanceof RangeError) return -Infinity;
      throw error;
    }
    const logRoot = sumOver(scales.keys(), (r) => Math.log(factor[r * regressors + r]!));
    const logScale = sumOver(scales, Math.log);
    const fit = sumOver(occupied, (k) => {
      const effects = scales.map((scale, r) => coefficients[k * width + 1 + r]! / scale);
      solveLower(factor, regressors, effects);
      return logRoot + logScale + 0.5 * sumOver(effects, (value) => value * value);
    });
    return 2 * logRoot - fit;
  }

  /** Each scale, then each correlation, given phi*. */
  function drawCovariance(): void {
    for (let r = 0; r < regressors; r++) {
      const logDensity = (logScale: number) => {
        scales[r] = Math.exp(logScale);
        return logScalePrior(logScale) + logCovarianceDensity(correlations);
      };
      scales[r] = Math.exp(sliceOnLine(random, logDensity, Math.log(scales[r]!), 1));
    }
    for (let i = 1; i < regressors; i++) {
      for (let j = 0; j < i; j++) {
        const setTo = (value: number) => {
          correlations[i * regressors + j] = value;
          correlations[j * regressors + i] = value;
        };
        const logDensity = (value: number) => {
          setTo(value);
          return logCovarianceDensity(correlations);
        };
        setTo(sliceWithin(random, logDensity, correlations[i * regressors + j]!, -1, 1));
      }
    }
  }
}
