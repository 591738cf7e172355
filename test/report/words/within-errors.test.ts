import { describe, expect, it } from 'vitest';
import { differenceInWords, dominationInWords } from '../../../shared/report/words/comparison-in-words.ts';
import { guessesWithinErrors, isWithinErrors } from '../../../shared/report/words/within-errors.ts';
import { reportInput } from '../fixture.ts';

const [risk] = reportInput().summary.attributeRisk;
const guessed = (before: number, after: number, se: number | null, gainSe = 1) =>
  guessesWithinErrors({
    ...risk!,
    ...{ gainBitsMean: 0.5, gainBitsMeanSimulationSe: gainSe, gainBitsMeanReleaseSe: 0 },
    ...{ firstGuessRightBefore: before, firstGuessRightAfter: after },
    // All of it simulation, whose interval is the normal one.
    ...{ firstGuessRightBeforeSe: se, firstGuessRightAfterSimulationSe: se, firstGuessRightAfterReleaseSe: se === null ? null : 0 },
  });

it.each([
  [0.01, 0.01, true],
  [-0.01, 0.01, true],
  [0.0099, 0.01, true],
  [0.0101, 0.01, false],
  [-0.0101, 0.01, false],
  [0, 0, false],
  [0.5, null, false],
])('a difference of %d with half an interval of %d is within errors: %s', (difference, halfWidth, within) => {
  expect(isWithinErrors(difference, halfWidth)).toBe(within);
});

describe('values guessed right with a release and without', () => {
  it('are said to differ by no more than errors, whichever is larger', () => {
    const said = ' The difference is within the errors: it shows neither a gain nor protection.';
    expect(guessed(0.388, 0.392, 0.004)).toBe(said);
    expect(guessed(0.7, 0.66, 0.02)).toBe(said);
  });

  it('are not said to show no gain where the gain in bits is beyond its errors', () => {
    expect(guessed(0.388, 0.392, 0.004, 0.1)).toMatch(
      /^ That difference is within its errors\. A finer measure, the gain in bits, is above its errors/,
    );
    expect(guessed(0.388, 0.392, 0.004, 0.3)).toContain('neither a gain nor protection');
  });

  it('stand alone where they differ by more, or where an error is not known', () => {
    expect(guessed(0.58, 0.606, 0.002)).toBe('');
    expect(guessed(0.58, 0.581, null)).toBe('');
  });
});

it('a difference of two runs says whether it is within errors', () => {
  const own = { a: 'one', b: 'two', measure: 'risk.gainBitsMean', covers: 1 } as const;
  expect(differenceInWords({ ...own, difference: -0.01, se: 0.02, halfWidth: 0.04 } as never)).toMatch(
    /, within errors \(95 % interval: ± 0\.0400\)$/,
  );
  // Of two datasets each the interval is 13 standard errors to either side.
  expect(differenceInWords({ ...own, difference: -0.1, se: 0.02, halfWidth: 0.254 } as never)).toMatch(
    /, within errors \(95 % interval: ± 0\.254\)$/,
  );
  expect(differenceInWords({ ...own, difference: -0.1, se: 0.02, halfWidth: 0.04 } as never)).not.toContain('errors');
});

it('a run that dominates another by what errors could have done, or by figures without a known error, may do so by chance', () => {
  expect(dominationInWords({ run: 'one', beyondErrors: true })).toBe('one, beyond errors');
  expect(dominationInWords({ run: 'one', beyondErrors: false })).toBe('one, perhaps by chance');
});
