import * as z from 'zod';
import { count, nonNegativeOrNull } from '../number-schemas.ts';

const uniquesShape = {
  uniques: count.describe('Combinations that one record alone has and that are in some dataset, or in this one.'),
  uniquesExpected: nonNegativeOrNull.describe(
    'How many of them the fitted model expects, with the standard deviation of that number. Null without a DPMPM.',
  ),
  uniquesExpectedSe: nonNegativeOrNull,
};

/** Exact copies of the table's records in the datasets, by whole rows. */
export const copiesSchema = z.strictObject({
  released: count.describe('Rows of all datasets.'),
  rows: count.describe('Those of them that are equal to some record in every variable.'),
  /** In any of the datasets. */
  ...uniquesShape,
  occurrences: count.describe('The same counted in each dataset and added up: it shows whether the same records are in all.'),
  occurrencesExpected: nonNegativeOrNull.describe('How many of these the fitted model expects.'),
  occurrencesExpectedSe: nonNegativeOrNull,
  uniquesExpectedReason: z.string().optional(),
  identicalDatasets: count.describe('Datasets that are the table, in whatever order of its records.'),
  datasets: z
    .array(
      z.strictObject({
        rows: count.describe('Rows that are equal to some record in every variable.'),
        identical: z.boolean().describe('Whether the dataset is the table.'),
        ...uniquesShape,
      }),
    )
    .describe('The same of each dataset, in order.'),
});

/** Exact copies of the table's records in the datasets. */
export type CopiesSummary = z.infer<typeof copiesSchema>;
