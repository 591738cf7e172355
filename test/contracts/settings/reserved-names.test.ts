import { expect, it } from 'vitest';
import { reservedNames } from '../../../shared/contracts/settings/reserved-names.ts';

it('reserves the columns of every run, that of records where rows are records, and those of trees', () => {
  const names = reservedNames(false, false);
  expect(names).toEqual(expect.arrayContaining(['combination', 'count', 'rank', 'scenario', 'is_truth']));
  expect(names).not.toContain('record');
  expect(names).not.toContain('(variables)');
  expect(reservedNames(true, false)).toEqual(['record', ...names]);
  expect(reservedNames(false, false, true)).toEqual([...names, 'confidence', 'baseline_confidence', 'released_share', 'in_table']);
  expect(reservedNames(true, true)).toEqual(['record', ...names, 'probability_fixed', 'proven']);
});
