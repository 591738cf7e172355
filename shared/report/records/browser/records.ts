import type { Column, NumberColumns, RecordData } from './record-data.ts';

/** The element of a column that a row (from 0) has. */
export function at<Value>(column: Column<Value>, row: number): Value {
  return Array.isArray(column) ? (column as readonly Value[])[row]! : (column as Value);
}

/** A number of a row by its column's name; null where there is none, or no such column. */
export function numberAt(columns: NumberColumns, name: string, row: number): number | null {
  const column = columns[name];
  return column === undefined ? null : at(column, row);
}

/** The value of a variable as text: what is missing is said to be. */
export const valueText = (text: string | null) => text ?? 'missing';

/** Figures of which a person asks for a least value, in words. */
export const LEAST_MEASURES = { probability: 'Probability', near_rise: 'Rise near', match_risk: 'Match risk' } as const;

/** The records of a page, with what finding them takes. */
export class Records {
  readonly data: RecordData;
  readonly #rowOf = new Map<number, number>();
  /** Of each variable its categories in small letters. */
  readonly #small: readonly (readonly string[])[];

  constructor(data: RecordData) {
    this.data = data;
    for (let row = 0; row < data.rows; row++) this.#rowOf.set(this.numberOf(row), row);
    this.#small = data.variables.map(({ categories }) => categories.map((text) => valueText(text).toLowerCase()));
  }

  /** The number, from 1, by which people name a row. */
  numberOf(row: number): number {
    return at(this.data.numbers, row);
  }

  /** The row of that number; undefined where it is not on the page. */
  rowOf(number: number): number | undefined {
    return this.#rowOf.get(number);
  }

  /** Whether the page holds the details of a row. */
  hasDetails(row: number): boolean {
    return row < this.data.detailed;
  }

  /** A number of a row by its name in the tables of results. */
  figure(name: string, row: number): number | null {
    return numberAt(this.data.columns, name, row);
  }

  /** Whether the run has a figure of that name. */
  has(name: string): boolean {
    return this.data.columns[name] !== undefined;
  }

  /** The figure by which rows are the more at risk the larger it is. */
  get riskMeasure(): string {
    return ['ratio_to_uniform', 'near_rise'].find((name) => this.has(name)) ?? 'match_risk';
  }

  /** The figure of which a person asks for a least value. */
  get leastMeasure(): keyof typeof LEAST_MEASURES {
    return (['probability', 'near_rise'] as const).find((name) => this.has(name)) ?? 'match_risk';
  }

  /** Records of a row. */
  countOf(row: number): number {
    return this.figure('count', row) ?? 1;
  }

  /** The text of the first guess, null for the truth. */
  guessOf(row: number): string | null {
    return this.data.guesses[at(this.data.guess, row)] ?? null;
  }

  /** The categories of a row as text, in the order of the variables. */
  valuesOf(row: number): { name: string; value: string | null }[] {
    return this.data.variables.map(({ name, categories, codes }) => ({ name, value: categories[at(codes, row)]! }));
  }

  /** Which categories of a variable hold a text in small letters. */
  matching(variable: number, text: string, whole: boolean): Uint8Array {
    return Uint8Array.from(this.#small[variable]!, (category) => ((whole ? category === text : category.includes(text)) ? 1 : 0));
  }
}
