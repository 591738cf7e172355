import * as z from 'zod';
import { count, nonNegativeOrNull } from '../number-schemas.ts';

const uniquesShape = {
  uniques: count.describe('Combinations of only one record in some dataset.'),
  uniquesExpected: nonNegativeOrNull.describe('How many the fitted DPMPM expects, with standard deviation.'),
  uniquesExpectedSe: nonNegativeOrNull,
};

/** Exact copies of the table's records in the datasets, by whole rows. */
export const copiesSchema = z.strictObject({
  released: count.describe('Rows of all datasets.'),
  rows: count.describe('Those equal to some record.'),
  /** In any of the datasets. */
  ...uniquesShape,
  occurrences: count.describe('The same summed over datasets.'),
  occurrencesExpected: nonNegativeOrNull.describe('How many of these it expects.'),
  occurrencesExpectedSe: nonNegativeOrNull,
  uniquesExpectedReason: z.string().optional(),
  identicalDatasets: count.describe('Datasets equal to the table, in any order.'),
  datasets: z
    .array(
      z.strictObject({
        rows: count.describe('Rows equal to some record.'),
        identical: z.boolean().describe('Whether the dataset is the table.'),
        ...uniquesShape,
      }),
    )
    .describe('The same by dataset.'),
});

/** Exact copies of the table's records in the datasets. */
export type CopiesSummary = z.infer<typeof copiesSchema>;
