import type { AttackOutcome } from '../../contracts/results/attack.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { Table } from '../../table/table.ts';
import { attackOutcome } from './attack-outcome.ts';
import { countMatches, type Query, singlesOut } from './query.ts';
import { multivariateQueries, randomQueries, univariateQueries } from './singling-out-queries.ts';
import { expectedSuccesses, measuredSizes, sizeCorrection } from './size-correction.ts';

/** Draws of a row and variables for each query that is wanted, at most. */
const DRAWS_PER_QUERY = 100;

/** The distinct rows of a table, a dataset and a control, or null. */
export interface SinglingOutFiles {
  readonly table: Table;
  readonly dataset: Table;
  readonly control: Table | null;
}

const successes = (table: Table, queries: readonly Query[]) => queries.filter((query) => singlesOut(table, query)).length;

/**
 * Singling out by one variable or several (Giomi et al. 2023, section 4.1): queries that single out a row of the dataset, and
 * how many of them single out one of the table. As in Anonymeter attempts are those that were asked for, also where there
 * are fewer queries, and the successes against a control are carried over to a table of as many rows.
 *
 * @param columns of a query; of more than the table has, all
 */
export function singleOut(
  { table, dataset, control }: SinglingOutFiles,
  {
    attack,
    dataset: number,
    attempts,
    columns,
  }: { attack: 'univariate' | 'multivariate'; dataset: number; attempts: number; columns: number },
  random: RandomSource,
): AttackOutcome {
  const width = attack === 'univariate' ? 1 : Math.min(columns, table.columns.length);
  const queries =
    attack === 'univariate'
      ? univariateQueries(dataset, attempts, random)
      : multivariateQueries(dataset, { most: attempts, columns: width, draws: DRAWS_PER_QUERY * attempts }, random);
  const guesses = randomQueries(dataset, attempts, width, random);
  const few =
    queries.length < attempts
      ? { reason: 'There are fewer different queries than attempts; those that are lacking count as failed, as in Anonymeter.' }
      : {};
  return attackOutcome(
    { attack, dataset: number, queries: queries.length, ...few },
    {
      table: { attempts, successes: successes(table, queries) },
      baseline: { attempts, successes: successes(table, guesses) },
      control: control && { attempts, successes: controlSuccesses(control, queries, table.records) },
    },
  );
}

/** Successes against a control, for a table of as many rows as are wanted. */
function controlSuccesses(control: Table, queries: readonly Query[], wanted: number): number {
  const found = successes(control, queries);
  if (control.records === wanted || found === 0) return found;
  const matches = queries.map((query) => countMatches(control, query, control.records + 1));
  const sizes = measuredSizes(control.records);
  const expected = sizes.map((size) => expectedSuccesses(matches, control.records, size));
  return found * sizeCorrection(sizes, expected, control.records, wanted);
}
