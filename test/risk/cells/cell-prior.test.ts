import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { cellRisk } from '../../../shared/risk/cells/cell-risk.ts';
import { createCellScorer } from '../../../shared/risk/cells/cell-scorer.ts';
import { CELL_EVALUATIONS, type CellSet, posteriorSets } from '../../../shared/risk/cells/cell-sums.ts';
import { cellOf, codesOf } from '../../../shared/risk/intruder/cell-order.ts';

const sizes = [3, 5, 7];
// The second has the most weight of all cells.
const codes = Uint16Array.of(...[0, 0, 0], ...[2, 4, 0], ...[1, 3, 2]);
const streams = seededStreams(4);
const random = new RandomStream(4, 'cells');
const exact = { pool: 'arithmetic', chains: 1, drawsPerChain: 1, coefficient: 1 } as const;
const likelihood: CellSet[] = [{ ...exact, name: 'draw' }];
const prior: CellSet = { ...exact, name: 'prior', isPrior: true };

/** One class: f(x) is a product over the variables, so that the likelihood of every cell is known. */
const phi = sizes.map((size) => {
  const weights = Array.from({ length: size }, () => 0.05 + random.uniform());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
});
const weightOf = (own: ArrayLike<number>) => 0.01 + ((own[0]! + 2) * (own[1]! + 1) ** 2) / (1 + own[2]!);
const densityOf = (own: ArrayLike<number>) => phi.reduce((p, of, k) => p * of[own[k]!]!, 1);

describe.each([1, 0.6])('a prior over cells, with the slope %d', (slope) => {
  const scorer = createCellScorer({ sizes, codes, classes: 1, sets: posteriorSets(likelihood, prior, slope), streams, slope });
  const alone = createCellScorer({ sizes, codes, classes: 1, sets: [prior], streams, slope: 1 });
  const ofTruths = Float64Array.from([0, 1, 2], (row) => weightOf(codes.subarray(3 * row, 3 * row + 3)));
  scorer.load(0, { draws: 1, weights: Float64Array.of(1), probabilities: Float64Array.from(phi.flat()) });
  scorer.give(1, ofTruths, weightOf);
  alone.give(0, ofTruths, weightOf);
  for (let block = 0; block < scorer.blocks; block++) {
    scorer.addBlock(block);
    alone.addBlock(block);
  }
  const posterior = scorer.sums();
  const found = alone.sums();
  const cells = Array.from({ length: 3 * 5 * 7 }, (_, cell) => codesOf(scorer.order, cell));

  it('has the mean of its logarithm under the posterior, in half-samples to six digits', () => {
    for (let row = 0; row < 3; row++) {
      const own = codes.subarray(3 * row, 3 * row + 3);
      const logs = cells.map((cell) => Math.log(weightOf(cell) / weightOf(own)));
      const weights = cells.map((cell, x) => (densityOf(cell) / densityOf(own)) ** slope * Math.exp(logs[x]!));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const mean = weights.reduce((sum, weight, x) => sum + weight * logs[x]!, 0) / total;
      for (let b = 0; b < CELL_EVALUATIONS; b++) {
        const at = row * CELL_EVALUATIONS + b;
        // Nothing is simulated, so that all evaluations are one.
        expect(posterior.priorLogSums[at]! / posterior.sums[at]!).toBeCloseTo(mean, b === 0 ? 12 : 5);
      }
      const first = weights.indexOf(Math.max(...weights));
      expect(posterior.firstPriorLogs[row]).toBeCloseTo(logs[first]!, 12);
    }
  });

  it('is what probabilities, information and Bayes factors are set against', () => {
    const each = new Float64Array(3).fill(1);
    const batch = { order: scorer.order, codes, counts: [1, 2, 1], effectiveDraws: each, paretoK: each, prior: found };
    const { risk } = cellRisk(posterior, batch);
    const shares = (weights: readonly number[]) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return weights.map((weight) => weight / total);
    };
    const before = shares(cells.map(weightOf));
    const after = shares(cells.map((cell) => densityOf(cell) ** slope * weightOf(cell)));
    for (let row = 0; row < 3; row++) {
      const truth = cellOf(scorer.order, codes.subarray(3 * row, 3 * row + 3));
      expect(risk.priorProbability[row]).toBeCloseTo(before[truth]!, 12);
      expect(risk.priorFirst[row]).toBe(before[truth] === Math.max(...before) ? 1 : 0);
      expect(risk.probability[row]).toBeCloseTo(after[truth]!, 12);
      expect(risk.informationBits[row]).toBeCloseTo(
        after.reduce((sum, p, x) => sum + p * Math.log2(p / before[x]!), 0),
        10,
      );
      const odds = (p: number) => p / (1 - p);
      expect(risk.bayesFactor[row]! / (odds(after[truth]!) / odds(before[truth]!))).toBeCloseTo(1, 10);
    }
  });

  it('shares the first guess of a prior among the cells that tie', () => {
    const each = new Float64Array(3).fill(1);
    const tied = { ...found, above: found.above.map(() => 0), equal: found.equal.map(() => 4) };
    const batch = { order: scorer.order, codes, counts: [1, 2, 1], effectiveDraws: each, paretoK: each, prior: tied };
    expect([...cellRisk(posterior, batch).risk.priorFirst]).toEqual([1 / 4, 1 / 4, 1 / 4]);
  });
});
