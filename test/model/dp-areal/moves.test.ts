import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ArealCells,
  arealCells,
  arealParameters,
  type CellGroups,
  groupCells,
  groupMeans,
  latentLength,
} from '../../../shared/model/dp-areal/cells.ts';
import { moveCoefficients } from '../../../shared/model/dp-areal/coefficients.ts';
import { moveCoefficientScales } from '../../../shared/model/dp-areal/covariance.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

/** One known variable of three categories, of which two are patterns; two counted categories, all in cluster 1 of 2. */
const COUNTS = Float64Array.of(2, 0, 12, 1);
const TABLE = { counted: 1, known: [0], patterns: 2, codes: Uint16Array.of(0, 1), categories: 2, counts: [COUNTS] };
let cells: ArealCells;
let groups: CellGroups;

beforeEach(() => {
  cells = arealCells(TABLE, [3, 2], 2);
  groups = groupCells(cells, { clusterOf: Uint32Array.of(1, 1, 1, 1), sizes: Float64Array.of(0, 4) });
});

const WIDTH = 4;
/** Where the coefficients of cluster 1 begin; the last one enters no cell. */
const OWN = WIDTH;

function start() {
  const parameters = arealParameters(new Float64Array(latentLength(cells)), cells);
  parameters.logRates.set([0.9, -0.4, 0.3, 1.2]);
  parameters.coefficients.set([9, 8, 7, 6, 0.2, 0.5, -0.3, 0.7]);
  parameters.scales.set([0.8, 1.1, 2]);
  parameters.intercept[0] = 0.1;
  parameters.precisions.set([1.5, 2, 1]);
  return parameters;
}

/** Means of functions under an unnormalised log density, over the points of a grid. */
function gridMeans(
  dimensions: number,
  { low, high, points }: { low: number; high: number; points: number },
  logDensity: (x: readonly number[]) => number,
  functions: readonly ((x: readonly number[]) => number)[],
): number[] {
  const x = new Array<number>(dimensions).fill(low);
  const step = (high - low) / (points - 1);
  const sums = functions.map(() => 0);
  let total = 0;
  for (let number = 0; number < points ** dimensions; number++) {
    for (let d = 0, rest = number; d < dimensions; d++, rest = Math.floor(rest / points)) x[d] = low + step * (rest % points);
    const density = Math.exp(logDensity(x));
    total += density;
    for (const [f, of] of functions.entries()) sums[f]! += density * of(x);
  }
  return sums.map((sum) => sum / total);
}

/** Compares means over a chain with exact ones, by the spread of the means of its batches. */
function expectMeans(found: readonly (readonly number[])[], exact: readonly number[]) {
  const BATCHES = 40;
  const size = found.length / BATCHES;
  for (const [f, value] of exact.entries()) {
    const means = Array.from({ length: BATCHES }, (_, b) => {
      let sum = 0;
      for (let i = b * size; i < (b + 1) * size; i++) sum += found[i]![f]!;
      return sum / size;
    });
    const mean = means.reduce((sum, one) => sum + one, 0) / BATCHES;
    const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (BATCHES - 1);
    const error = Math.sqrt(variance / BATCHES);
    expect(error).toBeLessThan(0.05);
    expect(Math.abs(mean - value), `function ${f}`).toBeLessThan(4.5 * error);
  }
}

describe('moveCoefficients()', () => {
  const weights = Float64Array.of(1, 1.8);
  const q = Float64Array.of(2, 0.6, 0.3, 0.6, 1.5, -0.4, 0.3, -0.4, 1);

  it('leaves the posterior of mu and the coefficients, given how far log rates lie from their means, as it is', () => {
    const parameters = start();
    const { logRates, coefficients, intercept } = parameters;
    const distances = () => {
      const means = groupMeans(cells, parameters, groups);
      return [...logRates].map((rate, cell) => rate - means[groups.groupOf[cell]!]!);
    };
    const before = distances();
    const random = new RandomStream(61, 'moves');
    const chain = Array.from({ length: 20_000 }, () => {
      moveCoefficients(cells, parameters, groups, { counts: COUNTS, weights, inverseCovariance: q }, random);
      const [mu, theta, a, b] = [intercept[0]!, ...coefficients.subarray(OWN, OWN + 3)] as [...[number, number, number, number]];
      return [mu, theta, a, b, a * a, a * b, mu * theta];
    });
    for (const [cell, distance] of distances().entries()) expect(distance).toBeCloseTo(before[cell]!, 8);
    expect([...coefficients.subarray(0, OWN), coefficients[OWN + 3]]).toEqual([9, 8, 7, 6, 0.7]);
    const exact = gridMeans(
      4,
      { low: -4.5, high: 4.5, points: 25 },
      ([mu, theta, a, b]) => {
        const phi = [a!, b!, 0.7];
        let sum = -0.5 * mu! * mu! - theta! * theta!;
        for (const [r, own] of phi.entries()) for (const [s, other] of phi.entries()) sum -= 0.5 * q[3 * r + s]! * own * other;
        for (const [cell, distance] of before.entries()) {
          const pattern = cell < 2 ? 0 : 1;
          const rate = mu! + theta! + phi[pattern]! + distance;
          sum += COUNTS[cell]! * rate - weights[pattern]! * Math.exp(rate);
        }
        return sum;
      },
      [
        ([mu]) => mu!,
        ([, theta]) => theta!,
        ([, , a]) => a!,
        ([, , , b]) => b!,
        ([, , a]) => a! * a!,
        ([, , a, b]) => a! * b!,
        ([mu, theta]) => mu! * theta!,
      ],
    );
    expectMeans(chain, exact);
  });
});

describe('moveCoefficientScales()', () => {
  it('leaves the posterior of scales and coefficients, given these in units of the scales, as it is', () => {
    const parameters = start();
    const { logRates, coefficients, scales, precisions } = parameters;
    const mu = parameters.intercept[0]!;
    const tau = precisions[0]!;
    const units = [coefficients[OWN]! * Math.sqrt(precisions[1]!), ...[1, 2].map((c) => coefficients[OWN + c]! / scales[c - 1]!)] as [
      number,
      number,
      number,
    ];
    const means = groupMeans(cells, parameters, groups);
    const random = new RandomStream(62, 'scales');
    const chain = Array.from({ length: 20_000 }, () => {
      moveCoefficientScales(cells, parameters, groups, means, random);
      const logs = [-0.5 * Math.log(precisions[1]!), Math.log(scales[0]!), Math.log(scales[1]!)];
      return [...logs, ...logs.map((s) => 1 / (1 + Math.exp(-s))), Math.log(scales[2]!)];
    });
    // What is known without the chain: the units, the means of groups, and what does not move.
    expect(coefficients[OWN]! * Math.sqrt(precisions[1]!)).toBeCloseTo(units[0], 8);
    for (const c of [1, 2]) expect(coefficients[OWN + c]! / scales[c - 1]!).toBeCloseTo(units[c]!, 8);
    expect([...coefficients.subarray(0, OWN)]).toEqual([9, 8, 7, 6]);
    expect([...logRates, parameters.intercept[0], precisions[0]]).toEqual([0.9, -0.4, 0.3, 1.2, mu, tau]);
    for (const [group, mean] of groupMeans(cells, parameters, groups).entries()) {
      expect(means[group]).toBeCloseTo(mean, 8);
    }
    // Half-t with three degrees of freedom for a scale, Exponential(1) for a precision, by their logarithms.
    const halfT = (s: number) => s - 2 * Math.log(1 + Math.exp(2 * s) / 3);
    const functions = [0, 1, 2].map((d) => (x: readonly number[]) => x[d]!);
    const exact = gridMeans(
      3,
      { low: -9, high: 5, points: 71 },
      ([s0, s1, s2]) => {
        let sum = -2 * s0! - Math.exp(-2 * s0!) + halfT(s1!) + halfT(s2!);
        const theta = units[0] * Math.exp(s0!);
        const phi = [units[1] * Math.exp(s1!), units[2] * Math.exp(s2!)];
        for (const [cell, rate] of [...logRates].entries()) {
          const residual = rate - mu - theta - phi[cell < 2 ? 0 : 1]!;
          sum -= 0.5 * tau * residual * residual;
        }
        return sum;
      },
      [...functions, ...functions.map((own) => (x: readonly number[]) => 1 / (1 + Math.exp(-own(x))))],
    );
    // The scale whose coefficient enters no cell has its prior, of a mean known by another grid.
    const [prior] = gridMeans(1, { low: -30, high: 12, points: 4001 }, ([s]) => halfT(s!), [([s]) => s!]);
    expectMeans(chain, [...exact, prior!]);
  });
});
