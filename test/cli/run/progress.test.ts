import { afterEach, describe, expect, it, vi } from 'vitest';
import { runSteps, runStepwise } from '../../../cli/run/progress.ts';
import { InvalidTableError } from '../../../shared/contracts/errors.ts';
import type { OnShare } from '../../../shared/contracts/stepwise.ts';

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

/** What is shown of a step while the clock goes on by so many seconds, and a share is reported. */
async function shownOfShares(shares: readonly (readonly [seconds: number, share: number | null])[]) {
  let shown = '';
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * clock);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  const work = async (onShare: OnShare) => {
    for (const [seconds, share] of shares) {
      clock += seconds;
      if (share !== null) onShare(share);
    }
    await new Promise((resolve) => setTimeout(resolve, 400));
  };
  await runSteps([{ title: 'Write the report', work }], false);
  return [...shown.matchAll(/\d+ %.*/g)].map(([line]) => line);
}

describe('what is shown of a step', () => {
  it('is the time that is left by the shares that it tells, although no timer runs in between', async () => {
    const shown = await shownOfShares([
      [10, 0.25],
      [1, 0.3],
      [29, 0.5],
    ]);
    expect(shown).toEqual(['25 %, 30 s left', '50 %, 40 s left']);
  });

  it('is less by the time since the last share', async () => {
    expect(
      await shownOfShares([
        [1, 0.1],
        [4, null],
      ]),
    ).toEqual([]);
    expect(
      await shownOfShares([
        [1, 0.05],
        [10, null],
      ]),
    ).toEqual(['55 %, 9 s left']);
  });

  it('is nothing where it tells no share', async () => {
    expect(await shownOfShares([[60, null]])).toEqual([]);
  });
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
