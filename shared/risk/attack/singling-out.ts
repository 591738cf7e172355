import type { AttackOutcome } from '../../contracts/results/attack.ts';
import { exp, log, log1p } from '../../numeric/portable-math.ts';
import { quantile } from '../../numeric/quantile.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { Table } from '../../table/table.ts';
import { attackOutcome } from './attack-outcome.ts';

/** How a variable of a record is held against a value. */
export type Comparison = '==' | '!=' | '<=' | '>=' | '<' | '>';

interface Condition {
  readonly variable: number;
  readonly comparison: Comparison;
  readonly value: number;
}

/** Conditions that a record meets all of, by ascending variable. */
type Query = readonly Condition[];

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

/** Draws of a row and variables for each query that is wanted, at most. */
const DRAWS_PER_QUERY = 100;

const successes = (table: Table, queries: readonly Query[]) => queries.filter((query) => singlesOut(table, query)).length;

/**
 * Singling out by one variable or several (Giomi et al. 2023, section 4.1): queries that single out a row of the dataset,
 * and how many of them single out one of the table. As in Anonymeter attempts are those that were asked for, and the
 * successes against a control are carried over to a table of as many rows.
 *
 * @param files the distinct rows of each
 * @param columns of a query; of more than the table has, all
 */
export function singleOut(
  { table, dataset, control }: { readonly table: Table; readonly dataset: Table; readonly control: Table | null },
  asked: { attack: 'univariate' | 'multivariate'; dataset: number; attempts: number; columns: number },
  random: RandomSource,
): AttackOutcome {
  const { attack, attempts, columns } = asked;
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
    { attack, dataset: asked.dataset, queries: queries.length, ...few },
    {
      table: { attempts, successes: successes(table, queries) },
      baseline: { attempts, successes: successes(table, guesses) },
      control: control && { attempts, successes: controlSuccesses(control, queries, table.records) },
    },
  );
}

/** Successes against a control, for a table of as many rows as are wanted. */
function controlSuccesses(control: Table, queries: readonly Query[], wanted: number): number {
  const controlHits = successes(control, queries);
  if (control.records === wanted || controlHits === 0) return controlHits;
  const matches = queries.map((query) => countMatches(control, query, control.records + 1));
  const sizes = measuredSizes(control.records);
  const expected = sizes.map((size) => expectedSuccesses(matches, control.records, size));
  return controlHits * sizeCorrection(sizes, expected, control.records, wanted);
}

/** Sizes of a control at which successes are measured, as in Anonymeter. */
const SIZES = 10;

/** Records of the least of these sizes where the control has more by far, as in Anonymeter. */
const LEAST_SIZE = 1000;

const GOLDEN = 0.6180339887498949;
const NARROWINGS = 80;

/** Weights among which the range is looked for that the minimum lies in. */
const WEIGHTS = 200;

/**
 * The integral over weights w from 0 to `weight` of n w (1 - w)^(n - 1), the probability that a query of weight w singles
 * out one of n records (Cohen and Nissim 2020).
 */
function singledOut(records: number, weight: number): number {
  const none = weight === 1 ? 0 : exp(records * log1p(-weight));
  return (1 - (records * weight + 1) * none) / (records + 1);
}

/** Sizes from a tenth of the control, or 1,000 records, up to all of it. */
export function measuredSizes(records: number): number[] {
  const least = Math.min(LEAST_SIZE, Math.max(1, Math.ceil(records / 10)));
  return Array.from({ length: SIZES }, (_, i) => Math.floor(least + ((records - least) * i) / (SIZES - 1)));
}

/**
 * How many queries are expected to single out one of `size` records drawn without replacement from `records`: the sum of
 * hypergeometric probabilities of one match, where Anonymeter draws five times.
 *
 * @param matches of each query among all records
 */
export function expectedSuccesses(matches: readonly number[], records: number, size: number): number {
  let sum = 0;
  for (const count of matches) {
    let probability = (count * size) / records;
    for (let other = 0; other < count - 1 && probability > 0; other++) {
      probability *= Math.max(0, records - size - other) / (records - 1 - other);
    }
    sum += probability;
  }
  return sum;
}

/**
 * By what successes against `records` records are to be multiplied for a table of `wanted`: Anonymeter's model, norm
 * times the integral up to a weight, fitted by least squares to successes at several sizes. 1 where nothing succeeds.
 */
export function sizeCorrection(sizes: readonly number[], successes: readonly number[], records: number, wanted: number): number {
  if (successes.every((value) => value === 0)) return 1;
  const misfit = (logWeight: number) => {
    const weight = exp(logWeight);
    const shapes = sizes.map((size) => singledOut(size, weight));
    const squares = shapes.reduce((sum, shape) => sum + shape * shape, 0);
    const norm = shapes.reduce((sum, shape, i) => sum + shape * successes[i]!, 0) / squares;
    return shapes.reduce((sum, shape, i) => {
      const apart = successes[i]! - norm * shape;
      return sum + apart * apart;
    }, 0);
  };
  // From weights at which hardly anything is matched to all.
  const least = log(1e-4 / Math.max(wanted, ...sizes));
  const step = -least / WEIGHTS;
  let best = 0;
  for (let i = 1, lowest = misfit(least); i <= WEIGHTS; i++) {
    const squaredError = misfit(least + i * step);
    if (squaredError < lowest) [best, lowest] = [i, squaredError];
  }
  const weight = exp(lowestOf(misfit, least + (best - 1) * step, Math.min(0, least + (best + 1) * step)));
  return singledOut(wanted, weight) / singledOut(records, weight);
}

/** By golden section. */
function lowestOf(of: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let narrowing = 0; narrowing < NARROWINGS; narrowing++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (of(left) <= of(right)) high = right;
    else low = left;
  }
  return (low + high) / 2;
}
