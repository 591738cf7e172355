import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addRiskFlags, maxChains, reproducibility } from '../../../cli/flags/risk-flags.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';

describe('the help of the flags of chains', () => {
  it('tells the numbers that a config without them has', () => {
    const { mcmc } = configSchema.parse({});
    const help = addRiskFlags(new Command()).options;
    const told = Object.fromEntries(help.map((option) => [option.attributeName(), Number(/default: (\d+)/.exec(option.description)?.[1])]));
    for (const name of ['chains', 'draws', 'thin', 'pairedChains', 'pairedDraws', 'pairedThin'] as const) {
      expect(told[name], name).toBe(mcmc[name]);
    }
  });
});

describe('--reproducibility', () => {
  it.each([
    ['0.97', 0.97],
    ['rank=0.97', { of: 'rank', target: 0.97 }],
    ['probability=.9', { of: 'probability', target: 0.9 }],
    ['off', 'off'],
  ])('takes %s', (text, setting) => {
    expect(reproducibility(text)).toEqual(setting);
  });

  it.each(['', 'on', 'rank', 'rank=', 'ranks=0.9', 'rank:0.9', 'rank=0.9.1', '-0.9', '90%'])('refuses "%s"', (text) => {
    expect(() => reproducibility(text)).toThrow(/^expected a/);
  });
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
