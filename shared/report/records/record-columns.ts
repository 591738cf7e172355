import type { ScenarioRows } from '../../contracts/results/record-details.ts';
import { type AttributeRiskTable, bayesFactorOf } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { VariableRiskRow, VariableRiskTable } from '../../contracts/results/tables/variable-risk-table.ts';
import { type OnUnits, unheard } from '../../contracts/stepwise.ts';
import type { Column, NumberColumns, ValueOfRows, VariableOfRows } from './browser/record-data.ts';
import { rounded, roundedToError } from './rounded.ts';

/** Texts in the order in which they first come, and for each row which it is. */
export class Texts<Text extends string | null> {
  readonly list: Text[] = [];
  readonly #places = new Map<Text, number>();

  /** The place of a text in the list. */
  placeOf(text: Text): number {
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.list.push(text) - 1;
      this.#places.set(text, place);
    }
    return place;
  }
}

/** A column as the page holds it: one value where all rows have it. */
export function column<Value extends number | null>(values: readonly Value[]): Column<Value> {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : values;
}

/** The values of some rows, by variable. */
export function variableColumns(variables: AttributeRiskTable['variables'], rows: readonly number[]): VariableOfRows[] {
  return variables.map(({ name, text }) => {
    const texts = new Texts<string | null>();
    const codes = rows.map((row) => texts.placeOf(text(row)));
    return { name, categories: texts.list, codes: column(codes) };
  });
}

/** Names of the columns of attribute risk that stand by themselves, without an error. */
const PLAIN = [
  'count',
  'candidates',
  'rank',
  'rank_low',
  'rank_high',
  'prior_probability',
  'information_bits',
  'prior_odds_to_first',
  'first_guess_probability',
] as const;

/** Figures of rows, which all have those of the first, by their names as columns; of one row in memory at a time. */
export function columnsOf<Row>(
  rows: readonly Row[],
  figuresOf: (row: Row, place: number) => Readonly<Record<string, number | null>>,
): NumberColumns {
  const columns: Record<string, (number | null)[]> = {};
  for (const [place, row] of rows.entries()) {
    for (const [name, value] of Object.entries(figuresOf(row, place))) {
      columns[name] ??= [];
      columns[name].push(value);
    }
  }
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, column(values)]));
}

/** The columns of attribute risk of some rows, by their names in `attribute-risk.csv`. `onRow` hears of each. */
export function riskColumns(table: AttributeRiskTable, rows: readonly number[], onRow: OnUnits = unheard): NumberColumns {
  const { columns } = table;
  const factorOf = (row: number) => {
    const factor = bayesFactorOf(table, row);
    // JSON has no Infinity; the page shows the largest number as a bound.
    return factor === null ? null : Math.min(factor, Number.MAX_VALUE);
  };
  const yes = (is: boolean) => (is ? 1 : 0);
  return columnsOf(rows, (row) => {
    onRow();
    const plain = Object.fromEntries(PLAIN.map((name) => [name, rounded(columns[name][row]!)]));
    const error = columns.probability_se[row]!;
    const [probability, probability_se] = roundedToError(columns.probability[row]!, error);
    const [ratio_to_uniform] = roundedToError(columns.ratio_to_uniform[row]!, error * columns.candidates[row]!);
    const withErrors = (['bayes_factor', 'privacy_loss', 'membership_bits'] as const).flatMap((name) => {
      const figure = name === 'bayes_factor' ? factorOf(row) : columns[name](row);
      const [value, own] = figure === null ? [null, null] : roundedToError(figure, columns[`${name}_se`](row) ?? 0);
      return [
        [name, value],
        [`${name}_se`, own],
      ] as const;
    });
    const [draws, tail] = [columns.effective_draws(row), columns.pareto_k(row)];
    return {
      ...plain,
      probability,
      probability_se,
      ratio_to_uniform,
      ...Object.fromEntries(withErrors),
      effective_draws: draws === null ? null : rounded(draws),
      pareto_k: tail === null ? null : rounded(tail),
      distinguishable: yes(columns.distinguishable(row)),
      heavy_tail: yes(columns.heavy_tail(row)),
      ...(columns.probability_fixed && { probability_fixed: rounded(columns.probability_fixed[row]!) }),
      ...(columns.proven && { proven: yes(columns.proven(row)) }),
    };
  });
}

/** What another intruder gets of rows that are found by their numbers; null where he has all records of one. */
export function scenarioColumns({ columns, ...own }: ScenarioRows, numbers: readonly number[]): NumberColumns {
  const rowOf = new Map<number, number>();
  for (const [row, number] of own.numbers.entries()) rowOf.set(number, row);
  return columnsOf(numbers, (number) => {
    const row = rowOf.get(number);
    const [probability, error] = row === undefined ? [null, null] : roundedToError(columns.probability[row]!, columns.probability_se[row]!);
    const names = ['candidates', 'prior_probability', 'rank', 'rank_low', 'rank_high'] as const;
    const plain = names.map((name) => [name, row === undefined ? null : rounded(columns[name][row]!)] as const);
    return { ...Object.fromEntries(plain), probability: probability!, probability_se: error! };
  });
}

/** Figures of a value that stand by themselves. */
const OF_VALUE = ['probability_before', 'rank_before', 'rank_after'] as const;

/** The rows of numbers, each with the place of its number. The table is in the order of its numbers, and may be long. */
function* rowsOfNumbers(
  { rows, row }: VariableRiskTable,
  numbers: readonly number[],
): Generator<readonly [place: number, row: VariableRiskRow]> {
  for (const [place, number] of numbers.entries()) {
    let [from, to] = [0, rows];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (row(middle).number < number) from = middle + 1;
      else to = middle;
    }
    for (; from < rows; from++) {
      const own = row(from);
      if (own.number !== number) break;
      yield [place, own];
    }
  }
}

/** What is known of the values of rows that are found by their numbers; a row without anything to guess has nulls. */
export function valueColumns(table: VariableRiskTable, numbers: readonly number[]): ValueOfRows[] {
  const byVariable = new Map<string, { texts: Texts<string>; columns: Record<string, (number | null)[]> }>();
  const empty = () => new Array<number | null>(numbers.length).fill(null);
  const opened = (variable: string) => {
    const own = byVariable.get(variable) ?? { texts: new Texts<string>(), columns: {} };
    byVariable.set(variable, own);
    return own;
  };
  for (const [place, row] of rowsOfNumbers(table, numbers)) {
    const { texts, columns } = opened(row.variable);
    const [after, error] = roundedToError(row.probability_after, row.probability_se);
    const figures: Record<string, number> = {
      ...Object.fromEntries(OF_VALUE.map((name) => [name, rounded(row[name])])),
      probability_after: after,
      probability_se: error,
      first_guess_before: texts.placeOf(row.first_guess_before),
      first_guess_after: texts.placeOf(row.first_guess_after),
      ...(row.proven === undefined ? {} : { proven: row.proven ? 1 : 0 }),
    };
    for (const [name, value] of Object.entries(figures)) {
      columns[name] ??= empty();
      columns[name][place] = value;
    }
  }
  return Array.from(byVariable, ([variable, { texts, columns }]) => ({
    variable,
    texts: texts.list,
    columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, column(values)])),
  }));
}
