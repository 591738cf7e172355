import { expect, it } from 'vitest';
import { reservedNames } from '../../../shared/contracts/settings/reserved-names.ts';

it('reserves the columns of every run, and that of records where rows are records', () => {
  const names = reservedNames(false);
  expect(names).toEqual(expect.arrayContaining(['combination', 'count', 'rank', 'scenario', 'is_truth']));
  expect(names).not.toContain('record');
  expect(names).not.toContain('(variables)');
  expect(reservedNames(true)).toEqual(['record', ...names]);
});
