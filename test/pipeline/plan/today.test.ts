import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHeading } from '../../../shared/artifacts/report-heading.ts';
import { encodeCheckedJson, encodeJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { openPlanOf } from '../../../shared/contracts/run/plan.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { today } from '../../../shared/pipeline/plan/today.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('today()', () => {
  it('is the day in UTC, or that of SOURCE_DATE_EPOCH', () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', undefined);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T23:59:59Z') });
    expect(today()).toBe('2026-11-28');
    vi.stubEnv('SOURCE_DATE_EPOCH', '951782400');
    expect(today()).toBe('2000-02-29');
  });

  it.each(['', 'yesterday', '-1', '1e9', '9'.repeat(30)])('is not what SOURCE_DATE_EPOCH says as %j', (epoch) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T12:00:00Z') });
    vi.stubEnv('SOURCE_DATE_EPOCH', epoch);
    expect(today()).toBe('2026-11-28');
  });
});

describe('the day of a run', () => {
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config: smallConfig(), table: smallTable() };

  it('is in its plan and not in the open one, and changes nothing else of it', async () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', '951782400');
    const { plan } = await planRun(request);
    expect(plan.startedOn).toBe('2000-02-29');
    expect(JSON.stringify(openPlanOf(plan))).not.toMatch(/startedOn|2000-02-29/);
    vi.stubEnv('SOURCE_DATE_EPOCH', '1773014400');
    const { plan: later } = await planRun(request);
    expect(later).toEqual({ ...plan, startedOn: '2026-03-09' });
  });

  it('changes nothing but what the report says where it has names of the table and of a person, which no open file has', async () => {
    const report = { table: 'Household survey', by: 'A. Officer' };
    const { plan } = await planRun(request);
    const { plan: named } = await planRun({ ...request, config: { ...request.config, report } });
    expect(named).toEqual({ ...plan, config: { ...plan.config, report } });
    expect(openPlanOf(named)).toEqual(openPlanOf(plan));
    const store = new MemoryStore();
    await store.put(runKeys(named.runId).plan, encodeCheckedJson(named));
    expect(await readHeading(store, named.runId)).toEqual({ ...report, startedOn: plan.startedOn });
  });

  it('is read of a plan of any version, and left out where it says none', async () => {
    const store = new MemoryStore();
    const { plan: key } = runKeys('0123456789abcdef');
    await store.put(key, encodeCheckedJson({ version: '0.99.0', startedOn: '2027-01-31', unknown: [] }));
    expect(await readHeading(store, '0123456789abcdef')).toEqual({ startedOn: '2027-01-31' });
    await store.put(key, encodeJson({ version: '0.1.0' }));
    expect(await readHeading(store, '0123456789abcdef')).toEqual({});
  });
});
