import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCheckedJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { copyEarlier, refuseUnassessedRun } from '../../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

let plan: Plan;

beforeAll(async () => {
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config: smallConfig(), table: smallTable() };
  ({ plan } = await planRun(request));
});

describe('copyEarlier()', () => {
  const runId = 'ffffffffffffffff';
  const bytes = (text: string) => new TextEncoder().encode(text);
  const withStarter = (own: Plan): Plan => ({ ...own, runId, config: { ...own.config, acceptance: ['attributeRisk.gainBitsMean <= 1'] } });

  /** What a run with some files of its own leaves in the folder of its reassessment, which has the release's before. */
  async function copied(files: readonly string[], anew: Plan, earlier = plan, isNew = true) {
    const store = new MemoryStore();
    const to = new MemoryStore();
    const { root, round } = runKeys(earlier.runId);
    for (const key of files) await store.put(root + key, bytes(`of the first: ${key}`));
    const judged = { chains: 4, pairedChains: 2, of: 'rank', target: 0.97, reproducibility: 0.9, baseReproducibility: 0.9 };
    const next = { chains: 4, pairedChains: 4, reproducibility: 0.97, work: 1 };
    await store.put(round(1), encodeCheckedJson({ round: 1, ...judged, outcome: null, next }));
    await store.put(round(2), encodeCheckedJson({ round: 2, ...judged, outcome: 'reached', next: null }));
    await store.put(runKeys('another-run').root + files[0]!, bytes('of another'));
    const own = runKeys(anew.runId).root;
    await to.put(`${own}release/1/data.csv`, bytes('there before'));
    await copyEarlier({ plan: earlier, store }, to, anew, isNew);
    const found: Record<string, string> = {};
    for (const key of await to.list('')) found[key.slice(own.length)] = new TextDecoder().decode(await to.get(key));
    return found;
  }
  const ofFirst = (from: string) => `of the first: ${from}`;

  it('takes the table, the chains, the release and utility, and neither priors nor results', async () => {
    const taken = ['table/schema.json', 'draws/base/1.npz', 'synthesis/1.npz', 'confidential/utility-measured.json'];
    const left = ['release/1/data.csv', 'table/prior/1/weights.npy', 'confidential/summary.json', 'plan.json'];
    const own = Object.fromEntries(taken.map((key) => [key, ofFirst(key)]));
    expect(await copied([...taken, ...left], withStarter(plan))).toEqual({ ...own, 'release/1/data.csv': 'there before' });
  });

  it('takes the batches of the last round of a scenario that is the same but for its name and rules, wherever it stands', async () => {
    const batch = (number: number, scenario: number, from: number, to: number) => ({ batch: number, scenario, from, to });
    const scenarioOf = (name: string, candidates: 'one-change' | 'two-changes') => ({ name, candidates, prior: 'uniform' as const });
    const withScenarios = (own: Plan, scenarios: ReturnType<typeof scenarioOf>[], batches: Plan['batches']): Plan => ({
      ...own,
      config: { ...own.config, attributeRisk: { ...own.config.attributeRisk, scenarios } as Plan['config']['attributeRisk'] },
      scenarioCandidates: scenarios.map(() => 9),
      batches,
    });
    const earlier = withScenarios(plan, [scenarioOf('a', 'one-change')], [batch(1, 1, 0, 3), batch(2, 1, 3, 5)]);
    const anew = withScenarios(
      withStarter(plan),
      [scenarioOf('two', 'two-changes'), scenarioOf('one', 'one-change')],
      [batch(1, 1, 0, 5), batch(2, 2, 0, 3), batch(3, 2, 3, 4), batch(4, 2, 4, 5)],
    );
    const files = ['parts/1/1/columns.npy', 'parts/2/1/columns.npy', 'parts/2/1/members.npy', 'parts/2/2/columns.npy'];
    const { 'release/1/data.csv': _, ...parts } = await copied(files, anew, earlier);
    expect(parts).toEqual({
      'parts/1/2/columns.npy': ofFirst('parts/2/1/columns.npy'),
      'parts/1/2/members.npy': ofFirst('parts/2/1/members.npy'),
    });
    // Of a run that goes on, what was removed is found anew.
    const goingOn = [...files, 'confidential/utility-measured.json', 'draws/base/1.npz'];
    expect(Object.keys(await copied(goingOn, anew, earlier, false))).toEqual(['draws/base/1.npz', 'release/1/data.csv']);
    const steeper = { ...anew, config: { ...anew.config, attributeRisk: { ...anew.config.attributeRisk, slope: 2 } } };
    expect(Object.keys(await copied(files, steeper, earlier))).toEqual(['release/1/data.csv']);
  });
});

describe('refuseUnassessedRun()', () => {
  const codeOf = (change: Partial<Plan>) => {
    try {
      refuseUnassessedRun({ ...plan, ...change });
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('takes an evaluation or an assessment of this version, with chains', () => {
    const withModel = (model: object) => smallConfig({ model, synthesis: { synthesized: ['age'] } });
    expect(['evaluate', 'assess'].map((purpose) => codeOf({ purpose } as Partial<Plan>))).toEqual([null, null]);
    const others = ['synthesize', 'calibrate', 'replicate'].map((purpose) => codeOf({ purpose } as Partial<Plan>));
    expect(others).toEqual(new Array(3).fill('nothing-to-reassess'));
    expect(codeOf({ config: withModel({ name: 'cart' }) })).toBe('nothing-to-reassess');
    expect(codeOf({ config: smallConfig({ model: { name: 'dirichlet-multinomial', epsilon: 1 } }) })).toBe('nothing-to-reassess');
    expect(codeOf({ version: '0.0.1' })).toBe('other-version');
  });
});
