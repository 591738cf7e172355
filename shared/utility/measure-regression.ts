import type { UtilityRegression } from '../contracts/results/utility.ts';
import { compareRegression } from './regression/compare-regression.ts';
import { prepareRegression } from './regression/fit-regression.ts';
import { predictHeldOut } from './regression/held-out.ts';
import type { OpenedRegression } from './regression/open-regression.ts';
import type { SplitUtility, UtilityInput } from './utility-input.ts';

/** One regression on a table and its datasets, and what it foretells of records that it has not seen. */
export function measureRegression(
  opened: OpenedRegression,
  asked: boolean,
  { table, datasets }: UtilityInput,
  split: SplitUtility,
  kind: 'full' | 'partial',
): UtilityRegression {
  const prepared = prepareRegression(opened, table.schema);
  const original = prepared.fit(table);
  const fitted = datasets.map((dataset) => prepared.fit(dataset, original));
  const sizeRatio = datasets.reduce((sum, { records }) => sum + records, 0) / datasets.length / table.records;
  const { coefficients, ...figures } = compareRegression(prepared, original, fitted, kind, sizeRatio);
  const { heldOut } = split.table;
  const predicted = predictHeldOut(prepared, original, split.table, split.datasets);
  return {
    ...figures,
    asked,
    records: table.records,
    coefficients: coefficients.map((one) => ({ ...one })),
    heldOut: {
      records: heldOut.records,
      original: predicted.original && copy(predicted.original),
      datasets: predicted.datasets.map((one) => one && copy(one)),
      ...(predicted.reason === undefined ? {} : { reason: predicted.reason }),
    },
  };
}

const copy = (one: { quantiles: readonly number[]; meanSquaredError: number; distance: number }) => ({
  ...one,
  quantiles: [...one.quantiles],
});
