import { expect, it } from 'vitest';
import { ATTRIBUTE_RISK, emptyFigures, type RiskRows } from '../../../../shared/contracts/results/tables/attribute-risk-table.ts';

it('a tail is heavy above the threshold, not at it nor where none is fitted', () => {
  const figures = { ...emptyFigures(3), paretoK: Float64Array.of(0.7, 0.71, NaN) };
  const rows = { figures, paretoKThreshold: 0.7 } as unknown as RiskRows;
  expect([0, 1, 2].map((row) => ATTRIBUTE_RISK.columns.heavy_tail.value(rows, row))).toEqual([false, true, false]);
});
