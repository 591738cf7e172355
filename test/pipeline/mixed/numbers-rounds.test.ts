import { describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readHalves } from '../../../shared/artifacts/stored-part.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { openScenarios } from '../../../shared/contracts/run/scenarios.ts';
import { withStarterRules } from '../../../shared/contracts/settings/starter-rules.ts';
import { HALF_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, MIXED_SETTINGS, mixedTable, runInMemory } from '../small-run.ts';

describe('numbers alone, with a reproducibility that is asked for', () => {
  it('have chains added until the probability near the true values is reproducible, and meet the starter rule', async () => {
    const asked = configSchema.parse({
      ...MIXED_SETTINGS,
      mcmc: { ...MIXED_SETTINGS.mcmc, draws: 20, pairedDraws: 20, reproducibility: 0.96 },
      synthesis: { datasets: 1, synthesized: ['income'] },
      utility: 'off',
    });
    const config = withStarterRules(asked);
    const { store, keys, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    const { rounds, attributeRisk } = summary;
    const reached = rounds.map(({ reproducibility }) => reproducibility!);
    expect(rounds.length).toBeGreaterThan(1);
    expect(rounds.at(-1)).toMatchObject({ of: 'rank', target: 0.96, outcome: 'reached' });
    expect(reached[0]).toBeLessThan(0.96);
    expect(attributeRisk[0]!.reproducibility).toBe(reached.at(-1));
    expect(attributeRisk[0]!.rankReproducibility).toBeNull();
    expect(summary.acceptance.find(({ rule }) => rule.includes('reproducibility'))).toMatchObject({ met: true });

    // Of one variable the halves are of its probability near the true value: around that of all chains, nearer than chance.
    const halves = await readHalves(store, openScenarios(plan)[0]!, rounds.length, 'halfRanks');
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('continuous-risk').csv)) as [string[], ...string[][]];
    const errors = rows.map((row) => {
      const record = Number(row[header.indexOf('record')]) - 1;
      const own = halves.subarray(record * 2 * HALF_SPLITS, (record + 1) * 2 * HALF_SPLITS);
      const mean = own.reduce((sum, one) => sum + one, 0) / own.length;
      return Math.abs(mean - Number(row[header.indexOf('within_after')]));
    });
    expect(Math.max(...errors)).toBeLessThan(0.06);
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.01);
  });
});
