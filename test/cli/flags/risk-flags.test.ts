import { describe, expect, it } from 'vitest';
import { maxChains, reproducibility } from '../../../cli/flags/risk-flags.ts';

describe('--reproducibility', () => {
  it.each([
    ['0.97', 0.97],
    ['rank=0.97', { of: 'rank', target: 0.97 }],
    ['probability=.9', { of: 'probability', target: 0.9 }],
    ['off', 'off'],
  ])('takes %s', (text, setting) => {
    expect(reproducibility(text)).toEqual(setting);
  });

  it.each(['', 'on', 'rank', 'rank=', 'ranks=0.9', 'rank:0.9', 'rank=0.9.1', '-0.9', '90%'])(
    'refuses "%s"',
    (text) => {
      expect(() => reproducibility(text)).toThrow(/^expected a/);
    },
  );
});

describe('--max-chains', () => {
  it.each([
    ['500', 500],
    ['4x', { times: 4 }],
    ['1.5x', { times: 1.5 }],
  ])('takes %s', (text, setting) => {
    expect(maxChains(text)).toEqual(setting);
  });

  it.each(['', '0', '2.5', 'x', 'fourx', '4 times'])('refuses "%s"', (text) => {
    expect(() => maxChains(text)).toThrow(/^expected a/);
  });
});
