import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type AttributeRiskSummary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { type ExactRun, type ExactTable, largest, recordOf, runExactly } from './exact-run.ts';

const TABLE: ExactTable = { sizes: [2, 3], codes: Uint16Array.from([0, 0, 0, 0, 0, 1, 1, 2, 1, 0, 0, 0, 0, 2]) };
const BINARY: ExactTable = { sizes: [2], codes: Uint16Array.from([0, 0, 0, 0, 1]) };

const rowsOf = (codes: Uint16Array, width: number) =>
  Array.from({ length: codes.length / width }, (_, i) => [...codes.subarray(i * width, (i + 1) * width)]);

/** All cells of a cross-classification. */
function cellsOf([size, ...others]: readonly number[]): number[][] {
  if (size === undefined) return [[]];
  const rest = cellsOf(others);
  return Array.from({ length: size }, (_, code) => rest.map((more) => [code, ...more])).flat();
}

/**
 * log P(Z | table) of the datasets, record by record, from the definition: each is drawn with probability
 * (c + alpha) / (n + K alpha).
 */
function logProbability(table: readonly number[][], datasets: readonly number[][][], sizes: readonly number[], epsilon: number): number {
  const draws = datasets.reduce((sum, rows) => sum + rows.length, 0);
  const alpha = 1 / (Math.exp(epsilon / draws) - 1);
  const cells = sizes.reduce((product, size) => product * size, 1);
  const total = table.length + cells * alpha;
  const counts = new Map<string, number>();
  for (const row of table) counts.set(row.join(), (counts.get(row.join()) ?? 0) + 1);
  let sum = 0;
  for (const row of datasets.flat()) sum += Math.log(((counts.get(row.join()) ?? 0) + alpha) / total);
  return sum;
}

type Candidates = (truth: readonly number[]) => number[][];

const oneChange =
  (sizes: readonly number[]): Candidates =>
  (truth) =>
    cellsOf(sizes).filter((cell) => cell.filter((code, k) => code !== truth[k]).length <= 1);
const all =
  (sizes: readonly number[]): Candidates =>
  () =>
    cellsOf(sizes);
const unknownFirst =
  (sizes: readonly number[]): Candidates =>
  (truth) =>
    cellsOf(sizes).filter((cell) => cell.every((code, k) => k === 0 || code === truth[k]));

/** Posterior, rank, information and privacy loss of the truth of a record, by enumeration of the candidates. */
function exactly(table: ExactTable, record: number, datasets: readonly Uint16Array[], candidates: Candidates, epsilon: number) {
  const width = table.sizes.length;
  const rows = rowsOf(table.codes, width);
  const released = datasets.map((codes) => rowsOf(codes, width));
  const truth = rows[record]!;
  const logs = candidates(truth).map((cell) => ({
    isTruth: cell.join() === truth.join(),
    log: logProbability(rows.with(record, cell), released, table.sizes, epsilon),
  }));
  const own = logs.find(({ isTruth }) => isTruth)!.log;
  const total = logs.reduce((sum, { log }) => sum + Math.exp(log - own), 0);
  const tied = logs.filter(({ log }) => Math.abs(log - own) < 1e-9).length;
  return {
    probability: 1 / total,
    rank: 1 + logs.filter(({ log }) => log > own + 1e-9).length + (tied - 1) / 2,
    informationBits: logs.reduce((sum, { log }) => {
      const p = Math.exp(log - own) / total;
      return sum + (p === 0 ? 0 : p * Math.log2(p * logs.length));
    }, 0),
    privacyLoss: Math.max(...logs.map(({ log }) => Math.abs(log - own))),
  };
}

/** log2 of the probability of the datasets given the table over that given the table without a record. */
function membershipBits(table: ExactTable, record: number, datasets: readonly Uint16Array[], epsilon: number): number {
  const rows = rowsOf(table.codes, table.sizes.length);
  const released = datasets.map((codes) => rowsOf(codes, table.sizes.length));
  const log = (some: number[][]) => logProbability(some, released, table.sizes, epsilon);
  return (log(rows) - log(rows.toSpliced(record, 1))) / Math.LN2;
}

const settings = (name: string, epsilon: number, more: Partial<ExactRun> = {}): ExactRun => ({
  model: { name, epsilon },
  mcmc: {},
  synthesis: { datasets: 2 },
  ...more,
});

const riskOf = async ({ store, keys }: Awaited<ReturnType<typeof runExactly>>): Promise<AttributeRiskSummary> =>
  (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk[0]!;

describe('a run by counts', () => {
  const kinds: [string, object, Candidates][] = [
    ['one-change', {}, oneChange(TABLE.sizes)],
    ['unknown', { candidates: { unknown: ['v0'] } }, unknownFirst(TABLE.sizes)],
    ['all unknown', { candidates: { unknown: ['v0', 'v1'] } }, all(TABLE.sizes)],
    ['all-cells', { candidates: 'all-cells' }, all(TABLE.sizes)],
  ];
  const cases = kinds.flatMap(([kind, attributeRisk, candidates]) =>
    [0.5, 8, 900].map((epsilon) => ({ kind, attributeRisk, candidates, epsilon })),
  );

  it.each(cases)('gives the risk that enumeration gives, $kind, epsilon $epsilon', async (one) => {
    const { kind, attributeRisk, candidates, epsilon } = one;
    const run = await runExactly(TABLE, settings('dirichlet-multinomial', epsilon, { attributeRisk }));
    expect(run.rows).toHaveLength(5);
    for (const row of run.rows) {
      const exact = exactly(TABLE, recordOf(TABLE, row), run.datasets, candidates, epsilon);
      expect(Math.abs(row.probability / exact.probability - 1)).toBeLessThan(1e-9);
      expect(row.rank).toBe(exact.rank);
      expect([row.rankLow, row.rankHigh]).toEqual([row.rank, row.rank]);
      expect(row.probabilitySe).toBe(0);
      expect(row.informationBits).toBeCloseTo(exact.informationBits, 9);
      expect(row.privacyLoss).toBeCloseTo(exact.privacyLoss, 8);
      expect(row.privacyLoss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
      if (kind === 'all-cells') continue;
      const bits = membershipBits(TABLE, recordOf(TABLE, row), run.datasets, epsilon);
      expect(row.figure('membership_bits')).toBeCloseTo(bits, 9);
      expect(row.figure('membership_bits_se')).toBe(0);
      expect(Math.abs(bits) * Math.LN2).toBeLessThanOrEqual(epsilon);
    }
    const risk = await riskOf(run);
    expect(risk).toMatchObject({ estimator: 'exact', epsilon, effectiveDrawsMin: null, probabilityMeanSimulationSe: 0 });
    expect(risk.privacyLossMax).toBe(largest(run.rows.map(({ privacyLoss }) => privacyLoss)));
  });

  it('would give other risks for another release, so that each dataset counts', async () => {
    const run = await runExactly(TABLE, settings('dirichlet-multinomial', 8));
    const [first] = run.rows;
    const record = recordOf(TABLE, first!);
    const [one, other] = run.datasets as [Uint16Array, Uint16Array];
    for (const mistaken of [
      [one, one],
      [other, other],
    ]) {
      const { probability } = exactly(TABLE, record, mistaken, oneChange(TABLE.sizes), 8);
      expect(Math.abs(first!.probability / probability - 1)).toBeGreaterThan(1e-4);
    }
  });

  it('gives the guesses and marginals of all cells', async () => {
    const attributeRisk = { candidates: 'all-cells' };
    const run = await runExactly(TABLE, settings('dirichlet-multinomial', 40, { attributeRisk }));
    const released = run.datasets.map((codes) => rowsOf(codes, 2));
    const rows = rowsOf(TABLE.codes, 2);
    const [, ...guesses] = csvRows(await run.store.get(run.keys.confidential.table('guesses').csv));
    const [, ...marginals] = csvRows(await run.store.get(run.keys.confidential.table('marginals').csv));
    for (const [index, row] of run.rows.entries()) {
      const record = recordOf(TABLE, row);
      const logs = cellsOf(TABLE.sizes).map((cell) => ({ cell, log: logProbability(rows.with(record, cell), released, TABLE.sizes, 40) }));
      const most = Math.max(...logs.map(({ log }) => log));
      const total = logs.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
      const probabilities = new Map(logs.map(({ cell, log }) => [cell.join(), Math.exp(log - most) / total]));
      const own = guesses.filter(([combination]) => Number(combination) === index + 1);
      expect(own).toHaveLength(6);
      for (const [, , v0, v1, probability] of own) {
        const cell = [v0, v1].map((text) => Number(text!.slice(1)));
        expect(Number(probability)).toBeCloseTo(probabilities.get(cell.join())!, 10);
      }
      for (const [combination, variable, category, probability] of marginals) {
        if (Number(combination) !== index + 1) continue;
        const k = Number(variable!.slice(1));
        const sum = [...probabilities].reduce((mass, [cell, p]) => mass + (cell.split(',')[k] === category!.slice(1) ? p : 0), 0);
        expect(Number(probability)).toBeCloseTo(sum, 10);
      }
    }
  });

  it('leaves the prior where epsilon is very small, and says so of every value', async () => {
    const run = await runExactly(TABLE, settings('dirichlet-multinomial', 1e-7));
    for (const { probability, informationBits, privacyLoss } of run.rows) {
      expect(probability).toBeCloseTo(1 / 4, 7);
      expect(informationBits).toBeLessThan(1e-12);
      expect(privacyLoss).toBeLessThanOrEqual(1e-7);
    }
    expect((await riskOf(run)).gainBitsMean).toBeCloseTo(0, 6);
  });
});

describe('a run by the beta-binomial', () => {
  it('has the privacy loss of its counts, exactly', async () => {
    for (const epsilon of [0.1, 3, 700]) {
      const run = await runExactly(BINARY, settings('beta-binomial', epsilon));
      const ones = run.datasets.reduce((sum, codes) => sum + codes.reduce((a, b) => a + b, 0), 0);
      const alpha = 1 / Math.expm1(epsilon / 10);
      for (const row of run.rows) {
        const [one, zero] = row.codes[0] === 1 ? [0, 4] : [1, 3];
        const loss = Math.abs(ones * Math.log1p(1 / (one + alpha)) - (10 - ones) * Math.log1p(1 / (zero + alpha)));
        expect(row.privacyLoss).toBeCloseTo(loss, 9);
        expect(row.privacyLoss).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
      }
    }
  });

  it('attains epsilon where nobody else has a value that all synthetic records have', async () => {
    const two: ExactTable = { sizes: [2], codes: Uint16Array.from([0, 1]) };
    const alone = { synthesis: { datasets: 1 } };
    // One release in four has the value of the second record alone.
    for (let seed = 1; seed <= 100; seed++) {
      const run = await runExactly(two, settings('beta-binomial', 2, { seed, ...alone }));
      if (run.datasets[0]!.join() !== '1,1') continue;
      const own = run.rows.find(({ codes }) => codes[0] === 1)!;
      expect(own.privacyLoss).toBeCloseTo(2, 12);
      expect((await riskOf(run)).privacyLossMax).toBe(own.privacyLoss);
      return;
    }
    expect.unreachable('no release of a hundred had the value alone');
  });
});
