import { describe, expect, it } from 'vitest';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type ArealModel, drawPriors } from '../model/dp-areal/areal-prior.ts';
import { mistakenReleases, nameOf, type RiskRow, runExactly } from './exact-run.ts';

/** Two patterns, two clusters and a few records, so that the prior itself can be summed over. */
const model: ArealModel = { known: [2], categories: 3, clusters: 2, concentration: { shape: 1, rate: 1 } };
const table = { codes: Uint16Array.of(0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 1, 2), sizes: [2, 3] };

/** Records of each pattern and category, patterns x categories. */
const cellsOf = (codes: Uint16Array) => {
  const cells = new Array<number>(6).fill(0);
  for (let at = 0; at < codes.length; at += 2) cells[3 * codes[at]! + codes[at + 1]!]!++;
  return cells;
};

/** Mean and standard error. */
interface Estimate {
  readonly mean: number;
  readonly error: number;
}

/** The mean of one set of values over that of another of the same length, with its standard error. */
function ratioOfMeans(above: Float64Array, below: Float64Array): Estimate {
  const total = below.reduce((sum, value) => sum + value, 0);
  const mean = above.reduce((sum, value) => sum + value, 0) / total;
  const squares = above.reduce((sum, value, i) => sum + (value - mean * below[i]!) ** 2, 0);
  return { mean, error: Math.sqrt(squares) / total };
}

/** One estimate over another that is independent of it. */
function quotient(above: Estimate, below: Estimate): Estimate {
  const mean = above.mean / below.mean;
  return { mean, error: mean * Math.hypot(above.error / above.mean, below.error / below.mean) };
}

const CELLS = 6;
const HYPERPARAMETERS = 6000;
const RATES_OF_EACH = 40;

/** Log rates of every draw from the prior, side by side (draws x cells), and what P(D | rates) and P(Z | rates) need. */
function drawRates() {
  const random = new RandomStream(91, 'prior');
  const draws = HYPERPARAMETERS * RATES_OF_EACH;
  const logRates = new Float64Array(draws * CELLS);
  /** Sum of all rates. */
  const totals = new Float64Array(draws);
  /** Logs of the shares of each pattern: draws x cells. */
  const logShares = new Float64Array(draws * CELLS);
  for (let h = 0; h < HYPERPARAMETERS; h++) {
    for (const [j, draw] of drawPriors(model, random, RATES_OF_EACH).entries()) {
      const at = h * RATES_OF_EACH + j;
      const own = logRates.subarray(at * CELLS, (at + 1) * CELLS);
      own.set(draw.logRates.flat());
      const sums = [logSumExp(own, 0, 3), logSumExp(own, 3, 6)];
      totals[at] = Math.exp(sums[0]!) + Math.exp(sums[1]!);
      for (let c = 0; c < CELLS; c++) logShares[at * CELLS + c] = own[c]! - sums[c < 3 ? 0 : 1]!;
    }
  }
  return { logRates, totals, logShares };
}

const prior = drawRates();

/** P(D | rates) of a table, independent Poisson counts. */
function tableProbability(cells: readonly number[], at: number): number {
  let log = -prior.totals[at]!;
  for (let c = 0; c < CELLS; c++) log += cells[c]! * prior.logRates[at * CELLS + c]!;
  // Counts up to 4 have these factorials.
  return cells.reduce((value, n) => value / [1, 1, 2, 6, 24][n]!, Math.exp(log));
}

/**
 * P(Z | D) of a table by its definition: the mean over the prior of P(Z | rates) P(D | rates), over that of
 * P(D | rates), where each released record is from the shares of its pattern. Draws that share their hyperparameters are
 * one unit of the error.
 */
function exactProbability(cells: readonly number[], released: readonly number[]): Estimate {
  const below = new Float64Array(HYPERPARAMETERS);
  const above = new Float64Array(HYPERPARAMETERS);
  for (let at = 0; at < prior.totals.length; at++) {
    const ofTable = tableProbability(cells, at);
    let log = 0;
    for (let c = 0; c < CELLS; c++) log += released[c]! * prior.logShares[at * CELLS + c]!;
    const unit = Math.floor(at / RATES_OF_EACH);
    below[unit]! += ofTable;
    above[unit]! += ofTable * Math.exp(log);
  }
  return ratioOfMeans(above, below);
}

const found = new Map<string, Estimate>();

/** The same, found once for each table and dataset. */
function probabilityOf(cells: readonly number[], released: readonly number[]): Estimate {
  const key = `${cells}/${released}`;
  if (!found.has(key)) found.set(key, exactProbability(cells, released));
  return found.get(key)!;
}

/** The exact probability of the truth of a row, with an error of no less than it has. */
function exactOf({ codes: [pattern, truth] }: RiskRow, datasets: readonly Uint16Array[]): Estimate {
  const own = cellsOf(table.codes);
  const others = [0, 1, 2]
    .filter((category) => category !== truth)
    .map((category) => {
      const guessed = [...own];
      guessed[3 * pattern! + truth!]!--;
      guessed[3 * pattern! + category]!++;
      return datasets
        .map(cellsOf)
        .map((released) => quotient(probabilityOf(guessed, released), probabilityOf(own, released)))
        .reduce((all, one) => ({ mean: all.mean * one.mean, error: all.mean * one.mean * (all.error / all.mean + one.error / one.mean) }));
    });
  const mean = 1 / others.reduce((sum, other) => sum + other.mean, 1);
  return { mean, error: mean * mean * others.reduce((sum, { error }) => sum + error, 0) };
}

/** Differences of a run from the exact probabilities, in the errors of both. */
const differences = (rows: readonly RiskRow[], datasets: readonly Uint16Array[]) =>
  rows.map((row) => {
    const exact = exactOf(row, datasets);
    return Math.abs(row.probability - exact.mean) / Math.hypot(row.probabilitySe, exact.error);
  });

describe('a run of DP-areal on six records of two patterns', () => {
  const elsewhere = [Uint16Array.of(0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2), Uint16Array.of(0, 2, 0, 2, 0, 1, 1, 0, 1, 0, 1, 1)];

  it.each([
    ['its own datasets', { synthesis: { datasets: 2, synthesized: [nameOf(1)] } }],
    ['datasets made elsewhere', { synthesis: { synthesized: [nameOf(1)] }, elsewhere }],
  ])('has the risk that summing over the prior gives: %s', async (_, given) => {
    const { rows, datasets } = await runExactly(table, {
      model: { name: 'dp-areal', clusters: model.clusters, concentration: model.concentration },
      mcmc: { ...{ chains: 24, burnIn: 200, draws: 250, thin: 2 }, ...{ pairedChains: 12, pairedDraws: 500, pairedThin: 2 } },
      ...given,
    });
    expect(rows).toHaveLength(6);
    expect(Math.max(...differences(rows, datasets))).toBeLessThan(4);
    for (const row of rows) {
      expect(Math.hypot(row.probabilitySe, exactOf(row, datasets).error)).toBeLessThan(0.025);
    }
    for (const mistaken of mistakenReleases(datasets)) {
      expect(Math.max(...differences(rows, mistaken))).toBeGreaterThan(5);
    }
  });
});
