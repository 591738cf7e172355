import { afterEach, describe, expect, it, vi } from 'vitest';
import { runSteps } from '../../cli/progress.ts';
import { InvalidTableError } from '../../shared/contracts/errors.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a step that fails; gives what was shown of it and what came out. */
async function shownOf(error: Error) {
  let shown = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  const work = () => Promise.reject(error);
  const thrown = await runSteps(
    [{ title: 'Read the files', units: 0, unitsDone: () => 0, work }],
    false,
  ).catch((caught: unknown) => caught);
  return { shown, thrown };
}

describe('runSteps()', () => {
  it('shows what a named error says, and passes it on', async () => {
    const error = new InvalidTableError('ragged-row', 'row 3: expected 2 fields');
    const { shown, thrown } = await shownOf(error);
    expect(shown).toContain('row 3: expected 2 fields');
    expect(thrown).toBe(error);
  });

  it('shows of a mistake in the program its name alone, and passes it on', async () => {
    const error = new TypeError('cannot read CANARY-7Q');
    const { shown, thrown } = await shownOf(error);
    expect(shown).toContain('Read the files');
    expect(shown).toContain('TypeError');
    expect(shown).not.toContain('CANARY');
    expect(thrown).toBe(error);
  });
});
