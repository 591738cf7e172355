import { describe, expect, it } from 'vitest';
import type { ChainSampler } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpAreal } from '../../shared/model/dp-areal/dp-areal.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { type ArealModel, columnsBeside, combinationsOf, drawPriors } from '../model/dp-areal/areal-prior.ts';

/** Two patterns, two clusters and a few records, so that the prior itself can be summed over. */
const model: ArealModel = { known: [2], categories: 3, clusters: 2, concentration: { shape: 1, rate: 1 } };
const sizes = [2, 3];
const counts = [
  [2, 1, 0],
  [0, 1, 2],
];
const synthetic = [
  [1, 2, 0],
  [2, 1, 0],
];

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

/** The table with one record of a pattern moved from one category to another. */
function exchanged(pattern: number, truth: number, candidate: number): number[][] {
  const table = counts.map((own) => [...own]);
  table[pattern]![truth]!--;
  table[pattern]![candidate]!++;
  return table;
}

const CELLS = 6;
const HYPERPARAMETERS = 6000;
const RATES_OF_EACH = 40;

/** Log rates of every draw from the prior, side by side: log rates x cells, and what P(D | rates) and P(Z | rates) need. */
function drawRates() {
  const random = new RandomStream(91, 'prior');
  const draws = HYPERPARAMETERS * RATES_OF_EACH;
  const logRates = new Float64Array(draws * CELLS);
  /** Sum of all rates. */
  const totals = new Float64Array(draws);
  /** P(Z | rates): each record from the shares of its pattern. */
  const release = new Float64Array(draws);
  const released = synthetic.flat();
  for (let h = 0; h < HYPERPARAMETERS; h++) {
    for (const [j, draw] of drawPriors(model, random, RATES_OF_EACH).entries()) {
      const at = h * RATES_OF_EACH + j;
      const own = logRates.subarray(at * CELLS, (at + 1) * CELLS);
      own.set(draw.logRates.flat());
      const sums = [logSumExp(own, 0, 3), logSumExp(own, 3, 6)];
      totals[at] = Math.exp(sums[0]!) + Math.exp(sums[1]!);
      let log = 0;
      for (let c = 0; c < CELLS; c++) log += released[c]! * (own[c]! - sums[c < 3 ? 0 : 1]!);
      release[at] = Math.exp(log);
    }
  }
  return { logRates, totals, release };
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
 * P(D | rates). Draws that share their hyperparameters are one unit of the error.
 */
function exactProbability(table: readonly number[][]): Estimate {
  const cells = table.flat();
  const below = new Float64Array(HYPERPARAMETERS);
  const above = new Float64Array(HYPERPARAMETERS);
  for (let at = 0; at < prior.totals.length; at++) {
    const ofTable = tableProbability(cells, at);
    const unit = Math.floor(at / RATES_OF_EACH);
    below[unit]! += ofTable;
    above[unit]! += ofTable * prior.release[at]!;
  }
  return ratioOfMeans(above, below);
}

const table = combinationsOf(model, counts);
const space = candidateSpace({ unknown: ['S'] }, ['X', 'S'], sizes);
const scorer = createRatioScorer(space, table.codes);
const CHAINS = 30;

/** E[r_x] of every cell and candidate in each chain: chains of combinations x candidates. */
function meanRatios(bound: ChainSampler, name: string): Float64Array[] {
  return Array.from({ length: CHAINS }, (_, c) => {
    const stream = new RandomStream(92, `${name}/${c}`);
    const schedule = { burnIn: 200, draws: 800, thin: 1 };
    const { draws } = sampleChain(bound, bound.init(stream), stream, schedule, name);
    return ratioMeans(scorer, draws, table.count * space.perCombination).mean;
  });
}

/** Mean of one cell and candidate over chains. */
function overChains(chains: readonly Float64Array[], at: number): Estimate {
  const values = Float64Array.from(chains, (own) => own[at]!);
  return ratioOfMeans(
    values,
    values.map(() => 1),
  );
}

describe('the attribute risk of DP-areal, from its chains by the scorer of the DPMPM', () => {
  const settings = { clusters: model.clusters, concentration: model.concentration };
  const alone = meanRatios(createDpAreal(table, sizes, [1], settings), 'alone');
  const stacked = meanRatios(
    createDpAreal(combinationsOf(model, counts, synthetic), sizes, [1], settings, columnsBeside(model)),
    'stacked',
  );
  const truth = exactProbability(counts);
  const cells = counts.flatMap((own, pattern) => own.map((n, i) => ({ pattern, truth: i, n })));

  it.each(cells.filter(({ n }) => n > 0))(
    'is what summing over the prior gives, for pattern $pattern and the true category $truth',
    ({ pattern, truth: own }) => {
      const others = [0, 1, 2].filter((i) => i !== own);
      for (const [x, candidate] of others.entries()) {
        const at = (pattern * 3 + own) * space.perCombination + 1 + x;
        const found = quotient(overChains(stacked, at), overChains(alone, at));
        const exact = quotient(exactProbability(exchanged(pattern, own, candidate)), truth);
        const error = Math.hypot(found.error, exact.error);
        expect(Math.abs(found.mean - exact.mean), `candidate ${candidate}`).toBeLessThan(4 * error);
        expect(error / exact.mean).toBeLessThan(0.06);
      }
    },
  );
});
