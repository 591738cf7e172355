import { expect, it } from 'vitest';
import { emptyRisk } from '../../../shared/risk/attribute/attribute-risk.ts';
import { emptyValueRisk, VALUE_COLUMNS } from '../../../shared/risk/attribute/value-risk.ts';
import { exactFigures, exactRisk, exactValues } from '../../../shared/risk/exact/exact-risk.ts';

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

it('has the privacy loss of a file over its records, and knows what varies over rows', () => {
  const risk = { ...emptyRisk(4, 0), privacyLoss: Float64Array.of(0.5, 3, 1, 7) };
  expect(exactFigures(risk, [60, 30, 9, 1])).toEqual({
    privacyLossMedian: 0.5,
    privacyLoss99: 3,
    privacyLossMax: 7,
    probabilityVaries: false,
    rankVaries: false,
  });
  expect(exactFigures({ ...risk, rank: Float64Array.of(1, 1, 2, 1) }, [60, 20, 10, 10])).toMatchObject({
    privacyLoss99: 7,
    probabilityVaries: false,
    rankVaries: true,
  });
  expect(exactFigures({ ...risk, probability: Float64Array.of(0, 1, 0, 0) }, [1, 1, 1, 1])).toMatchObject({ probabilityVaries: true });
});
