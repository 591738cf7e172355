import { expect, it } from 'vitest';
import { emptyRisk } from '../../../shared/risk/attribute/attribute-risk.ts';
import { emptyValueRisk, VALUE_COLUMNS } from '../../../shared/risk/attribute/value-risk.ts';
import { exactRisk, exactValues } from '../../../shared/risk/exact/exact-risk.ts';

it('has the privacy loss that is known, and no standard errors', () => {
  const risk = emptyRisk(3, 2);
  for (const column of Object.values(risk)) column.fill(0.7);
  const loss = Float64Array.of(1, 2, 3);
  const found = exactRisk(risk, loss);
  expect(found).toEqual({
    ...risk,
    privacyLoss: loss,
    ...{ privacyLossSe: new Float64Array(3), probabilitySe: new Float64Array(3) },
    bayesFactorSe: new Float64Array(3),
  });
});

it('has no standard error of the value of a variable, and all else as it is', () => {
  const values = emptyValueRisk(2, 3, 1);
  values.columns.fill(0.7);
  values.sums.fill(3);
  const { columns, ...sums } = exactValues(values);
  expect(sums).toEqual({ sums: values.sums, squares: values.squares, gains: values.gains, intervals: values.intervals, datasets: 1 });
  expect(columns).toHaveLength(6 * VALUE_COLUMNS.length);
  for (const [at, value] of columns.entries()) {
    expect(value).toBe(VALUE_COLUMNS[at % VALUE_COLUMNS.length] === 'probabilitySe' ? 0 : 0.7);
  }
});
