import { afterEach, expect, it, vi } from 'vitest';
import { VERSION } from '../../../shared/contracts/version.ts';
import { beginState, beginUnnoted, endAssessment, endChains, newRunState, readRunState } from '../../../shared/pipeline/life/run-state.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';

const runId = '0123456789abcdef';
const plan = { runId, version: VERSION, purpose: 'evaluate' } as Parameters<typeof newRunState>[0];

afterEach(() => void vi.useRealTimers());

const at = (seconds: number) => vi.setSystemTime(1_800_000_000_000 + 1000 * seconds);

it('counts no time where a clock went back, and can be read again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = new MemoryStore();
  await beginState(store, newRunState(plan));
  at(100);
  await beginUnnoted(store, runId, 'chainsSince');
  at(40);
  await endChains(store, runId);
  expect(await readRunState(store, runId)).toMatchObject({ seconds: { fit: 0, total: 0 } });
  at(47);
  await endAssessment(store, runId);
  expect(await readRunState(store, runId)).toMatchObject({ seconds: { fit: 0, assess: 7, total: 7 } });
});
