import { describe, expect, it } from 'vitest';
import { ROW_CHECKSUM_BYTES } from '../../shared/arrays/checked-rows.ts';
import { decodeNpy } from '../../shared/arrays/npy.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { exactLogLikelihoods, normalized, oneChange, oneClassLogLikelihoods } from '../exact-posterior.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { type ExactTable, FORGETFUL_CHAINS, largest, type RiskRow, recordOf, runExactly, standardized } from './exact-run.ts';

/** The table without the records of some rows. */
function without({ codes, sizes }: ExactTable, leftOut: readonly RiskRow[]): ExactTable {
  const width = sizes.length;
  const isLeftOut = (record: number) => leftOut.some((row) => row.codes.every((code, k) => code === codes[record * width + k]));
  return { sizes, codes: codes.filter((_, at) => !isLeftOut(Math.floor(at / width))) };
}

/** What an intruder knows of a row that the synthesizer never saw, when there are so many candidates. */
function expectPrior(row: RiskRow, candidates: number): void {
  expect(row).toMatchObject({
    probability: 1 / candidates,
    probabilitySe: 0,
    rank: (candidates + 1) / 2,
    rankLow: 1,
    rankHigh: candidates,
    informationBits: 0,
  });
}

describe('combinations that are left out of the fit', () => {
  const sizes = [2, 3, 4, 5];
  const all = [0, 1, 2, 3];
  const random = new RandomStream(74, 'left out/table');
  const table: ExactTable = {
    sizes,
    codes: Uint16Array.from({ length: 200 * 4 }, (_, i) => Math.floor(sizes[i % 4]! * random.uniform() ** 1.5)),
  };
  const model = { classes: 1, concentration: { value: 1 } };
  const mcmc = { chains: 40, burnIn: 0, draws: 25, thin: 1, pairedChains: 24, pairedDraws: 25, pairedThin: 1 };
  /** Of several batches one with nothing else, and the most frequent, so that the difference is large. */
  const leaveOut = [3, 1, 2, 10, 21, 3];
  const numbers = [1, 2, 3, 10, 21];

  const exactOf = (rows: readonly RiskRow[], own: ExactTable, datasets: readonly Uint16Array[]) =>
    rows.map((row) => normalized(oneClassLogLikelihoods(own, datasets, all, row.codes, oneChange(row.codes, sizes)))[0]!);

  it('have their prior for a posterior, and the others what the smaller table gives', async () => {
    const { rows, datasets, store, plan, keys } = await runExactly(table, {
      model,
      mcmc,
      synthesis: { datasets: 2, leaveOut },
      batchSize: 3,
    });
    expect(datasets.map((dataset) => dataset.length)).toEqual([800, 800]);
    const isLeftOut = (_: RiskRow, at: number) => numbers.includes(at + 1);
    const gone = rows.filter(isLeftOut);
    const others = rows.filter((row, at) => !isLeftOut(row, at));
    for (const row of gone) expectPrior(row, oneChange(row.codes, sizes).length);
    const fitted = without(table, gone);
    expect(fitted.codes.length).toBeLessThan(table.codes.length - 4 * numbers.length);
    expect(largest(standardized(others, exactOf(others, fitted, datasets)))).toBeLessThan(4);
    // The whole table would give another answer.
    expect(largest(standardized(others, exactOf(others, table, datasets)))).toBeGreaterThan(8);

    const { leftOut, attributeRisk } = await readJson(store, keys.confidential.summary, summarySchema);
    expect(leftOut).toMatchObject({ combinations: numbers, before: null });
    const { after } = leftOut!;
    expect(after.named).toMatchObject({ informationBitsMean: 0, gainBitsMean: 0, truthRankedFirstShare: 0 });
    expect(after.named.records + after.others.records).toBe(200);
    const mean = (rows: readonly RiskRow[]) =>
      rows.reduce((sum, { count, probability }) => sum + count * probability, 0) / rows.reduce((sum, { count }) => sum + count, 0);
    expect(after.others.probabilityMean).toBeCloseTo(mean(others), 12);
    expect(attributeRisk[0]!.probabilityMean).toBeCloseTo(mean(rows), 6);
    expect(Number.isFinite(attributeRisk[0]!.effectiveDrawsMin)).toBe(true);
    expect(attributeRisk[0]!.reproducibility).not.toBeNull();
    // Errors are of the records that were fitted.
    expect(attributeRisk[0]!.informationBitsMeanSe).toBeGreaterThan(0);

    const [names, ...lines] = csvRows(await store.get(keys.confidential.table('variable-risk').csv));
    const at = (name: string) => names!.indexOf(name);
    const gains = lines.map((line) => Number(line[at('count')]) * Number(line[at('gain_bits')]));
    expect(attributeRisk[0]!.gainBitsMean).toBeCloseTo(gains.reduce((sum, gain) => sum + gain, 0) / 200, 5);
    expect(new Set(lines.map(([combination]) => Number(combination)))).toEqual(
      new Set([...rows.keys()].flatMap((at) => (numbers.includes(at + 1) ? [] : [at + 1]))),
    );
    const bytes = await candidateTable(store, { runId: plan.runId, combination: 2 });
    const [header, ...candidates] = csvRows(bytes) as [string[], ...string[][]];
    expect(candidates).toHaveLength(oneChange(rows[1]!.codes, sizes).length);
    const probabilities = candidates.map((line) => Number(line[header.indexOf('probability')]));
    expect(largest(probabilities.map((value) => value - 1 / candidates.length))).toBeLessThan(1e-15);
    const truth = candidates.find((line) => line[header.indexOf('is_truth')] === 'true')!;
    expect(all.map((k) => truth[header.indexOf(`v${k}`)])).toEqual(rows[1]!.codes.map((code) => `c${code}`));

    // Neither which nor how many, nor that there are any.
    const { config, batches } = await readJson(store, keys.openPlan, openPlanSchema);
    expect(JSON.stringify(config)).not.toContain('leave');
    expect(batches).toBe(Math.ceil(rows.length / 3));
  });

  it('have the possible candidates alone where some are impossible, in every batch', async () => {
    const cells = new Set(Array.from({ length: 200 }, (_, i) => table.codes.subarray(4 * i, 4 * i + 4).join()));
    const combinations = [...cells].map((cell) => cell.split(',').map(Number));
    // Of each that is left out a cell beside it that no record has.
    const beside = numbers.flatMap((number) => {
      const own = combinations[number - 1]!;
      const others = sizes.flatMap((size, k) => Array.from({ length: size }, (_, code) => own.with(k, code)));
      return others.filter((cell) => !cells.has(cell.join())).slice(0, 1);
    });
    expect(beside.length).toBeGreaterThan(2);
    const impossible = new Set(beside.map((cell) => cell.join()));
    const { rows } = await runExactly(table, {
      model,
      mcmc: { ...mcmc, chains: 4, draws: 4, pairedChains: 2, pairedDraws: 4 },
      synthesis: { datasets: 1, leaveOut },
      zeros: beside.map((cell) => cell.map((code) => `c${code}`)),
      batchSize: 3,
    });
    for (const number of numbers) {
      const row = rows[number - 1]!;
      const candidates = oneChange(row.codes, sizes);
      const possible = candidates.filter((cell) => !impossible.has([...cell].join()));
      expectPrior(row, possible.length);
    }
  });

  it('are not told by how the table of the others is cut, and results do not depend on it', async () => {
    const run = { model, mcmc: { ...mcmc, chains: 4, pairedChains: 3 }, synthesis: { datasets: 1, leaveOut } };
    const [one, other] = await Promise.all([1, 100].map((batchSize) => runExactly(table, { ...run, batchSize })));
    const plain = ({ rows }: NonNullable<typeof one>) => rows.map(({ figure: _, ...row }) => row);
    expect(plain(one!)).toEqual(plain(other!));
    const whole = await runExactly(table, { ...run, synthesis: { datasets: 1 }, batchSize: 1 });
    expect(one!.plan.batches).toEqual(whole.plan.batches);
    expect(one!.plan.runId).not.toBe(whole.plan.runId);
  });

  it('are seen by no chain', async () => {
    const { rows, keys, store } = await runExactly(table, {
      model: { classes: 2, concentration: { value: 1 } },
      mcmc: { ...mcmc, chains: 2, pairedChains: 2 },
      synthesis: { datasets: 1, leaveOut },
    });
    for (const chain of ['base/1', 'stacked/1/1', 'alone/1/1']) {
      const { shape } = decodeNpy(await store.get(keys.classes(chain)), chain);
      // A row ends with its checksum.
      expect(shape).toEqual([rows.length - numbers.length, mcmc.draws + ROW_CHECKSUM_BYTES]);
    }
  });

  it('have their prior as well where two classes are told apart, with `augmented` and with `parameters`', async () => {
    const tiny: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[1, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]), sizes: [2, 3] };
    const space = candidateSpace('one-change', ['a', 'b'], tiny.sizes);
    const run = { model: { classes: 2, concentration: { value: 0.8 } }, mcmc: FORGETFUL_CHAINS };
    const synthesis = { datasets: 1, leaveOut: [2] };
    const { rows, datasets } = await runExactly(tiny, { ...run, synthesis });
    expectPrior(rows[1]!, space.perCombination);
    const fitted = without(tiny, [rows[1]!]);
    const others = rows.filter((_, at) => at !== 1);
    const exact = (own: ExactTable) =>
      others.map((row) => normalized(exactLogLikelihoods({ codes: own.codes, datasets, space }, recordOf(own, row), 2, 0.8))[0]!);
    expect(largest(standardized(others, exact(fitted)))).toBeLessThan(4);
    const parameters = await runExactly(tiny, { ...run, synthesis, attributeRisk: { estimator: 'parameters' } });
    expectPrior(parameters.rows[1]!, space.perCombination);
    expect(parameters.rows[0]!.informationBits).toBeGreaterThan(0);
  });
});
