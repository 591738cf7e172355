import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { replicateRunId } from '../../../shared/contracts/keys.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { firstRound, hasAttributeRisk } from '../../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../../shared/pipeline/synthesizers/round-tasks.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, mixedTable, smallConfig, smallTable, TREE_SETTINGS } from '../small-run.ts';

/** The tasks of a run's first round, each phase as texts without the run's id. */
async function tasksOf(request: Partial<RunRequest> & Pick<RunRequest, 'config'>) {
  const table = request.config.model.name === 'cart' ? mixedTable() : smallTable();
  const { plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', table, batchSize: 1000, ...request });
  const { runId } = plan;
  const tasks = roundTasks(plan, firstRound(plan));
  const texts = Object.entries(tasks).map(([phase, all]): [string, string[]] => [
    phase,
    all.map(({ step, runId: of, ...where }) =>
      [...(of === runId ? [] : [of.replace(runId, 'run')]), step, ...Object.values(where)].join(' '),
    ),
  ]);
  return { plan, phases: Object.fromEntries(texts) };
}

const none = { fit: [], synthesize: [], augment: [], assess: [] };
const chained = { fit: ['fit 1', 'fit 2', 'fit 3'], augment: ['pair 1 1', 'pair 1 2', 'pair 2 1', 'pair 2 2'] };
const trees = (settings: object) => configSchema.parse(settings);

describe('the tasks of a first round', () => {
  it('are chains of each dataset, or one for all, and what the estimator needs beside the base chains', async () => {
    const { phases } = await tasksOf({ config: smallConfig() });
    expect(phases).toEqual({ ...chained, synthesize: ['synthesize 1', 'synthesize 2'], assess: ['assess 1 1'] });
    const one = await tasksOf({ config: smallConfig({ synthesis: { chains: 'one' } }) });
    expect(one.phases).toEqual({ ...phases, synthesize: ['synthesize 1'] });
    const importance = await tasksOf({ config: smallConfig({ attributeRisk: { estimator: 'importance' } }) });
    expect(importance.phases).toEqual({ ...phases, augment: ['weigh 1', 'weigh 2', 'weigh 3'] });
  });

  it('of datasets that are given make none, and of datasets alone make nothing else', async () => {
    const datasets = { origin: 'elsewhere' as const, files: [40, 30].map((records) => smallTable({ records })) };
    const given = await tasksOf({ config: smallConfig(), purpose: 'assess', datasets });
    expect(given.phases).toEqual({ ...chained, synthesize: [], assess: ['assess 1 1'] });
    const alone = await tasksOf({ config: smallConfig(), purpose: 'synthesize' });
    expect(alone.phases).toEqual({ ...none, synthesize: ['synthesize 1', 'synthesize 2'] });
  });

  it('by trees are a tree a variable, unless each dataset has trees of its own, and then the datasets', async () => {
    const grown = { fit: ['grow 1', 'grow 2'], synthesize: ['drop 1', 'drop 2'], augment: [] };
    const categories = await tasksOf({ config: trees(CATEGORY_TREE_SETTINGS) });
    expect(categories.phases).toEqual({ ...grown, assess: ['assess 1 1'] });
    expect(hasAttributeRisk(categories.plan)).toBe(true);
    // Of a continuous variable without candidates nothing is guessed.
    const continuous = await tasksOf({ config: trees(TREE_SETTINGS) });
    expect(continuous.phases).toEqual({ ...grown, assess: [] });
    expect(hasAttributeRisk(continuous.plan)).toBe(false);
    const proper = await tasksOf({ config: trees({ ...TREE_SETTINGS, model: { name: 'cart', proper: true } }) });
    expect(proper.phases).toEqual({ ...grown, fit: [], assess: [] });
    const given = await tasksOf({
      config: trees(CATEGORY_TREE_SETTINGS),
      purpose: 'assess',
      datasets: { origin: 'elsewhere', files: [mixedTable()] },
    });
    // The table itself is no release, and nothing of it is assessed.
    expect(given.phases).toEqual(none);
  });

  it('by counts are the datasets, and no chains', async () => {
    const { phases, plan } = await tasksOf({ config: configSchema.parse(COUNT_SETTINGS) });
    expect(phases).toEqual({ ...none, synthesize: ['draw 1', 'draw 2'], assess: ['assess 1 1'] });
    expect(firstRound(plan)).toEqual({ round: 1, chains: 0, pairedChains: 0 });
    const alone = await tasksOf({ config: configSchema.parse(COUNT_SETTINGS), purpose: 'synthesize' });
    expect(alone.phases).toEqual({ ...none, synthesize: ['draw 1', 'draw 2'] });
  });

  it('of a calibration are those of its replicates, which score targets', async () => {
    const config = smallConfig({ calibration: { targets: 12, replicates: 2 } });
    const { phases } = await tasksOf({ config, purpose: 'calibrate' });
    const ofEach = (texts: readonly string[]) =>
      [1, 2].flatMap((replicate) => texts.map((text) => `${replicateRunId('run', replicate)} ${text}`));
    expect(phases).toEqual({
      fit: ofEach(chained.fit),
      synthesize: ofEach(['synthesize 1', 'synthesize 2']),
      augment: ofEach(chained.augment),
      assess: ofEach(['score 1']),
    });
  });
});
