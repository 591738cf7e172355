import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ArealCells,
  type ArealParameters,
  arealCells,
  arealParameters,
  type CellGroups,
  groupCells,
  groupMeans,
  latentLength,
} from '../../../shared/model/dp-areal/cells.ts';
import { allocateCells, drawWeights } from '../../../shared/model/dp-areal/clusters.ts';
import { drawCoefficients, drawEmptyClusters } from '../../../shared/model/dp-areal/coefficients.ts';
import { drawPrecisions, logPrecisionPrior } from '../../../shared/model/dp-areal/covariance.ts';
import { inverse } from '../../../shared/numeric/cholesky.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';

/** Two known variables of two categories, of which three patterns are there; the counted one has three. */
const CODES = [
  [0, 0],
  [1, 0],
  [1, 1],
];
const COUNTS = Float64Array.of(3, 0, 1, 0, 7, 2, 1, 1, 0);
const WIDTH = 5;
const CLUSTERS = 4;
/** Of each cell; the clusters 1 and 3 hold none. */
const CLUSTER_OF = [2, 0, 2, 0, 0, 0, 2, 0, 2];

const cellsWith = (...synthetic: Float64Array[]): ArealCells =>
  arealCells(
    { counted: 1, known: [0, 2], patterns: 3, codes: Uint16Array.from(CODES.flat()), categories: 3, counts: [COUNTS, ...synthetic] },
    [2, 3, 2],
    CLUSTERS,
  );

/** Which coefficients enter the mean of a pattern: theta*, and a phi* for each variable. */
const columnsOf = (pattern: number) => [0, 1 + CODES[pattern]![0]!, 3 + CODES[pattern]![1]!];

const allocation = () => ({ clusterOf: Uint32Array.from(CLUSTER_OF), sizes: Float64Array.of(5, 0, 4, 0) });
let cells: ArealCells;
let groups: CellGroups;

beforeEach(() => {
  cells = cellsWith();
  groups = groupCells(cells, allocation());
});

/** Parameters that are all different. */
function someParameters(): ArealParameters {
  const random = new RandomStream(51, 'parameters');
  const parameters = arealParameters(new Float64Array(latentLength(cells)), cells);
  for (const name of ['logRates', 'coefficients'] as const) {
    for (let i = 0; i < parameters[name].length; i++) parameters[name][i] = normal(random);
  }
  parameters.logWeights.set([0.4, 0.1, 0.3, 0.2].map(Math.log));
  parameters.intercept[0] = 0.8;
  parameters.precisions.set([2.5, 0.7, 1.3]);
  return parameters;
}

const COVARIANCE = [
  [1.2, 0.3, -0.2, 0.1],
  [0.3, 0.8, 0.25, 0],
  [-0.2, 0.25, 1.5, 0.4],
  [0.1, 0, 0.4, 0.9],
];
const INVERSE_COVARIANCE = inverse(Float64Array.from(COVARIANCE.flat()), 4);

/** Compares means and covariances of draws with exact ones, by the errors of so many normal draws. */
function expectNormal(draws: readonly Float64Array[], mean: readonly number[], covariance: readonly number[][]) {
  const n = draws.length;
  for (const [i, exact] of mean.entries()) {
    const found = draws.reduce((sum, draw) => sum + draw[i]!, 0) / n;
    expect(Math.abs(found - exact), `mean ${i}`).toBeLessThan(4.5 * Math.sqrt(covariance[i]![i]! / n));
    for (let j = 0; j <= i; j++) {
      const product = draws.reduce((sum, draw) => sum + (draw[i]! - exact) * (draw[j]! - mean[j]!), 0) / n;
      const own = covariance[i]![j]!;
      const error = Math.sqrt((covariance[i]![i]! * covariance[j]![j]! + own * own) / n);
      expect(Math.abs(product - own), `covariance ${i} ${j}`).toBeLessThan(4.5 * error);
    }
  }
}

describe('arealCells()', () => {
  it('lays out coefficients of patterns, and counts of the table and of the dataset', () => {
    const synthetic = Float64Array.of(1, 1, 0, 0, 4, 0, 0, 0, 2);
    const found = cellsWith(synthetic);
    expect(found).toMatchObject({ patterns: 3, categories: 3, regressors: 4, clusters: 4, terms: 3 });
    expect([...found.columns]).toEqual([0, 1, 2].flatMap(columnsOf));
    expect(found.counts).toEqual(COUNTS);
    expect(found.allCounts).toEqual(COUNTS.map((count, cell) => count + synthetic[cell]!));
    expect([...found.syntheticRecords]).toEqual([2, 4, 2]);
    for (const [cell, count] of found.allCounts.entries()) {
      expect(found.logCounts[cell]).toBeCloseTo(count === 0 ? 0 : Math.log(count), 12);
    }
    expect([...cells.syntheticRecords]).toEqual([0, 0, 0]);
    expect(cells.allCounts).toEqual(COUNTS);
  });
});

describe('groupCells()', () => {
  it('puts the cells of a pattern that are in one cluster into one group', () => {
    const keys = CLUSTER_OF.map((k, cell) => `${Math.floor(cell / 3)} ${k}`);
    const distinct = [...new Set(keys)];
    expect(groups.groups).toBe(distinct.length);
    expect([...groups.groupOf]).toEqual(keys.map((key) => distinct.indexOf(key)));
    for (const [group, key] of distinct.entries()) {
      expect(`${groups.patternOf[group]} ${groups.clusterOf[group]}`).toBe(key);
      expect(groups.cells[group]).toBe(keys.filter((own) => own === key).length);
    }
  });

  it('lists the groups that each coefficient of each cluster enters', () => {
    for (let k = 0; k < CLUSTERS; k++) {
      for (let column = 0; column < WIDTH; column++) {
        const at = k * WIDTH + column;
        const found = [...groups.members.subarray(groups.starts[at], groups.starts[at + 1])];
        const expected = Array.from({ length: groups.groups }, (_, group) => group).filter(
          (group) => groups.clusterOf[group] === k && columnsOf(groups.patternOf[group]!).includes(column),
        );
        expect(found.sort()).toEqual(expected);
      }
    }
  });

  it('has the means that the coefficients add up to', () => {
    const parameters = someParameters();
    const means = groupMeans(cells, parameters, groups);
    for (let group = 0; group < groups.groups; group++) {
      const own = columnsOf(groups.patternOf[group]!).map((column) => parameters.coefficients[groups.clusterOf[group]! * WIDTH + column]!);
      expect(means[group]).toBeCloseTo(0.8 + own.reduce((sum, value) => sum + value, 0), 12);
    }
  });
});

describe('given the log rates', () => {
  it('mu and the coefficients of occupied clusters are drawn from their joint normal', () => {
    // In the order mu, coefficients of cluster 0, coefficients of cluster 2.
    const size = 1 + 2 * WIDTH;
    const parameters = someParameters();
    const before = parameters.coefficients.slice();
    const [tau, tauTheta, tauMu] = parameters.precisions as unknown as [number, number, number];
    const precision = new Float64Array(size * size);
    const right = new Float64Array(size);
    precision[0] = tauMu;
    for (const first of [1, 1 + WIDTH]) {
      precision[first * size + first] = tauTheta;
      for (let r = 0; r < 4; r++) {
        for (let s = 0; s < 4; s++) precision[(first + 1 + r) * size + first + 1 + s] = INVERSE_COVARIANCE[4 * r + s]!;
      }
    }
    for (const [cell, k] of CLUSTER_OF.entries()) {
      const first = k === 0 ? 1 : 1 + WIDTH;
      const entries = [0, ...columnsOf(Math.floor(cell / 3)).map((column) => first + column)];
      for (const i of entries) {
        right[i]! += tau * parameters.logRates[cell]!;
        for (const j of entries) precision[i * size + j]! += tau;
      }
    }
    const flat = inverse(precision, size);
    const covariance = Array.from({ length: size }, (_, i) => [...flat.subarray(i * size, (i + 1) * size)]);
    const mean = covariance.map((row) => row.reduce((sum, value, j) => sum + value * right[j]!, 0));
    const random = new RandomStream(52, 'coefficients');
    const draws = Array.from({ length: 20_000 }, () => {
      drawCoefficients(cells, parameters, groups, INVERSE_COVARIANCE, random);
      const { coefficients, intercept } = parameters;
      return Float64Array.of(intercept[0]!, ...coefficients.subarray(0, WIDTH), ...coefficients.subarray(2 * WIDTH, 3 * WIDTH));
    });
    expectNormal(draws, mean, covariance);
    for (const k of [1, 3]) {
      const own = (all: Float64Array) => all.subarray(k * WIDTH, (k + 1) * WIDTH);
      expect(own(parameters.coefficients)).toEqual(own(before));
    }
  });

  it('coefficients of empty clusters are drawn from their prior, those of others left alone', () => {
    const parameters = someParameters();
    const before = parameters.coefficients.slice();
    const random = new RandomStream(53, 'empty');
    const draws = Array.from({ length: 20_000 }, () => {
      drawEmptyClusters(cells, parameters, allocation(), INVERSE_COVARIANCE, random);
      return Float64Array.of(...parameters.coefficients.subarray(WIDTH, 2 * WIDTH), ...parameters.coefficients.subarray(3 * WIDTH));
    });
    const covariance = Array.from({ length: 2 * WIDTH }, (_, i) =>
      Array.from({ length: 2 * WIDTH }, (__, j) => {
        if (Math.floor(i / WIDTH) !== Math.floor(j / WIDTH)) return 0;
        const [a, b] = [i % WIDTH, j % WIDTH];
        if (a === 0 || b === 0) return a === b ? 1 / 0.7 : 0;
        return COVARIANCE[a - 1]![b - 1]!;
      }),
    );
    expectNormal(draws, new Array(2 * WIDTH).fill(0), covariance);
    for (const k of [0, 2]) {
      const own = (all: Float64Array) => all.subarray(k * WIDTH, (k + 1) * WIDTH);
      expect(own(parameters.coefficients)).toEqual(own(before));
    }
  });

  it('precisions are drawn from gammas of the squares that they are of', () => {
    const parameters = someParameters();
    const means = groupMeans(cells, parameters, groups);
    const square = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
    const residuals = CLUSTER_OF.map((_, cell) => parameters.logRates[cell]! - means[groups.groupOf[cell]!]!);
    const thetas = [0, 2].map((k) => parameters.coefficients[k * WIDTH]!);
    const exact = [residuals, thetas, [0.8]].map((values) => ({ shape: 1 + values.length / 2, rate: 1 + square(values) / 2 }));
    const random = new RandomStream(54, 'precisions');
    const n = 20_000;
    const draws = Array.from({ length: n }, () => {
      drawPrecisions(cells, parameters, groups, means, random);
      return parameters.precisions.slice();
    });
    for (const [i, { shape, rate }] of exact.entries()) {
      const mean = draws.reduce((sum, draw) => sum + draw[i]!, 0) / n;
      const variance = draws.reduce((sum, draw) => sum + (draw[i]! - mean) ** 2, 0) / n;
      expect(Math.abs(mean - shape / rate)).toBeLessThan((4.5 * Math.sqrt(shape / n)) / rate);
      // The fourth moment of a gamma about its mean is 3 shape^2 + 6 shape, in units of the scale.
      const error = Math.sqrt((2 * shape * shape + 6 * shape) / n) / (rate * rate);
      expect(Math.abs(variance - shape / (rate * rate))).toBeLessThan(4.5 * error);
    }
  });

  it('have a prior that is exponential with mean 1', () => {
    for (const x of [0.01, 0.5, 1, 3, 20]) {
      // The density of log x is x exp(-x).
      expect(Math.exp(logPrecisionPrior(Math.log(x)))).toBeCloseTo(x * Math.exp(-x), 12);
    }
  });
});

describe('allocateCells()', () => {
  it('draws clusters given rates, then with rates that move along, by their probabilities', () => {
    const parameters = someParameters();
    const rates = parameters.logRates.slice();
    const weights = Float64Array.of(1, 1.7, 0.6);
    const tau = parameters.precisions[0]!;
    const rho = [0.4, 0.1, 0.3, 0.2];
    const meanOf = (pattern: number, k: number) =>
      columnsOf(pattern).reduce((sum, column) => sum + parameters.coefficients[k * WIDTH + column]!, 0.8);
    const normalized = (values: readonly number[]) => {
      const total = values.reduce((sum, value) => sum + value, 0);
      return values.map((value) => value / total);
    };
    const n = 30_000;
    const labels = [0, 1, 2, 3];
    const found = CLUSTER_OF.map(() => labels.map(() => new Float64Array(CLUSTERS)));
    const random = new RandomStream(55, 'allocate');
    let miscounted = 0;
    for (let i = 0; i < n; i++) {
      parameters.logRates.set(rates);
      const own = { clusterOf: new Uint32Array(9), sizes: new Float64Array(CLUSTERS).fill(9) };
      allocateCells(cells, parameters, own, { counts: COUNTS, weights }, random);
      if (labels.some((k) => own.sizes[k] !== own.clusterOf.filter((other) => other === k).length)) miscounted++;
      for (const [cell, k] of own.clusterOf.entries()) {
        const pattern = Math.floor(cell / 3);
        const distance = parameters.logRates[cell]! - meanOf(pattern, k);
        const first = labels.find((j) => Math.abs(rates[cell]! - meanOf(pattern, j) - distance) < 1e-9)!;
        found[cell]![first]![k]!++;
      }
    }
    expect(miscounted).toBe(0);
    for (const [cell, rate] of rates.entries()) {
      const pattern = Math.floor(cell / 3);
      const given = normalized(labels.map((k) => rho[k]! * Math.exp(-0.5 * tau * (rate - meanOf(pattern, k)) ** 2)));
      for (const first of labels) {
        const distance = rate - meanOf(pattern, first);
        const second = normalized(
          labels.map((k) => {
            const moved = meanOf(pattern, k) + distance;
            return rho[k]! * Math.exp(COUNTS[cell]! * moved - weights[pattern]! * Math.exp(moved));
          }),
        );
        for (const k of labels) {
          const p = given[first]! * second[k]!;
          const error = Math.sqrt((p * (1 - p)) / n) + 1 / n;
          expect(Math.abs(found[cell]![first]![k]! / n - p), `${cell} ${first} ${k}`).toBeLessThan(5 * error);
        }
      }
    }
  });
});

describe('drawWeights()', () => {
  const prior = { shape: 2, rate: 0.5 };

  it('keeps which cells are together, and draws alpha from its gamma given the last stick', () => {
    const random = new RandomStream(56, 'weights');
    const n = 4000;
    let [sum, squares, moved] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      const parameters = someParameters();
      const own = allocation();
      const alpha = drawWeights(parameters, own, 1.2, { concentration: prior, labelMoves: 2 }, random);
      const sizes = [0, 1, 2, 3].map((k) => own.clusterOf.filter((other) => other === k).length);
      expect([...own.sizes]).toEqual(sizes);
      for (const [cell, k] of CLUSTER_OF.entries()) {
        expect(own.clusterOf[cell] === own.clusterOf[0]).toBe(k === CLUSTER_OF[0]);
      }
      if (own.clusterOf[0] !== CLUSTER_OF[0]) moved++;
      expect(parameters.logWeights.reduce((total, value) => total + Math.exp(value), 0)).toBeCloseTo(1, 10);
      // Gamma(shape + K - 1, rate - log rho_K).
      const unit = alpha * (prior.rate - parameters.logWeights[3]!);
      sum += unit;
      squares += unit * unit;
    }
    const shape = prior.shape + 3;
    expect(Math.abs(sum / n - shape)).toBeLessThan(4.5 * Math.sqrt(shape / n));
    expect(Math.abs(squares / n - (sum / n) ** 2 - shape)).toBeLessThan(4.5 * Math.sqrt((2 * shape * shape + 6 * shape) / n));
    expect(moved).toBeGreaterThan(n / 10);
  });

  it('keeps an alpha that is fixed, and refuses one that is not a number', () => {
    const random = new RandomStream(57, 'fixed');
    expect(drawWeights(someParameters(), allocation(), 1.2, { concentration: { value: 3 }, labelMoves: 2 }, random)).toBe(3);
    const one = { clusterOf: new Uint32Array(9), sizes: Float64Array.of(9) };
    const parameters = { ...someParameters(), logWeights: new Float64Array(1) };
    expect(() => drawWeights(parameters, one, 1, { concentration: { shape: 1, rate: 0 }, labelMoves: 0 }, random)).toThrow(RangeError);
  });
});
