import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';

const uniquesShape = {
  /** Combinations that one record alone has and that are there as a whole. */
  uniques: z.int().nonnegative(),
  /** How many of them the fitted model expects, with the standard deviation of that number; null where nothing was fitted. */
  uniquesExpected: nonNegative.nullable(),
  uniquesExpectedSe: nonNegative.nullable(),
};

/** Exact copies of the table's records in the datasets, by whole rows. */
export const copiesSchema = z.strictObject({
  /** Rows of all datasets, and those of them that are equal to some record of the table in every variable. */
  released: z.int().nonnegative(),
  rows: z.int().nonnegative(),
  /** In any of the datasets. */
  ...uniquesShape,
  /** Those of each dataset by itself, added up: what shows best that the same records are in all of them. */
  occurrences: z.int().nonnegative(),
  occurrencesExpected: nonNegative.nullable(),
  occurrencesExpectedSe: nonNegative.nullable(),
  /** Why it is not known how many are expected. */
  uniquesExpectedReason: z.string().optional(),
  /** Datasets that are the table, in whatever order of its records. */
  identicalDatasets: z.int().nonnegative(),
  /** The same of each dataset, in order. */
  datasets: z.array(z.strictObject({ rows: z.int().nonnegative(), identical: z.boolean(), ...uniquesShape })),
});

/** Exact copies of the table's records in the datasets. */
export type CopiesSummary = z.infer<typeof copiesSchema>;
