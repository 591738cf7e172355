import type { TableSchema } from '../../contracts/schema.ts';
import type { Column } from '../../table/table.ts';

/**
 * The rows of a design matrix without their zeros: those of a row are at `starts[row]` to before `starts[row + 1]`, their
 * columns ascending. All values are 1 where there are no continuous variables.
 */
export interface Design {
  readonly rows: number;
  /** Columns. */
  readonly count: number;
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array | null;
}

/** The columns of a design matrix, and its rows for any rows of variables. */
export interface DesignColumns {
  /** `(intercept)`, `SEX=2`, `INCOME`, `SEX=2:INCOME`. */
  readonly names: readonly string[];
  of(columns: readonly Column[], rows: number): Design;
}

/** Rows whose terms are found before they are put together: few enough for a processor's cache. */
const BLOCK_ROWS = 256;

/** What the intercept is called. */
const INTERCEPT = '(intercept)';

/** Columns of a design that has a term for each set of variables, beside an intercept or without one. */
export function designCount({ variables }: TableSchema, terms: readonly (readonly number[])[]): number {
  return terms.reduce((sum, term) => sum + term.reduce((size, v) => size * width(variables[v]!), 1), 1);
}

const width = (variable: TableSchema['variables'][number]) => (variable.type === 'categorical' ? variable.categories.length - 1 : 1);

/**
 * A design matrix as R makes it: a continuous variable is a column, a categorical one has a column for each category but
 * the first (treatment contrasts), and a term of several variables has their products.
 *
 * @param terms sets of indices of variables; a term of several stands after those of each of them
 * @param intercept whether there is one, as the first column
 */
export function openDesign(schema: TableSchema, terms: readonly (readonly number[])[], intercept = true): DesignColumns {
  const { variables } = schema;
  const names = intercept ? [INTERCEPT] : [];
  const offsets: number[] = [];
  for (const term of terms) {
    offsets.push(names.length);
    names.push(...termNames(term.map((v) => variables[v]!)));
  }
  const hasNumbers = terms.some((term) => term.some((v) => variables[v]!.type === 'continuous'));
  return {
    names,
    of(columns, rows) {
      const starts = new Uint32Array(rows + 1);
      let room = new Uint32Array(rows * (1 + terms.length));
      let numbers = hasNumbers ? new Float64Array(room.length) : null;
      const places = new Int32Array(BLOCK_ROWS * terms.length);
      const products = hasNumbers ? new Float64Array(places.length) : null;
      let at = 0;
      for (let from = 0; from < rows; from += BLOCK_ROWS) {
        const to = Math.min(rows, from + BLOCK_ROWS);
        places.fill(0);
        products?.fill(1);
        for (const [t, term] of terms.entries()) {
          for (const v of term) multiply(columns[v]!, width(variables[v]!), { from, to, t, terms: terms.length }, places, products);
        }
        for (let row = from; row < to; row++) {
          if (intercept) {
            room[at] = 0;
            if (numbers) numbers[at] = 1;
            at++;
          }
          const first = (row - from) * terms.length;
          for (let t = 0; t < terms.length; t++) {
            const place = places[first + t]!;
            room[at] = offsets[t]! + place;
            if (numbers) numbers[at] = products![first + t]!;
            // What is 0 is written over by what follows. Chance decides where that is: branches would be foretold wrongly.
            at += 1 + (place >> 31);
          }
          starts[row + 1] = at;
        }
      }
      if (at < room.length / 2) {
        room = room.slice(0, at);
        numbers = numbers?.slice(0, at) ?? null;
      }
      return { rows, count: names.length, starts, indices: room, values: numbers };
    },
  };
}

/** Some rows of a term, the `t`-th of so many. */
interface TermRows {
  readonly from: number;
  readonly to: number;
  readonly t: number;
  readonly terms: number;
}

/**
 * Multiplies a term by a variable in some rows: its place among the products of the term, and its value; -1 where it is 0, all of whose
 * bits are set.
 */
function multiply(column: Column, size: number, { from, to, t, terms }: TermRows, places: Int32Array, products: Float64Array | null): void {
  if (column.type === 'continuous') {
    const { values } = column;
    for (let row = from, j = t; row < to; row++, j += terms) {
      products![j]! *= values[row]!;
      if (products![j] === 0) places[j] = -1;
    }
    return;
  }
  const { codes } = column;
  for (let row = from, j = t; row < to; row++, j += terms) {
    const code = codes[row]! - 1;
    const place = places[j]!;
    places[j] = (place * size + code) | (code >> 31) | (place >> 31);
  }
}

function termNames(term: readonly TableSchema['variables'][number][]): string[] {
  return term.reduce<string[]>((names, variable) => {
    const own =
      variable.type === 'categorical' ? variable.categories.slice(1).map((category) => `${variable.name}=${category}`) : [variable.name];
    return names.length === 0 ? own : names.flatMap((name) => own.map((one) => `${name}:${one}`));
  }, []);
}

/** Adds X^T diag(weights) X to the lower triangle of a matrix (count x count). */
export function addCrossProducts(design: Design, weights: Float64Array, matrix: Float64Array): void {
  const { rows, count, starts, indices, values } = design;
  for (let row = 0; row < rows; row++) {
    const from = starts[row]!;
    const to = starts[row + 1]!;
    const weight = weights[row]!;
    if (weight === 0) continue;
    for (let j = from; j < to; j++) {
      const line = indices[j]! * count;
      if (values === null) {
        for (let l = from; l <= j; l++) matrix[line + indices[l]!]! += weight;
      } else {
        const weighted = weight * values[j]!;
        for (let l = from; l <= j; l++) matrix[line + indices[l]!]! += weighted * values[l]!;
      }
    }
  }
}

/** Adds X^T v to a vector (count). */
export function addTransposed(design: Design, vector: Float64Array, out: Float64Array): void {
  const { rows, starts, indices, values } = design;
  for (let row = 0; row < rows; row++) {
    const value = vector[row]!;
    const to = starts[row + 1]!;
    if (values === null) for (let j = starts[row]!; j < to; j++) out[indices[j]!]! += value;
    else for (let j = starts[row]!; j < to; j++) out[indices[j]!]! += value * values[j]!;
  }
}

/** X b, one element a row. */
export function times({ rows, starts, indices, values }: Design, vector: Float64Array, out = new Float64Array(rows)): Float64Array {
  for (let row = 0; row < rows; row++) {
    const to = starts[row + 1]!;
    let sum = 0;
    if (values === null) for (let j = starts[row]!; j < to; j++) sum += vector[indices[j]!]!;
    else for (let j = starts[row]!; j < to; j++) sum += vector[indices[j]!]! * values[j]!;
    out[row] = sum;
  }
  return out;
}
