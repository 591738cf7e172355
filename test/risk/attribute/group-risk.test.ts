import { describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRisk } from '../../../shared/artifacts/stored-part.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { emptyRisk, setWithout, WITHOUT_FIGURES } from '../../../shared/risk/attribute/attribute-risk.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { GROUP_FIGURES, groupMeans } from '../../../shared/risk/attribute/group-risk.ts';
import { runFigures, smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

const width = 2 * HALF_SPLITS;

const emptyWithout = (rows: number, datasets: number) => ({ withoutDatasets: new Float64Array(rows * datasets * WITHOUT_FIGURES.length) });

/** Rows whose halves lie on either side of the estimate by what `apart` says of a row and a split. */
function riskOf(probabilities: readonly number[], apart: (row: number, split: number) => number) {
  const risk = emptyRisk(probabilities.length, 1);
  for (const [row, probability] of probabilities.entries()) {
    risk.probability[row] = probability;
    for (let split = 0; split < HALF_SPLITS; split++) {
      risk.halfProbabilities[row * width + 2 * split] = probability + apart(row, split);
      risk.halfProbabilities[row * width + 2 * split + 1] = probability - apart(row, split);
    }
  }
  return risk;
}

describe('groupMeans()', () => {
  const probabilities = [0.1, 0.2, 0.4, 0.05];
  const counts = [1, 2, 1, 6];

  it('weighs rows by their records', () => {
    const risk = riskOf(probabilities, () => 0);
    const { probabilityMean } = groupMeans(risk, [0, 1, 3], counts, 'all');
    expect(probabilityMean.mean).toBeCloseTo((0.1 + 2 * 0.2 + 6 * 0.05) / 9, 14);
    expect(probabilityMean.simulationSe).toBe(0);
  });

  it('has every figure of its own source: ranks and how many of them are first, probabilities and information', () => {
    const risk = riskOf([0.5, 0.25], () => 0);
    risk.rank.set([1, 4]);
    risk.halfRanks.fill(1, 0, width).fill(4, width);
    risk.informationBits.set([3, 0.5]);
    for (let split = 0; split < HALF_SPLITS; split++) risk.halfInformationBits.set([3.5, 2.5], 2 * split);
    risk.halfInformationBits.fill(0.5, width);
    const exact = (mean: number) => ({ mean, se: null, simulationSe: 0, releaseSe: null });
    expect(groupMeans(risk, [0, 1], [1, 3], 'all')).toEqual({
      truthRankedFirstShare: exact(0.25),
      rankMean: exact(13 / 4),
      probabilityMean: exact(5 / 16),
      // A difference of 1 in a quarter of the records, over the root of two.
      informationBitsMean: { ...exact(9 / 8), simulationSe: expect.closeTo(1 / 4 / Math.SQRT2, 14) },
    });
  });

  it('does not take rows for independent that share their chains', () => {
    const shared = riskOf(probabilities, (_, split) => 0.01 * (split % 2 ? 1 : -1));
    // What all rows have in common stays in full: a difference of 0.02 over the root of two, or over two.
    const rows = [0, 1, 2, 3];
    expect(groupMeans(shared, rows, counts, 'all').probabilityMean.simulationSe).toBeCloseTo(0.02 / Math.SQRT2, 14);
    expect(groupMeans(shared, rows, counts, 'half').probabilityMean.simulationSe).toBeCloseTo(0.01, 14);
    const opposite = riskOf(probabilities, (row) => (row === 3 ? -0.01 / 6 : row === 1 ? 0.005 : 0));
    expect(groupMeans(opposite, [1, 3], counts, 'all').probabilityMean.simulationSe).toBeCloseTo(0, 14);
  });

  it('is as large as the scatter of independent errors is', () => {
    const random = new RandomStream(3, 'groups');
    const many = Array.from({ length: 400 }, () => 0.3);
    const risk = riskOf(many, () => (random.below(2) ? 0.02 : -0.02));
    const rows = many.map((_, row) => row);
    const { simulationSe } = groupMeans(
      risk,
      rows,
      many.map(() => 1),
      'all',
    ).probabilityMean;
    // The root of 400 rows in the denominator; its own error is that of WHOLE_SPLITS squares.
    const expected = 0.04 / Math.SQRT2 / 20;
    expect(Math.abs(simulationSe / expected - 1)).toBeLessThan(4 / Math.sqrt(2 * WHOLE_SPLITS));
  });

  it('holds what half the length of paired chains changes, and nothing of rows that were never seen', () => {
    const risk = riskOf(probabilities, () => 0.001);
    risk.halfLengthProbability.set([0.15, 0.2, 0.4, 0.05]);
    expect(groupMeans(risk, [0], counts, 'all').probabilityMean.simulationSe).toBeCloseTo(0.05, 14);
    risk.halfProbabilities.fill(NaN, width, 2 * width);
    expect(groupMeans(risk, [1], counts, 'all').probabilityMean).toEqual({ mean: 0.2, se: null, simulationSe: 0, releaseSe: null });
  });

  it('has an error over releases from what the mean is without each dataset', () => {
    const risk = { ...riskOf(probabilities, () => 0), ...emptyWithout(4, 3) };
    const without = [0.1, 0.16, 0.13];
    for (const [row, probability] of probabilities.entries()) {
      const truths = without.map((by) => ({ rank: 1, probability: probability + by, informationBits: 0, loss: 0, logBayesFactor: 0 }));
      setWithout(risk, row, truths);
    }
    const { probabilityMean, informationBitsMean } = groupMeans(risk, [0, 1], counts, 'all');
    // m / (m - 1) times the sum of squares about their mean, 0.13.
    expect(probabilityMean.releaseSe).toBeCloseTo(Math.sqrt(1.5 * 2 * 0.03 ** 2), 14);
    expect(probabilityMean.se).toBeCloseTo(probabilityMean.releaseSe!, 14);
    expect(informationBitsMean.releaseSe).toBe(0);
  });

  it('gives a whole file about the errors that resampled chains give it', async () => {
    const { store, plan, keys } = await runFigures({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({ mcmc: { chains: 24, pairedChains: 24, pairedDraws: 8 } }),
      table: smallTable(),
    });
    const [file] = (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk;
    const risk = await readRisk(store, plan, 1);
    const table = Array.from({ length: plan.table.combinations }, (_, row) => row);
    const records = table.map(() => 1);
    const means = groupMeans(risk, table, records, 'all');
    expect(means.probabilityMean.simulationSe / file!.probabilityMeanSimulationSe!).toBeGreaterThan(0.4);
    expect(means.probabilityMean.simulationSe / file!.probabilityMeanSimulationSe!).toBeLessThan(2.5);
    expect(means.informationBitsMean.simulationSe / file!.informationBitsMeanSimulationSe!).toBeGreaterThan(0.4);
    expect(means.informationBitsMean.simulationSe / file!.informationBitsMeanSimulationSe!).toBeLessThan(2.5);
    for (const name of GROUP_FIGURES) expect(means[name].simulationSe).toBeGreaterThan(0);
  });
});
