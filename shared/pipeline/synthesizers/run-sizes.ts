import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Support } from '../../table/support/support.ts';
import type { Table } from '../../table/table.ts';

/** What a run's memory is predicted from. */
export interface RunSizes {
  readonly plan: Plan;
  readonly schema: TableSchema;
  /** Null where the model takes records as they are. */
  readonly combinations: Combinations | null;
  /** Of the table and of datasets given as files: CSV or Parquet, as read. */
  readonly inputBytes: number;
}

/** The same as far as an estimate measures it, before it is stored or after. */
export interface MeasuredRun extends RunSizes {
  /** The table in the order of its records, where these are kept as they are; null otherwise. */
  readonly records: Table | null;
  readonly support: { readonly support: Support } | null;
}

/** A run whose model is fitted to combinations. */
export type MeasuredCombinations = MeasuredRun & { readonly combinations: Combinations };

/** The same with the one of its scenarios of which something is measured. */
export type MeasuredScenario = MeasuredCombinations & { readonly scenario: Scenario };

/** What one task of each phase takes in its thread (bytes), beside what every thread does. */
export interface TaskBytes {
  readonly fit: number;
  readonly synthesize: number;
  readonly augment: number;
  /** Beside what is said of its rows, while a batch is assessed. */
  readonly held: number;
  /** All draws of the run, on disk. */
  readonly stored: number;
}

/**
 * Combinations that a second sample of the same size would have and the first has not, by Good & Toulmin 1956 eq. 8: the sum over k of
 * (-1)^(k + 1) times the combinations that k records share; at least 0, and at most as many as the first has.
 */
export function expectedNewCombinations({ counts, count }: Combinations): number {
  let sum = 0;
  for (const records of counts) sum += records % 2 === 1 ? 1 : -1;
  return Math.min(count, Math.max(0, sum));
}

/** A set of distinct rows as it is stored: codes and counts. */
export const rowsBytes = (rows: number, variables: number) => rows * (2 * variables + 4);

/** Mean length of a combination as CSV text, without what quotes add. */
export function combinationTextBytes(schema: TableSchema, { codes, count, variables }: Combinations): number {
  const lengths = categoryLengths(schema);
  let sum = 0;
  for (let at = 0; at < codes.length; at++) sum += (lengths[at % variables]![codes[at]!] ?? 0) + 1;
  return sum / count;
}

const categoryLengths = ({ variables }: TableSchema) =>
  variables.map((variable) => (variable.type === 'categorical' ? variable.categories.map((text) => text.length) : []));

/** The table in the order of its records, and a dataset beside it: codes of at most 16 bits. */
export const recordsBytes = ({ config, table }: Plan) =>
  config.synthesis.synthesized === 'all' ? 0 : 2 * table.records * (table.variables + config.synthesis.synthesized.length);

/** Distinct rows while they are found: rows and the slots that lead to them, and both again where they grow. */
export const indexBytes = (rows: number, variables: number) => 2 * (rowsBytes(rows, variables) + 4 * 4 * rows);

/** About how long a number is as text. */
const NUMBER_TEXT_BYTES = 10;

/** About how long a record is as CSV text. */
export function recordTextBytes({ variables }: TableSchema): number {
  return variables.reduce((sum, variable) => {
    if (variable.type === 'continuous') return sum + 1 + NUMBER_TEXT_BYTES;
    const length = variable.categories.reduce((total, text) => total + text.length, 0);
    return sum + 1 + length / variable.categories.length;
  }, 0);
}
