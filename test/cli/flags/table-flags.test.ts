import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addIdentificationFlags } from '../../../cli/flags/identification-flags.ts';
import { addTableFlags, tableSettings } from '../../../cli/flags/table-flags.ts';
import { addUtilityFlags } from '../../../cli/flags/utility-flags.ts';

const parsed = (...args: string[]) => {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addTableFlags(command);
  addIdentificationFlags(command);
  addUtilityFlags(command);
  return command.parse(args, { from: 'user' }).opts();
};

it('refuses a column that is named as both types', () => {
  const flags = parsed('--categorical', 'ZIP,AGE', '--continuous', 'AGE');
  expect(() => tableSettings(flags)).toThrow('AGE is named by --categorical and by --continuous: expected one of them.');
});

describe('a flag that is given twice', () => {
  it('adds to the columns, or the codes, that it has named so far', () => {
    const args = ['--drop', 'ID', '--drop', '"WEIGHT, FINAL",NAME', '--categorical', 'ZIP', '--categorical', 'WARD'];
    const { variables, missingCodes } = tableSettings(
      parsed(...args, '--missing-codes', '-9', '--missing-codes', '.', '--missing-codes', 'AGE=98', '--missing-codes', 'AGE=99'),
    );
    expect(variables).toEqual({
      ID: { drop: true },
      'WEIGHT, FINAL': { drop: true },
      NAME: { drop: true },
      ZIP: { type: 'categorical' },
      WARD: { type: 'categorical' },
      AGE: { missingCodes: ['98', '99'] },
    });
    expect(missingCodes).toEqual(['-9', '.']);
  });

  it.each([
    ['--breaks', 'AGE=0,18', 'AGE=0,65', 'expected once of AGE'],
    ['--decimals', 'AGE=0', 'AGE=1', 'expected once of AGE'],
    ['--known', 'SEX', 'AGE', 'expected one intruder'],
    ['--patterns', 'COUNTY=SEX', 'TENURE=SEX', 'expected all variables at once'],
  ])('%s %s is refused with %s, which would take its place', (flag, first, second, expected) => {
    expect(() => parsed(flag, first, flag, second)).toThrow(expected);
    expect(() => parsed(flag, first)).not.toThrow();
  });
});
