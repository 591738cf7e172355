import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { candidateTable } from '../../../shared/pipeline/tables/candidate-table.ts';
import { rank } from '../../../shared/risk/attribute/posterior.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, runFigures, smallConfig, smallTable } from '../small-run.ts';

type Row = Record<string, string>;
const rowsOf = (bytes: Uint8Array): Row[] => parse(Buffer.from(bytes), { columns: true });

const table = smallTable({ seed: 8 });
const variables = csvRows(table)[0]!;
const valuesOf = (row: Row) => variables.map((name) => row[name]!);

describe.each([
  ['one-change', 1, { candidates: 'one-change' }],
  ['two-changes', 2, { candidates: 'two-changes', slope: 0.7 }],
  ['unknown variables', 2, { candidates: { unknown: ['region', 'employment'] } }],
  ['the estimator importance', 1, { estimator: 'importance' }],
])('candidateTable() under %s', async (_, most, attributeRisk) => {
  const config = smallConfig({ attributeRisk });
  const { keys, plan, store } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table });
  const { runId } = plan;
  const risk = rowsOf(await store.get(keys.confidential.table('attribute-risk').csv));
  const combinations = [1, 2, risk.length];
  const tables = await Promise.all(combinations.map(async (combination) => rowsOf(await candidateTable(store, { runId, combination }))));

  it('gives the truth and the first guess the figures of the risk table', () => {
    for (const [i, candidates] of tables.entries()) {
      const row = risk[combinations[i]! - 1]!;
      const truth = candidates.filter(({ is_truth }) => is_truth === 'true');
      expect(truth).toHaveLength(1);
      const { is_truth: _truth, ...figures } = truth[0]!;
      expect(row).toMatchObject(figures);
      expect(candidates[0]!.probability).toBe(row.first_guess_probability);
    }
  });

  it('has every candidate once, no two of the same values, with probabilities that add up to 1', () => {
    for (const candidates of tables) {
      expect(candidates).toHaveLength(plan.candidatesPerCombination);
      expect(new Set(candidates.map((row) => JSON.stringify(valuesOf(row)))).size).toBe(candidates.length);
      const sum = candidates.reduce((total, { probability }) => total + Number(probability), 0);
      expect(sum).toBeCloseTo(1, 12);
    }
  });

  it('ranks by probability', () => {
    for (const candidates of tables) {
      const probabilities = Float64Array.from(candidates, ({ probability }) => Number(probability));
      expect([...probabilities]).toEqual([...probabilities].sort((a, b) => b - a));
      for (const [i, row] of candidates.entries()) {
        expect(Number(row.rank)).toBe(rank(probabilities, 0, probabilities.length, i));
      }
    }
  });

  it('has values that differ from the truth in as many variables as the candidates do', () => {
    for (const candidates of tables) {
      const truth = valuesOf(candidates.find(({ is_truth }) => is_truth === 'true')!);
      for (const row of candidates) {
        const changed = valuesOf(row).filter((value, k) => value !== truth[k]).length;
        expect(changed).toBeLessThanOrEqual(most);
        expect(changed === 0).toBe(row.is_truth === 'true');
      }
    }
  });
});

describe('candidateTable()', () => {
  it('takes the chains of the last round', async () => {
    const mcmc = { reproducibility: 0.999, maxChains: 12 };
    const config = smallConfig({ mcmc });
    const { keys, plan, store } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    expect(await store.head(keys.round(2))).not.toBeNull();
    const [row] = rowsOf(await store.get(keys.confidential.table('attribute-risk').csv));
    const candidates = rowsOf(await candidateTable(store, { runId: plan.runId, combination: 1 }));
    expect(candidates.find(({ is_truth }) => is_truth === 'true')!.probability).toBe(row!.probability);
  });

  it('refuses a run that has assessed nothing, a combination that is none, and all cells', async () => {
    const store = new MemoryStore();
    const stored = async (attributeRisk: object) => {
      const config = smallConfig({ attributeRisk });
      return storePlannedRun(store, await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table }));
    };
    const { runId, table: figures } = await stored({});
    expect(await store.head(runKeys(runId).plan)).not.toBeNull();
    const refusal = (combination: number, of = runId) => candidateTable(store, { runId: of, combination });
    await expect(refusal(1)).rejects.toMatchObject({ name: 'ArtifactError', code: 'not-assessed' });
    await expect(refusal(figures.combinations + 1)).rejects.toMatchObject({ code: 'no-such-combination' });
    const allCells = await stored({ candidates: 'all-cells' });
    await expect(refusal(1, allCells.runId)).rejects.toMatchObject({ name: 'UnsupportedOptionError', code: 'all-cells-record' });
  });
});
