import { describe, expect, it, vi } from 'vitest';
import { readDatasetSource } from '../../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { VERSION } from '../../../shared/contracts/version.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { aggregateRun } from '../../../shared/pipeline/results/aggregate-run.ts';
import { reportRun } from '../../../shared/pipeline/results/report-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, hashesBelow, runFigures, smallConfig, smallTable } from '../small-run.ts';

async function summaryOf(request: Partial<RunRequest> & Pick<RunRequest, 'config'>) {
  const run = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', table: smallTable(), ...request });
  const draws = (name: string) => readDraws(run.store, run.plan.runId, name);
  return { ...run, draws, summary: await readJson(run.store, run.keys.confidential.summary, summarySchema) };
}

const RULES = ['attributeRisk.records >= 60', 'attributeRisk.records > 60'];

describe('a summary', () => {
  it('says what was run, over which candidates, and which rules are met', async () => {
    const { summary, plan, draws } = await summaryOf({
      config: smallConfig({ seed: 5, acceptance: RULES, mcmc: { chains: 5 }, attributeRisk: { slope: 0.5 } }),
    });
    expect(summary).toMatchObject({ version: VERSION, runId: plan.runId, seed: 5 });
    const occupied = await Promise.all([1, 2, 3, 4, 5].map((chain) => draws(`base/${chain}`)));
    expect(summary.model).toEqual({
      name: 'dpmpm',
      classes: 6,
      chains: 5,
      drawsKept: 20,
      occupiedClassesMax: Math.max(...occupied.flatMap(({ occupiedClasses }) => [...occupiedClasses])),
    });
    const { sha256: _, ...table } = plan.table;
    expect(summary.table).toEqual(table);
    expect(summary.acceptance.map(({ rule, met }) => [rule, met])).toEqual([
      [RULES[0], true],
      [RULES[1], false],
    ]);
    expect(summary.attributeRisk[0]).toMatchObject({
      scenario: 'one-change',
      candidates: 'one-change',
      candidatesPerCombinationMax: plan.candidatesPerCombination,
      estimator: 'augmented',
      slope: 0.5,
      records: 60,
    });
    expect(summary.attributeRiskReason).toBeUndefined();
  });

  it.each(['own', 'one'] as const)(
    'of datasets alone says how many classes their draws occupied, with %s synthesis chains, and judges nothing',
    async (chains) => {
      // So that not every draw occupies as many.
      const config = smallConfig({ model: { classes: 30 }, synthesis: { chains, datasets: 4 }, acceptance: RULES });
      const { summary, store, plan, draws } = await summaryOf({ purpose: 'synthesize', config });
      const occupied = await Promise.all(
        [1, 2, 3, 4].map(async (l) => {
          const { chain, draw } = await readDatasetSource(store, plan.runId, l);
          return (await draws(chain!)).occupiedClasses[draw!]!;
        }),
      );
      expect(new Set(occupied).size).toBeGreaterThan(1);
      expect(summary.model.occupiedClassesMax).toBe(Math.max(...occupied));
      expect(summary).toMatchObject({
        synthesis: { datasets: 4, chains },
        attributeRisk: [],
        attributeRiskReason: 'Datasets alone were asked for.',
        rounds: [],
        acceptance: [],
      });
    },
  );

  it('tells the most candidates that a record has where they differ', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `${i % 3 ? 'a' : 'b'},${['x', 'y', ''][i % 3]},${i % 5}`);
    const { summary, plan } = await summaryOf({
      table: new TextEncoder().encode(`A,B,C\n${lines.join('\n')}\n`),
      config: smallConfig({ synthesis: { missing: 'impute' } }),
    });
    // Some records lack B, and have no candidate that changes it; no other has fewer.
    expect(plan.candidatesPerCombination).toBe(1 + 1 + 1 + 4);
    expect(summary.attributeRisk[0]!.candidatesPerCombinationMax).toBe(7);
    expect(summary.attributeRisk[0]!.rankHistogram).toHaveLength(7);
  });
});

describe('the share that is done', () => {
  const SCENARIOS = [
    { name: 'one', candidates: 'one-change' },
    { name: 'two', candidates: { unknown: ['age_group', 'region'] } },
  ];

  it.each([
    ['of several intruders', smallConfig({ attributeRisk: { scenarios: SCENARIOS } })],
    ['of all cells', smallConfig({ attributeRisk: { candidates: 'all-cells' } })],
    ['of kept variables', smallConfig({ synthesis: { synthesized: ['age_group'] } })],
    ['of a model of counts', smallConfig(COUNT_SETTINGS)],
  ] as const)('%s grows to the whole, and that of the report towards it', async (_, config) => {
    const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable(), batchSize: 20 });
    const shares: number[] = [];
    await aggregateRun(store, plan, (share) => shares.push(share));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.length).toBeGreaterThan(plan.batches.length);
    expect(shares.at(-1)).toBeCloseTo(1, 9);
    expect(shares.filter((share) => share === 1).length).toBeLessThan(2);
    const ofReport: number[] = [];
    await reportRun(store, plan, (share) => ofReport.push(share));
    expect(ofReport).toEqual(ofReport.toSorted((a, b) => a - b));
    expect(ofReport).toHaveLength(1 + plan.batches.findLast(({ scenario }) => scenario === 1)!.to);
    expect(ofReport.at(-1)).toBeLessThan(1);
  });

  it('is not told where there is no attribute risk', async () => {
    const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'synthesize', config: smallConfig(), table: smallTable() });
    const shares: number[] = [];
    await aggregateRun(store, plan, (share) => shares.push(share));
    expect(shares).toEqual([]);
  });
});

describe('results that decayed between the batches and the end', () => {
  it('are written again from what the batches left, utility among them, which is not measured again', async () => {
    const { store, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({}), table: smallTable() });
    const written = await hashesBelow(store, plan, 'confidential/');
    const { confidential } = runKeys(plan.runId);
    const measured = confidential.measuredUtility;
    const { csv, parquet } = confidential.table('utility');
    for (const key of [csv, parquet, confidential.utility]) await store.put(key, new TextEncoder().encode('decayed'));
    const part = await store.get(measured);
    await aggregateRun(store, plan);
    expect(await hashesBelow(store, plan, 'confidential/')).toEqual(written);
    await store.put(measured, part.with(part.indexOf(53), 54));
    await expect(aggregateRun(store, plan)).rejects.toMatchObject({ code: 'checksum-differs' });
  });
});

describe('the values of a run', () => {
  it('are read once for their table and for what the summary says of them, of each scenario', async () => {
    const scenarios = [{ name: 'all' }, { name: 'cells', candidates: 'all-cells' }, { name: 'less', knows: 'nothing' }];
    const { store, plan, keys } = await runFigures({
      ...TEST_KEYS,
      purpose: 'evaluate',
      table: smallTable({ records: 30 }),
      config: smallConfig({ utility: 'off', attributeRisk: { scenarios } }),
    });
    const read = vi.spyOn(store, 'get');
    await aggregateRun(store, plan);
    const values = read.mock.calls.map(([key]) => key).filter((key) => key.endsWith('/values.npy'));
    expect(values.length).toBeGreaterThan(0);
    expect(new Set(values).size).toBe(values.length);
    expect(values.every((key) => key.startsWith(keys.parts))).toBe(true);
  });
});
