import { describe, expect, it } from 'vitest';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { handler as checkBudget } from '../../functions/check-budget/handler.ts';
import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { requireOwnCode, takeRunLock } from '../../shared/pipeline/life/run-state.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { CODE, fakeBucket } from './fake-bucket.ts';

const bucket = fakeBucket();
const OTHER = 'f'.repeat(64);
const RUN = 'a'.repeat(16);

describe('the code of a run', () => {
  it('is that of the execution that took it first', async () => {
    const store = new MemoryStore();
    expect(await takeRunLock(store, RUN, { id: 'first', code: CODE })).toBe(true);
    expect(await takeRunLock(store, RUN, { id: 'second', code: OTHER })).toBe(false);
    await requireOwnCode(store, RUN, CODE);
    await expect(requireOwnCode(store, RUN, OTHER)).rejects.toMatchObject({
      name: 'RunConflictError',
      code: 'other-code',
      message: expect.stringMatching(/^The run a+ began with the code c0dec0dec0de, and this is ffffffffffff: /),
    });
  });

  it('is unknown of runs of earlier versions, with which nothing goes on', async () => {
    const store = new MemoryStore();
    await store.put(runKeys(RUN).lock, encodeJson({ holder: 'first' }));
    await expect(requireOwnCode(store, RUN, CODE)).rejects.toMatchObject({ code: 'other-code' });
  });
});

describe('a step of other code', () => {
  it('refuses to go on with a run, by name, before it does anything', async () => {
    await bucket.store.put(runKeys(RUN).lock, encodeJson({ holder: 'first', code: OTHER }));
    const payload = { runId: RUN, round: 1 };
    for (const work of [
      assessBatch({ ...payload, step: 'assess', batch: 1 }),
      checkBudget({ ...payload, before: 'chains', execution: 'first' }),
    ]) {
      await expect(work).rejects.toMatchObject({ name: 'RunConflictError', message: expect.stringMatching(/^other-code: /) });
    }
  });
});
