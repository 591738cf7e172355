import { describe, expect, it } from 'vitest';
import { runKeys } from '../../shared/contracts/keys.ts';
import { openPlanOf } from '../../shared/contracts/run/plan.ts';
import { openScenario } from '../../shared/contracts/run/scenarios.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { COUNT_SETTINGS, csvRows, runFigures, smallConfig } from './small-run.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const TABLE = utf8(
  `age,status,work\n${['adult,married,full', 'adult,single,part', 'adult,married,full', 'child,single,none', 'adult,widowed,none', 'child,single,none', 'adult,married,part', 'adult,single,full'].join('\n')}\n`,
);
const WEIGHTS = utf8('status,weight\nmarried,2\nsingle,1\nwidowed,0.25\n');
const JOINT = utf8('work,age,weight\nfull,adult,1e3\npart,adult,40\nnone,adult,7\nnone,child,2\npart,child,0\n');

const candidates = { unknown: ['status', 'work'] };

function request(prior: unknown, files?: readonly Uint8Array[], more: object = {}): RunRequest {
  return {
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({ attributeRisk: { candidates, prior, ...more } }),
    table: TABLE,
    ...(files ? { priorFiles: files } : {}),
  };
}

const file = { file: ['weights.csv', 'joint.csv'] };

describe('a run with a prior from files', () => {
  it('keeps their digests in its confidential plan alone, and has an id of its own', async () => {
    const { plan } = await planRun(request(file, [WEIGHTS, JOINT]));
    const digests = [await sha256(WEIGHTS), await sha256(JOINT)];
    expect(openScenario(plan, 1).prior).toEqual({ file: digests });
    const open = JSON.stringify(openPlanOf(plan));
    expect(open).toContain('"prior":"file"');
    for (const secret of [...digests, 'weights.csv', 'acceptanceRegion']) expect(open).not.toContain(secret);
    const elsewhere = { file: ['/other/weights.csv', '/other/joint.csv'] };
    expect((await planRun(request(elsewhere, [WEIGHTS, JOINT]))).plan.runId).toBe(plan.runId);
    expect((await planRun(request(file, [JOINT, WEIGHTS]))).plan.runId).not.toBe(plan.runId);
    expect((await planRun(request('model'))).plan.runId).not.toBe(plan.runId);
  });

  it('gives candidates without weight the probability zero, and its candidate table that of the risk table', async () => {
    const { store, plan, keys } = await runFigures(request(file, [WEIGHTS, JOINT]));
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    const at = (name: string) => header!.indexOf(name);
    const child = rows.findIndex((row) => row[at('age')] === 'child');
    const table = csvRows(await candidateTable(store, { runId: plan.runId, combination: child + 1 }));
    const column = (name: string) => table[0]!.indexOf(name);
    const lines = table.slice(1);
    const truth = lines.find((line) => line[column('is_truth')] === 'true')!;
    expect(truth[column('probability')]).toBe(rows[child]![at('probability')]);
    expect(truth[column('rank')]).toBe(rows[child]![at('rank')]);
    for (const line of lines) {
      const isPossible = line[column('work')] === 'none';
      expect(Number(line[column('probability')]) > 0).toBe(isPossible);
    }
    // Of a child, work is none, and the weights of status are 2, 1 and 1/4.
    expect(Number(rows[child]![at('prior_probability')])).toBeCloseTo(1 / 3.25, 12);
    const summary = JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary)));
    expect(summary.attributeRisk[0]).toMatchObject({ prior: 'file', acceptanceRegion: null });
    const open = await store.get(runKeys(plan.runId).openPlan);
    expect(new TextDecoder().decode(open)).not.toContain('weights.csv');
  });

  it.each([
    ['a negative weight', 'status,weight\nmarried,2\nsingle,-1\nwidowed,1\n', 'negative-weight'],
    ['a weight that is no number', 'status,weight\nmarried,2\nsingle,Infinity\n', 'malformed-weight'],
    ['weights that are all zero', 'status,weight\nmarried,0\nsingle,0\nwidowed,0\n', 'no-weight'],
    ['no rows', 'status,weight\n', 'no-weight'],
    ['a record of no weight', 'status,weight\nmarried,1\nsingle,1\nwidowed,0\n', 'prior-excludes-records'],
    ['a record that is not named', 'status,weight\nmarried,1\nsingle,1\n', 'prior-excludes-records'],
    ['an unknown category', 'status,weight\nmarried,1\nsolo,1\n', 'value-outside-categories'],
    ['an unknown variable', 'income,weight\nlow,1\n', 'unknown-variable'],
    ['no weights', 'status,share\nmarried,1\n', 'no-weight-column'],
    ['no variable', 'weight\n1\n', 'no-variable'],
    ['a cell twice', 'status,weight\nmarried,1\nmarried,2\nsingle,1\n', 'repeated-cell'],
  ])('is refused for %s', async (_, text, code) => {
    const own = request({ file: 'prior.csv' }, [utf8(text)]);
    const refusal = await planRun(own).catch((error) => error);
    expect(refusal).toMatchObject({ name: 'InvalidTableError', code, exitCode: 2 });
    expect(refusal.message).not.toMatch(/solo|income|low/);
  });

  it('is refused where its files are not there to be read, and in a calibration', async () => {
    await expect(planRun(request(file))).rejects.toMatchObject({ code: 'prior-unread', exitCode: 2 });
    const calibration = { ...request('model'), purpose: 'calibrate' as const };
    await expect(planRun(calibration)).rejects.toMatchObject({ code: 'uncalibrated-prior', exitCode: 2 });
  });
});

describe('settings of a prior', () => {
  const scenarioOf = (settings: Settings) => completeConfig(settings).attributeRisk.scenarios.at(0)!;

  it.each(['one-change', 'two-changes'])('are refused with the candidates %s', (kind) => {
    for (const prior of ['empirical', 'model', { file: 'prior.csv' }]) {
      const settings = { attributeRisk: { candidates: kind, prior } };
      expect(() => completeConfig(settings)).toThrow(expect.objectContaining({ code: 'prior-of-changes', exitCode: 2 }));
    }
    expect(scenarioOf({ attributeRisk: { candidates: kind } }).prior).toBe('uniform');
  });

  it('are taken with all cells, but not under a model of counts, whose empty cells are not walked', () => {
    for (const prior of ['empirical', 'model', { file: 'prior.csv' }]) {
      const settings = { attributeRisk: { candidates: 'all-cells', prior } };
      expect(scenarioOf(settings).prior).toEqual(prior);
      expect(() => completeConfig({ ...COUNT_SETTINGS, ...settings })).toThrow(
        expect.objectContaining({ code: 'prior-of-exact-cells', exitCode: 2 }),
      );
    }
  });

  it('may be left to synthesized variables, all of whose values are candidates', () => {
    const settings = { synthesis: { synthesized: ['work'] }, attributeRisk: { prior: 'model' } };
    expect(scenarioOf(settings).candidates).toEqual({ unknown: ['work'] });
  });
});

describe('a run with an acceptance region', () => {
  it('counts the records that break each rule, and says whether it is met', async () => {
    const rules = ['RR <= 1e6', 'R <= 0.3 or RR <= 1.01'];
    const { store, keys } = await runFigures(request('uniform', undefined, { acceptanceRegion: rules }));
    const summary = JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary)));
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    const column = (name: string) => rows.map((row) => Number(row[header!.indexOf(name)]));
    // R is above 0.3 and RR above 1.01 for some weight when w = 0.3 / (0.3 + 0.7 B) is below (1 - 1.01 / B) / 1.01 / (1 - 1 / B).
    const counts = column('count');
    const breaks = column('bayes_factor').map((factor) => {
      const weights = Array.from({ length: 9999 }, (_, i) => (i + 1) / 10_000);
      return weights.some((w) => {
        const relative = factor / (1 - w + w * factor);
        return w * relative > 0.3 && relative > 1.01;
      });
    });
    const broken = counts.reduce((sum, count, row) => sum + (breaks[row] ? count : 0), 0);
    const { acceptanceRegion } = summary.attributeRisk[0];
    expect(acceptanceRegion.brokenShare).toBeCloseTo(broken / 8, 12);
    expect(broken).toBeGreaterThan(0);
    expect(summary.acceptance).toEqual([
      { rule: rules[0], scenario: 'unknown: status, work', value: 0, met: true },
      { rule: rules[1], scenario: 'unknown: status, work', value: acceptanceRegion.brokenShare, met: false },
    ]);
    const largest = column('bayes_factor').indexOf(Math.max(...column('bayes_factor')));
    expect(acceptanceRegion.worst[0].row).toBe(largest + 1);
  });

  it('of partially synthetic data has a row a record', async () => {
    const own = {
      ...TEST_KEYS,
      purpose: 'evaluate' as const,
      config: smallConfig({ synthesis: { synthesized: ['work'] }, attributeRisk: { prior: 'empirical' } }),
      table: TABLE,
    };
    const { store, keys } = await runFigures(own);
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    expect(rows).toHaveLength(8);
    // Of the adults who are married the others have work full and part, and a third of a record for each value.
    const first = Number(rows[0]![header!.indexOf('prior_probability')]);
    expect(first).toBeCloseTo((1 + 1 / 3) / 3, 12);
  });
});
