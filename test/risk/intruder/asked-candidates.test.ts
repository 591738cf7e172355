import { describe, expect, it } from 'vitest';
import { InvalidConfigError, UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import { askedCandidates } from '../../../shared/risk/intruder/asked-candidates.ts';

const ask = (candidates: Parameters<typeof askedCandidates>[0]) =>
  askedCandidates(candidates, ['sex', 'region'], [2, 3], ['hours', 'income']);

describe('askedCandidates()', () => {
  it('asks for every continuous variable beside candidates of the categorical ones', () => {
    expect(ask('one-change')).toMatchObject({ space: { kind: 'one-change', perCombination: 4 }, continuous: [0, 1] });
  });

  it('asks for unknown categorical variables together, or for one continuous variable by itself', () => {
    expect(ask({ unknown: ['region', 'sex'] })).toMatchObject({ space: { unknown: [0, 1], perCombination: 6 }, continuous: [] });
    expect(ask({ unknown: ['income'] })).toMatchObject({ space: { unknown: [], perCombination: 1 }, continuous: [1] });
  });

  it('refuses a continuous variable together with another, and one that the table does not have', () => {
    expect(() => ask({ unknown: ['sex', 'income'] })).toThrow(UnsupportedOptionError);
    expect(() => ask({ unknown: ['hours', 'income'] })).toThrow(UnsupportedOptionError);
    expect(() => ask({ unknown: ['sex', 'wage'] })).toThrow(InvalidConfigError);
    expect(() => ask({ unknown: ['incom'] })).toThrow(/income/);
    expect(() => ask({ unknown: ['regio'] })).toThrow(/region/);
  });
});
