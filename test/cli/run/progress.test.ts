import { afterEach, describe, expect, it, vi } from 'vitest';
import { runSteps, runStepwise } from '../../../cli/run/progress.ts';
import { InvalidTableError } from '../../../shared/contracts/errors.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a step that fails; gives what was shown of it and what came out. */
async function shownOf(error: Error) {
  let shown = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  const work = () => Promise.reject(error);
  const thrown = await runSteps([{ title: 'Read the files', work }], false).catch((caught: unknown) => caught);
  return { shown, thrown };
}

describe('runSteps()', () => {
  it.each([new InvalidTableError('ragged-row', 'row 3: expected 2 fields'), new TypeError('cannot read CANARY-7Q')])(
    'passes on what a step throws, and leaves it to the caller to say it once: $name',
    async (error) => {
      const { shown, thrown } = await shownOf(error);
      expect(shown).toContain('Read the files');
      expect(shown).not.toContain(error.message);
      expect(thrown).toBe(error);
    },
  );
});

describe('runStepwise()', () => {
  it('goes through all steps, lets timers run in between, and gives the result', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('timer'));
    function* work(): Generator<number, string, undefined> {
      for (const step of [1, 2]) {
        seen.push(`step ${step}`);
        yield step;
      }
      return 'done';
    }
    expect(await runStepwise('Match the records', 2, work(), true)).toBe('done');
    expect(seen).toEqual(['step 1', 'timer', 'step 2']);
  });

  it('passes on what the work throws', async () => {
    // biome-ignore lint/correctness/useYield: it fails at once
    function* work(): Generator<number, string, undefined> {
      throw new InvalidTableError('ragged-row', 'row 3');
    }
    await expect(runStepwise('Match the records', 1, work(), true)).rejects.toThrow('row 3');
  });
});
