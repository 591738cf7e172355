import { describe, expect, it } from 'vitest';
import { readDatasetSource } from '../../../../shared/artifacts/stored-dataset.ts';
import { readJson } from '../../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable } from '../../../../shared/artifacts/stored-table.ts';
import { configSchema } from '../../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../../shared/contracts/results/summary.ts';
import { sha256 } from '../../../../shared/contracts/sha256.ts';
import { cartSettings, synthesizeByCart } from '../../../../shared/model/cart/synthesis.ts';
import { planRun } from '../../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../../shared/pipeline/plan/planned-run.ts';
import { KeyedStreams } from '../../../../shared/random/streams.ts';
import { createTreeRisk } from '../../../../shared/risk/trees/tree-risk.ts';
import { TEST_KEYS, testKey } from '../../../test-keys.ts';
import { hashesBelow, mixedTable, runInMemory, TREE_SETTINGS } from '../../small-run.ts';

const request = (settings: object = {}): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: configSchema.parse({ ...TREE_SETTINGS, model: { name: 'cart', proper: true }, utility: 'off', ...settings }),
  table: mixedTable({ records: 40 }),
});

describe('a run by trees on bootstrap samples', () => {
  it('draws samples and datasets from the released stream of each dataset, and keeps no trees', async () => {
    const run = await runInMemory(request());
    const table = await readRecordTable(run.store, run.plan);
    const settings = cartSettings(run.plan.config, table.schema)!;
    const streams = new KeyedStreams(testKey(2), 1);
    for (const l of [1, 2]) {
      const { columns } = await readRecordDataset(run.store, run.plan, l, table);
      const expected = synthesizeByCart(table, settings, streams.openReleased(`dataset/${l}`));
      expect(columns.slice(3)).toEqual(expected);
      expect(await readDatasetSource(run.store, run.plan.runId, l)).toEqual({
        ...{ origin: 'synthesized', records: 40 },
        ...{ chain: null, draw: null, iteration: null },
        released: await sha256(await run.store.get(run.keys.release.dataset(l))),
      });
    }
    expect(settings.proper).toBe(true);
    expect((await run.store.list(run.keys.root)).filter((key) => key.includes('/trees/'))).toEqual([]);
    const again = await runInMemory(request(), { inOrder: (tasks) => [...tasks.toReversed(), ...tasks] });
    expect(await hashesBelow(again.store, again.plan, 'release/', 'confidential/')).toEqual(
      await hashesBelow(run.store, run.plan, 'release/', 'confidential/'),
    );
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.attributeRisk).toEqual([]);
    expect(summary.attributeRiskReason).toMatch(/bootstrap samples/);
    expect(summary.uniqueValues).toMatchObject([{ variable: 'income', expected: null }]);
    expect(summary.uniqueValues![0]!.released).toBeGreaterThan(0);
    expect(summary.uniqueValues![0]!.released).toBeLessThan(summary.uniqueValues![0]!.values);
    expect(summary.identificationRisk).toHaveLength(1);
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain('bootstrap samples');
    expect(() => createTreeRisk({ table, settings, datasets: [] }, { exact: true, priorRecords: 1 })).toThrow(
      expect.objectContaining({ code: 'proper-trees' }),
    );
  });

  it('is refused where attribute risk is asked for', async () => {
    const unknown = { attributeRisk: { candidates: { unknown: ['employment'] } } };
    const banded = { variables: { ...TREE_SETTINGS.variables, income: { candidates: { grid: [0, 9000] } } } };
    for (const settings of [unknown, banded]) {
      await expect(planRun(request(settings))).rejects.toMatchObject({ name: 'UnsupportedOptionError', code: 'proper-trees' });
    }
  });
});
