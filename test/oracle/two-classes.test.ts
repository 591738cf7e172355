import { describe, expect, it } from 'vitest';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { exactLogLikelihoods, normalized, rankOfFirst } from '../exact-posterior.ts';
import {
  type ExactRun,
  type ExactTable,
  FORGETFUL_CHAINS,
  largest,
  mistakenReleases,
  type RiskRow,
  recordOf,
  runExactly,
  standardized,
} from './exact-run.ts';

/**
 * Tables small enough to sum over every allocation of their records, and of a dataset's, to two classes. Paired chains
 * start from a draw given the table: on so few records they forget it within some iterations.
 */
const tiny: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]), sizes: [2, 3] };

/** Exact log-likelihoods of the candidates of every row of a run's table. */
function exactOf(rows: readonly RiskRow[], { codes, sizes }: ExactTable, alpha: number, datasets: readonly Uint16Array[]) {
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  return rows.map((row) => exactLogLikelihoods({ codes, datasets, space }, recordOf({ codes, sizes }, row), 2, alpha));
}

const truths = (exact: readonly Float64Array[]) => exact.map((values) => normalized(values)[0]!);

const modelOf = (alpha: number) => ({ classes: 2, concentration: { value: alpha } });

describe('a run with two classes on five records, whose risk is a finite sum', () => {
  const mcmc = FORGETFUL_CHAINS;
  /** Three variables, with a category that is declared and that no record has. */
  const unseen: ExactTable = {
    codes: Uint16Array.of(...[0, 0, 0], ...[0, 0, 0], ...[1, 0, 1], ...[1, 1, 1], ...[1, 0, 1]),
    sizes: [2, 2, 3],
  };
  const cases: [name: string, table: ExactTable, alpha: number, datasets: number][] = [
    ['two datasets', tiny, 0.8, 2],
    ['one dataset', tiny, 0.8, 1],
    ['three datasets, and a concentration that spreads the records', tiny, 4, 3],
    ['three variables, with a category that no record has', unseen, 0.8, 2],
  ];

  it.each(cases)('is exact with `augmented`: %s', async (_, table, alpha, m) => {
    const { rows, datasets } = await runExactly(table, { model: modelOf(alpha), mcmc, synthesis: { datasets: m } });
    expect(datasets).toHaveLength(m);
    expect(largest(standardized(rows, truths(exactOf(rows, table, alpha, datasets))))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, truths(exactOf(rows, table, alpha, mistaken))))).toBeGreaterThan(5);
    }
  });

  const elsewhere = [
    Uint16Array.of(...[0, 0], ...[0, 0], ...[0, 2], ...[0, 0], ...[0, 2]),
    Uint16Array.of(...[1, 1], ...[0, 1], ...[1, 1], ...[0, 1], ...[0, 1]),
  ];

  it('is exact for datasets made elsewhere, chain by chain, when chains are long', async () => {
    const longer = { ...mcmc, pairedChains: 16, pairedDraws: 1500, pairedThin: 1 };
    const { rows } = await runExactly(tiny, { model: modelOf(0.8), mcmc: longer, elsewhere });
    expect(largest(standardized(rows, truths(exactOf(rows, tiny, 0.8, elsewhere))))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    for (const mistaken of mistakenReleases(elsewhere)) {
      expect(largest(standardized(rows, truths(exactOf(rows, tiny, 0.8, mistaken))))).toBeGreaterThan(5);
    }
  });

  it.each([
    ['its own datasets', {}],
    ['datasets made elsewhere', { elsewhere }],
  ])('is exact with `importance`, with draws to spare: %s', async (_, given) => {
    const { rows, datasets } = await runExactly(tiny, {
      model: modelOf(0.8),
      mcmc: { ...mcmc, chains: 40, draws: 500 },
      attributeRisk: { estimator: 'importance' },
      synthesis: { datasets: 2 },
      ...given,
    });
    expect(Math.min(...rows.map(({ effectiveDraws }) => effectiveDraws))).toBeGreaterThan(500);
    expect(largest(standardized(rows, truths(exactOf(rows, tiny, 0.8, datasets))))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, truths(exactOf(rows, tiny, 0.8, mistaken))))).toBeGreaterThan(5);
    }
  });
});

describe('over the seeds of runs with few short chains, each with a release of its own', () => {
  const mcmc = { chains: 12, burnIn: 40, thin: 1, pairedChains: 8, pairedThin: 4 };

  /** Share of the seeds of which something holds, by row. */
  async function shares(
    table: ExactTable,
    alpha: number,
    seeds: number,
    run: Omit<ExactRun, 'model' | 'seed'>,
    holds: ((row: RiskRow, exact: Float64Array) => boolean)[],
  ): Promise<number[][]> {
    let result: number[][] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const { rows, datasets } = await runExactly(table, { model: modelOf(alpha), seed, ...run });
      const exact = exactOf(rows, table, alpha, datasets);
      if (seed === 1) result = holds.map(() => rows.map(() => 0));
      for (const [h, hold] of holds.entries()) {
        for (const [c, row] of rows.entries()) if (hold(row, exact[c]!)) result[h]![c]! += 1 / seeds;
      }
    }
    return result;
  }

  it('1.645 standard errors of the probability cover the exact one in 80 to 99 % of them', async () => {
    const SEEDS = 60;
    const [covered, above] = (await shares(
      tiny,
      0.8,
      SEEDS,
      { mcmc: { ...mcmc, draws: 40, pairedDraws: 40 }, synthesis: { datasets: 2 } },
      [
        ({ probability, probabilitySe }, exact) => Math.abs(probability - normalized(exact)[0]!) <= 1.645 * probabilitySe,
        ({ probability }, exact) => probability > normalized(exact)[0]!,
      ],
    )) as [number[], number[]];
    // Seeds are independent, combinations of one seed are not: each on its own.
    for (const [c, share] of covered.entries()) {
      expect(share, `combination ${c}`).toBeGreaterThanOrEqual(0.8);
      expect(share, `combination ${c}`).toBeLessThanOrEqual(0.99);
    }
    // And there is no bias: the estimate is too large about half of the time.
    for (const share of above) expect(Math.abs(share - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / SEEDS));
  });

  it('the 90 % interval of the rank covers the exact rank in at least 80 % of them', async () => {
    // More candidates than above, and chains so short that the estimated rank is often not the exact one.
    const table = { codes: Uint16Array.of(0, 0, 0, 1, 1, 3, 1, 2, 2, 1, 2, 1), sizes: [3, 4] };
    const elsewhere = [Uint16Array.of(0, 0, 0, 1, 1, 3, 0, 3, 2, 1, 1, 2)];
    const [covered, hit, narrow] = (await shares(
      table,
      1.5,
      40,
      // With phi integrated out hardly any estimate would be another.
      { mcmc: { ...mcmc, draws: 10, pairedDraws: 20 }, attributeRisk: { phi: 'drawn' }, elsewhere },
      [
        ({ rankLow, rankHigh }, exact) => rankLow <= rankOfFirst(exact) && rankOfFirst(exact) <= rankHigh,
        ({ rank }, exact) => rank === rankOfFirst(exact),
        ({ rankLow, rankHigh }) => rankHigh - rankLow <= 3,
      ],
    )) as [number[], number[], number[]];
    for (const [c, share] of covered.entries()) {
      expect(share, `combination ${c}`).toBeGreaterThanOrEqual(0.8);
      // The interval does it, not the estimate; and not by spanning all six candidates.
      expect(hit[c]!, `combination ${c}`).toBeLessThan(0.8);
      expect(narrow[c]!, `combination ${c}`).toBeGreaterThan(0.5);
    }
  });
});
