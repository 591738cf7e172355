import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { RECORD_SUMS } from '../../../shared/risk/attribute/attribute-risk.ts';
import { RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import type { ExpectationTerm } from '../../../shared/risk/attribute/expectation.ts';
import { separateDatasets, separateFigures } from '../../../shared/risk/attribute/separate-datasets.ts';

const CANDIDATES = 3;
const counts = Uint32Array.of(2, 3);

/** Likelihood ratios of two rows under the base chains and under each of three datasets; one chain each, without error. */
const RATIOS = { base: [1, 0.5, 2, 1, 1, 0.25], 1: [1, 2, 0.5, 1, 0.1, 0.2], 2: [1, 0.3, 0.9, 1, 3, 2], 3: [1, 1.5, 4, 1, 0.5, 0.5] };
const term = (chains: string, values: readonly number[], dataset?: number): ExpectationTerm => ({
  coefficient: dataset === undefined ? -1 : 1 / 3,
  chains,
  means: [Float64Array.from(values)],
  draws: 10,
  pool: 'arithmetic',
  dataset,
});
const terms = [
  term('base', RATIOS.base),
  term('stacked/1', RATIOS[1], 1),
  term('stacked/2', RATIOS[2], 2),
  term('stacked/3', RATIOS[3], 3),
];

/** Rank and probability of a row's truth, the first of its candidates, and the information on all, from likelihoods. */
function truthOf(likelihoods: readonly number[]) {
  const total = likelihoods.reduce((sum, own) => sum + own, 0);
  const first = likelihoods.every((own, x) => x === 0 || own < likelihoods[0]!);
  const bits = likelihoods.reduce((sum, own) => sum + (own / total) * Math.log2((own / total) * likelihoods.length), 0);
  return { first, probability: likelihoods[0]! / total, bits };
}

describe('separateDatasets()', () => {
  const request = { terms, counts, candidates: CANDIDATES, streams: seededStreams(3), slope: 1 };
  const likelihoodsOf = (row: number, dataset: 1 | 2 | 3) =>
    [0, 1, 2].map((x) => RATIOS[dataset][3 * row + x]! / RATIOS.base[3 * row + x]!);

  it('sums each dataset by itself, the largest of them by record, and their product', () => {
    const sums = separateDatasets(request);
    const expected = Array.from({ length: 5 }, () => [0, 0, 0]);
    for (const [row, count] of counts.entries()) {
      const each = ([1, 2, 3] as const).map((dataset) => truthOf(likelihoodsOf(row, dataset)));
      const largest = each.reduce((most, one) => (one.probability > most.probability ? one : most));
      const product = truthOf(
        [0, 1, 2].map((x) => ([1, 2, 3] as const).reduce<number>((all, dataset) => all * likelihoodsOf(row, dataset)[x]!, 1)),
      );
      for (const [l, { first, probability, bits }] of [...each, largest, product].entries()) {
        expected[l]![0]! += first ? count : 0;
        expected[l]![1]! += count * probability;
        expected[l]![2]! += count * bits;
      }
    }
    expect(sums).toHaveLength(5 * (1 + RESAMPLES) * RECORD_SUMS.length);
    for (const [l, values] of expected.entries()) {
      // One chain is resampled to itself: every evaluation is the same.
      for (const b of [0, 1, RESAMPLES]) {
        const at = (l * (1 + RESAMPLES) + b) * RECORD_SUMS.length;
        for (const [s, value] of values.entries()) expect(sums[at + s]).toBeCloseTo(value, 4);
      }
    }
    // Something is first, and something is not.
    expect(new Set(expected.map(([first]) => first))).not.toEqual(new Set([0]));
    expect(expected[0]).not.toEqual(expected[1]);
  });
});

describe('separateFigures()', () => {
  it('gives means over records, their errors over resamples, and the last two sets by their names', () => {
    const width = RECORD_SUMS.length;
    const sums = new Float64Array(4 * (1 + RESAMPLES) * width);
    for (let l = 0; l < 4; l++) {
      for (let b = 0; b <= RESAMPLES; b++) {
        for (let s = 0; s < width; s++) {
          // Resamples are so much above and below their mean, which is not the estimate, in turn.
          const deviation = b === 0 ? 7 : (s + 1) * (b % 2 === 0 ? 1 : -1);
          sums[(l * (1 + RESAMPLES) + b) * width + s] = 100 * (l + 1) + 10 * s + deviation;
        }
      }
    }
    const { datasets, largest, product } = separateFigures(sums, 50);
    const plusMinusOne = Math.sqrt(RESAMPLES / (RESAMPLES - 1));
    const expected = (l: number) => {
      const of = (s: number) => expect.closeTo((100 * (l + 1) + 10 * s + 7) / 50, 12);
      const error = (s: number) => expect.closeTo(((s + 1) * plusMinusOne) / 50, 12);
      return {
        ...{ truthRankedFirstShare: of(0), truthRankedFirstShareSe: error(0) },
        ...{ probabilityMean: of(1), probabilityMeanSe: error(1) },
        ...{ informationBitsMean: of(2), informationBitsMeanSe: error(2) },
      };
    };
    expect(RESAMPLES % 2).toBe(0);
    expect(datasets).toEqual([expected(0), expected(1)]);
    expect(largest).toEqual(expected(2));
    expect(product).toEqual(expected(3));
  });
});
