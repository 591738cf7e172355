import { quantile } from '../../numeric/quantile.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { Table } from '../../table/table.ts';

/** How a variable of a record is held against a value. */
export type Comparison = '==' | '!=' | '<=' | '>=' | '<' | '>';

interface Condition {
  readonly variable: number;
  readonly comparison: Comparison;
  readonly value: number;
}

/** Conditions that a record meets all of, by ascending variable. */
export type Query = readonly Condition[];

/** Queries that ask for the same have the same text. */
export const queryText = (query: Query): string =>
  query.map(({ variable, comparison, value }) => `${variable}${comparison}${value}`).join('&');

/** Codes or values of a variable. */
export function numbersOf({ columns }: Table, variable: number): ArrayLike<number> {
  const column = columns[variable]!;
  return column.type === 'categorical' ? column.codes : column.values;
}

function meets(held: number, comparison: Comparison, value: number): boolean {
  switch (comparison) {
    case '==':
      return held === value;
    case '!=':
      return held !== value;
    case '<=':
      return held <= value;
    case '>=':
      return held >= value;
    case '<':
      return held < value;
    case '>':
      return held > value;
  }
}

/** How many records of a table meet a query; counting ends at `most`. */
export function countMatches(table: Table, query: Query, most: number): number {
  const columns = query.map(({ variable }) => numbersOf(table, variable));
  let matches = 0;
  for (let record = 0; record < table.records; record++) {
    let all = true;
    for (let c = 0; c < query.length && all; c++) {
      all = meets(columns[c]![record]!, query[c]!.comparison, query[c]!.value);
    }
    if (all && ++matches === most) return matches;
  }
  return matches;
}

/** Whether one record of a table alone meets a query. */
export const singlesOut = (table: Table, query: Query): boolean => countMatches(table, query, 2) === 1;

const OF_CATEGORIES: readonly Comparison[] = ['==', '!='];
const OF_NUMBERS: readonly Comparison[] = ['==', '!=', '<=', '>=', '<', '>'];

const isContinuous = ({ columns }: Table, variable: number) => columns[variable]!.type === 'continuous';

/** Distinct numbers of a variable in ascending order, with how often each occurs. */
function distinctNumbers(table: Table, variable: number): { values: number[]; counts: number[] } {
  const sorted = Float64Array.from(numbersOf(table, variable)).sort();
  const [values, counts]: [number[], number[]] = [[], []];
  for (const value of sorted) {
    if (value === values.at(-1)) counts[counts.length - 1]!++;
    else {
      values.push(value);
      counts.push(1);
    }
  }
  return { values, counts };
}

/**
 * At most `most` queries of one variable that single out a distinct row of a dataset, as Anonymeter draws them: values
 * that one row alone has, and of a continuous variable what reaches to its least or greatest value.
 */
export function univariateQueries(rows: Table, most: number, random: RandomSource): Query[] {
  const conditions: Condition[] = [];
  for (let variable = 0; variable < rows.columns.length; variable++) {
    const { values, counts } = distinctNumbers(rows, variable);
    if (isContinuous(rows, variable)) {
      conditions.push({ variable, comparison: '<=', value: values[0]! });
      conditions.push({ variable, comparison: '>=', value: values.at(-1)! });
    }
    for (const [i, value] of values.entries()) {
      if (counts[i] === 1) conditions.push({ variable, comparison: '==', value });
    }
  }
  const queries: Query[] = [];
  for (const place of drawDistinct(random, conditions.length, conditions.length)) {
    if (queries.length === most) break;
    const query = [conditions[place]!];
    if (singlesOut(rows, query)) queries.push(query);
  }
  return queries;
}

/**
 * At most `most` queries of several variables that single out a distinct row of a dataset, as Anonymeter draws them: a
 * row and variables by chance, at most `draws` times, its category, or a continuous value and all beyond it, away from
 * the median.
 */
export function multivariateQueries(
  rows: Table,
  { most, columns, draws }: { most: number; columns: number; draws: number },
  random: RandomSource,
): Query[] {
  const medians = rows.columns.map((column) =>
    column.type === 'continuous' ? quantile(Float64Array.from(column.values).sort(), 0.5) : null,
  );
  const tried = new Set<string>();
  const queries: Query[] = [];
  for (let draw = 0; draw < draws && queries.length < most; draw++) {
    const row = random.below(rows.records);
    const variables = drawDistinct(random, rows.columns.length, columns).sort();
    const query = Array.from(variables, (variable): Condition => {
      const value = numbersOf(rows, variable)[row]!;
      const median = medians[variable]!;
      return { variable, comparison: median === null ? '==' : value > median ? '>=' : '<=', value };
    });
    const text = queryText(query);
    if (tried.has(text)) continue;
    tried.add(text);
    if (singlesOut(rows, query)) queries.push(query);
  }
  return queries;
}

/** Queries by chance, as Anonymeter's baseline draws them: variables, a value that each has in the dataset, a comparison. */
export function randomQueries(rows: Table, count: number, columns: number, random: RandomSource): Query[] {
  const values = rows.columns.map((_, variable) => distinctNumbers(rows, variable).values);
  return Array.from({ length: count }, () => {
    const variables = drawDistinct(random, rows.columns.length, columns).sort();
    return Array.from(variables, (variable): Condition => {
      const candidates = values[variable]!;
      const comparisons = isContinuous(rows, variable) ? OF_NUMBERS : OF_CATEGORIES;
      return { variable, value: candidates[random.below(candidates.length)]!, comparison: comparisons[random.below(comparisons.length)]! };
    });
  });
}
