import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { createEvaluator } from '../../../shared/risk/attribute/evaluator.ts';
import { datasetContributions, groupTerms, priorTerm } from '../../../shared/risk/attribute/expectation.ts';
import { countRelease, exactTerms } from '../../../shared/risk/exact/exact-terms.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const sizes = [2, 3];
const rowsOf = (codes: readonly number[]) => combinationsFromCodes(Uint16Array.from(codes), codes.length / 2, 2).combinations;
const table = rowsOf([0, 0, 0, 0, 0, 1, 1, 2]);
const datasets = [rowsOf([1, 0, 1, 0, 1, 1, 0, 1]), rowsOf([1, 1, 0, 2, 0, 2, 0, 0])];
const space = candidateSpace({ unknown: ['a', 'b'] }, ['a', 'b'], sizes);

function termsWith(epsilon: number) {
  const alpha = 1 / Math.expm1(epsilon / 8);
  const release = countRelease(table, datasets, { sizes, alpha, epsilon });
  return { alpha, ...exactTerms(release, space, table.codes) };
}

/** log-likelihood of a cell of one dataset, from counts, the truth's own record left out. */
function gain(dataset: number, alpha: number, cell: readonly number[], truth: readonly number[]): number {
  const countIn = ({ codes, counts, count }: typeof table) => {
    for (let row = 0; row < count; row++) {
      if (codes[2 * row] === cell[0] && codes[2 * row + 1] === cell[1]) return counts[row]!;
    }
    return 0;
  };
  const others = countIn(table) - (cell.join() === truth.join() ? 1 : 0);
  return countIn(datasets[dataset]!) * Math.log((others + 1 + alpha) / (others + alpha));
}

describe('exactTerms()', () => {
  it.each([3, 2000])('tells what each dataset adds, and all of them together, epsilon %d', (epsilon) => {
    const { terms, alpha, privacyLoss } = termsWith(epsilon);
    expect(privacyLoss).toHaveLength(table.count);
    expect(new Set(terms.map(({ means }) => means[0]!.length))).toEqual(new Set([6 * table.count]));
    const streams = seededStreams(1);
    const groups = groupTerms(terms, streams);
    const evaluate = createEvaluator({ terms, streams, candidates: 6, slope: 1 });
    const numbers = [0, 1, 2, 3, 4, 5];
    for (let row = 0; row < table.count; row++) {
      const truth = [...table.codes.subarray(2 * row, 2 * row + 2)];
      const place = 3 * truth[0]! + truth[1]!;
      // The truth comes first, then all other cells in their order.
      const cells = [place, ...numbers.filter((cell) => cell !== place)].map((cell) => [Math.floor(cell / 3), cell % 3]);
      const parts = datasetContributions(groups, row, 6, new Float64Array(6), numbers);
      const { estimates } = evaluate(row);
      for (const [x, cell] of cells.entries()) {
        const own = [0, 1].map((l) => gain(l, alpha, cell, truth) - gain(l, alpha, truth, truth));
        expect(parts[0]![x]).toBeCloseTo(own[0]!, 8);
        expect(parts[1]![x]).toBeCloseTo(own[1]!, 8);
        expect(estimates[x]).toBeCloseTo(own[0]! + own[1]!, 8);
      }
    }
  });

  it('says what the model believed of each candidate before the release: its share of the other records', () => {
    const { terms, alpha } = termsWith(3);
    const { coefficient, means } = priorTerm(terms);
    expect(coefficient).toBe(0);
    const numbers = [0, 1, 2, 3, 4, 5];
    for (let row = 0; row < table.count; row++) {
      const place = 3 * table.codes[2 * row]! + table.codes[2 * row + 1]!;
      const others = (cell: number) => {
        let count = cell === place ? -1 : 0;
        for (let r = 0; r < table.count; r++) if (3 * table.codes[2 * r]! + table.codes[2 * r + 1]! === cell) count += table.counts[r]!;
        return count + alpha;
      };
      for (const [x, cell] of [place, ...numbers.filter((one) => one !== place)].entries()) {
        expect(means[0]![6 * row + x]).toBeCloseTo(others(cell) / others(place), 10);
      }
    }
  });

  it('has the largest privacy loss over the candidates of each row', () => {
    const { privacyLoss, alpha } = termsWith(3);
    for (let row = 0; row < table.count; row++) {
      const truth = [...table.codes.subarray(2 * row, 2 * row + 2)];
      const all = [0, 1, 2, 3, 4, 5].map((cell) => {
        const codes = [Math.floor(cell / 3), cell % 3];
        return [0, 1].reduce((sum, l) => sum + gain(l, alpha, codes, truth) - gain(l, alpha, truth, truth), 0);
      });
      expect(privacyLoss[row]).toBeCloseTo(Math.max(...all.map(Math.abs)), 10);
    }
  });

  it('ties candidates whose records the datasets have shared out in different ways', () => {
    // The cells (1, 0) and (1, 1) are empty in the table: one has two records in one dataset, the other one in each.
    for (let epsilon = 1; epsilon < 40; epsilon++) {
      const { estimates } = createEvaluator({ terms: termsWith(epsilon).terms, streams: seededStreams(1), candidates: 6, slope: 1 })(0);
      expect(estimates[3]).toBe(estimates[4]);
    }
  });
});
