import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { copyEarlier, planReassessment } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { missingAssessTasks } from '../../shared/pipeline/tasks/stored-tasks.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../test-keys.ts';
import {
  COUNT_SETTINGS,
  csvRows,
  MIXED_SETTINGS,
  mixedTable,
  runFigures,
  runPlanned,
  smallConfig,
  smallTable,
  TREE_SETTINGS,
} from './small-run.ts';

const table = smallTable({ records: 50 });
const [names] = csvRows(table) as [string[]];

const two = { candidates: 'two-changes' };
const several = {
  scenarios: [
    { name: 'one', candidates: 'one-change' },
    { name: 'two', candidates: { unknown: [names[1]!, names[3]!] } },
  ],
};

const evaluated = (sections: Parameters<typeof smallConfig>[0]) =>
  runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(sections), table });

/** A run under other scenarios, in a store of its own; with a size of batches what it has assessed is assessed again. */
async function reassessed(run: Awaited<ReturnType<typeof evaluated>>, config: Config, batchSize?: number) {
  const store = new MemoryStore();
  const planned = await planReassessment(run, config, { ...TEST_KEYS, ...(batchSize && { batchSize }) });
  const { runId } = planned.plan;
  await copyEarlier(run, store, planned.plan);
  const before = await store.list(runKeys(runId).allDraws);
  const plan = await runPlanned(store, planned);
  expect(await store.list(runKeys(runId).allDraws)).toEqual(before);
  return { store, plan, keys: runKeys(runId) };
}

const risksOf = async ({ store, keys }: Awaited<ReturnType<typeof evaluated>>) => ({
  summary: (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk,
  rows: csvRows(await store.get(keys.confidential.table('attribute-risk').csv)),
  values: csvRows(await store.get(keys.confidential.table('variable-risk').csv)),
});

describe('a reassessment', () => {
  it.each([
    ['two changes', two],
    ['several scenarios', several],
  ])('has the figures, to the last digit, of an evaluation that asked for them at once: %s', async (_, risk) => {
    const run = await reassessed(await evaluated({}), smallConfig({ attributeRisk: risk }));
    expect(await risksOf(run)).toEqual(await risksOf(await evaluated({ attributeRisk: risk })));
  });

  it.each([['income'], ['employment', 'income']])(
    'has the figures of the run itself where numbers are synthesized: %s',
    async (...synthesized) => {
      const config = configSchema.parse({ ...MIXED_SETTINGS, synthesis: { datasets: 2, synthesized } });
      const first = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
      const run = await reassessed(first, { ...config, acceptance: ['attributeRisk.gainBitsMean <= 9'] }, 17);
      const found = async ({ store, keys }: typeof first) => ({
        risk: (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk,
        rows: csvRows(await store.get(keys.confidential.table('continuous-risk').csv)),
      });
      expect(await found(run)).toEqual(await found(first));
      const { acceptance } = await readJson(run.store, run.keys.confidential.summary, summarySchema);
      expect(acceptance).toMatchObject([{ met: true }]);
    },
  );

  it('goes on with the chains that rounds have added', async () => {
    const mcmc = { reproducibility: { of: 'rank', target: 0.99 }, maxChains: 9 };
    const first = await evaluated({ mcmc });
    const { rounds } = await readJson(first.store, first.keys.confidential.summary, summarySchema);
    expect(rounds.length).toBeGreaterThan(1);
    const run = await reassessed(first, smallConfig({ attributeRisk: {}, mcmc }), 17);
    expect(await risksOf(run)).toEqual(await risksOf(first));
  });

  it('assesses no batch again of a scenario that the run has, unless a size of batches is asked for', async () => {
    const first = await evaluated({});
    const config = smallConfig({ attributeRisk: { scenarios: [{ name: 'another name' }, { name: 'two', ...two }] } });
    const leftToDo = async (batchSize?: number) => {
      const store = new MemoryStore();
      const planned = await planReassessment(first, config, { ...TEST_KEYS, ...(batchSize && { batchSize }) });
      await copyEarlier(first, store, planned.plan);
      const plan = await storePlannedRun(store, planned);
      const tasks = await missingAssessTasks(store, { runId: plan.runId, round: 1 });
      return tasks.map((task) => (task.step === 'assess' ? plan.batches[task.batch - 1]!.scenario : 0));
    };
    expect(new Set(await leftToDo())).toEqual(new Set([2]));
    expect(new Set(await leftToDo(7))).toEqual(new Set([1, 2]));
    const run = await reassessed(first, config);
    expect((await risksOf(run)).summary[0]).toEqual({ ...(await risksOf(first)).summary[0], scenario: 'another name' });
    const measured = (keys: typeof run.keys) => keys.confidential.measuredUtility;
    expect(await run.store.get(measured(run.keys))).toEqual(await first.store.get(measured(first.keys)));
  });

  it('is another run, with the release of the first', async () => {
    const first = await evaluated({});
    const run = await reassessed(first, smallConfig({ attributeRisk: two }));
    expect(run.plan.runId).not.toBe(first.plan.runId);
    expect(await run.store.get(run.keys.release.dataset(1))).toEqual(await first.store.get(first.keys.release.dataset(1)));
  });

  it('is refused with another estimator, without the allocations that it needs, and of what assessed nothing', async () => {
    const first = await evaluated({ attributeRisk: { phi: 'drawn' } });
    await expect(planReassessment(first, smallConfig({ attributeRisk: two }), TEST_KEYS)).rejects.toMatchObject({ code: 'no-allocations' });
    const parameters = smallConfig({ attributeRisk: { estimator: 'parameters' } });
    await expect(planReassessment(first, parameters, TEST_KEYS)).rejects.toMatchObject({ code: 'other-estimator' });
    const counts = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(COUNT_SETTINGS), table });
    await expect(planReassessment(counts, smallConfig({}), TEST_KEYS)).rejects.toThrow(/risk is exact/);
    const trees = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(TREE_SETTINGS), table: mixedTable() });
    await expect(planReassessment(trees, smallConfig({}), TEST_KEYS)).rejects.toThrow(/no attribute risk/);
    const synthesized = { plan: { ...first.plan, purpose: 'synthesize' as const }, store: first.store };
    await expect(planReassessment(synthesized, smallConfig({}), TEST_KEYS)).rejects.toMatchObject({ code: 'nothing-to-reassess' });
  });
});
