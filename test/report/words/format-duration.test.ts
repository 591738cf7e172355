import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../shared/report/words/format-duration.ts';
import { formatCount, formatMemory } from '../../../shared/report/words/format-number.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('formatDuration()', () => {
  it.each([
    [-1, '0 s'],
    [0.04, '0 s'],
    [0.44, '0.4 s'],
    [3, '3 s'],
    [9.94, '9.9 s'],
    [9.96, '10 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [65, '1 min 5 s'],
    [120, '2 min'],
    [599.4, '9 min 59 s'],
    [599.6, '10 min'],
    [1234, '21 min'],
    [3569, '59 min'],
    [3571, '1 h'],
    [121 * 60 + 55, '2 h 2 min'],
    [47 * 3600, '47 h'],
    [48 * 3600 - 20, '2 days'],
    [51 * 3600, '2 days 3 h'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('formatCount()', () => {
  it('gives two digits of what has too many to be read', () => {
    expect(formatCount(999_999_999_999)).toBe('999,999,999,999');
    expect(formatCount(1.329227995784916e36)).toBe('about 1.3 × 10^36');
    expect(formatCount(Number.POSITIVE_INFINITY)).toBe('∞');
  });
});

describe('formatMemory()', () => {
  it.each([
    [12.4, '12 MiB'],
    [1023.4, '1,023 MiB'],
    [1023.6, '1 GiB'],
    [3300, '3.2 GiB'],
  ])('writes %d MiB as %s', (mebibytes, text) => {
    expect(plain(formatMemory(mebibytes))).toBe(text);
  });
});
