import { beforeAll, describe, expect, it } from 'vitest';
import { runKeys } from '../../../shared/contracts/keys.ts';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { copyChains, refuseUnassessedRun } from '../../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

let plan: Plan;

beforeAll(async () => {
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config: smallConfig(), table: smallTable() };
  ({ plan } = await planRun(request));
});

describe('copyChains()', () => {
  it('takes the table, the chains and the release, and neither priors nor results', async () => {
    const store = new MemoryStore();
    const to = new MemoryStore();
    const { root } = runKeys(plan.runId);
    const bytes = (text: string) => new TextEncoder().encode(text);
    const taken = ['table/schema.json', 'draws/base/1.npz', 'synthesis/1.npz', 'release/1/data.csv'];
    const left = ['table/prior/1/weights.npy', 'parts/1/columns.npy', 'confidential/summary.json', 'plan.json'];
    for (const key of [...taken, ...left]) await store.put(root + key, bytes(`of the first: ${key}`));
    await store.put(runKeys('another-run').root + taken[0]!, bytes('of another'));
    const own = runKeys('ffffffffffffffff').root;
    await to.put(own + taken[1]!, bytes('there before'));
    await copyChains({ plan, store }, to, 'ffffffffffffffff');
    const found: Record<string, string> = {};
    for (const key of await to.list('')) found[key] = new TextDecoder().decode(await to.get(key));
    expect(found).toEqual(Object.fromEntries(taken.map((key, i) => [own + key, i === 1 ? 'there before' : `of the first: ${key}`])));
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
