import { InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { didYouMean } from '../../contracts/settings/nearest-name.ts';
import { isMissingText } from '../../table/category-text.ts';
import { columnNames } from '../../table/files/column-names.ts';
import { decimalNumber } from '../../table/files/decimal-number.ts';
import { readCsv } from '../../table/files/read-csv.ts';

/** Weights of the cells of some variables, as one file of a prior gives them; cells that it does not name weigh nothing. */
export interface PriorWeights {
  /** Columns of the table, in the order of the file. */
  readonly variables: Uint16Array;
  /** cells x variables. */
  readonly codes: Uint16Array;
  /** Of each cell: at least 0, not all 0. */
  readonly weights: Float64Array;
}

/** Name of the column of weights; the others are named after variables. */
const WEIGHT = 'weight';

/**
 * Reads weights from the bytes of a CSV file: a column for each variable that the weights hang on, and `weight`.
 *
 * Errors (InvalidTableError, rows counted from 1): those of `columnNames` and `readCsv`; `no-weight-column`,
 * `no-variable`, `unknown-variable`, `continuous-variable`, `value-outside-categories`, `malformed-weight`,
 * `negative-weight`, `repeated-cell` and, where all weights are zero or there are none, `no-weight`.
 *
 * @param file number of the file among those of the prior, from 1, for messages
 */
export function readPriorWeights(bytes: Uint8Array, { variables }: TableSchema, file: number): PriorWeights {
  try {
    return readWeights(bytes, variables);
  } catch (error) {
    if (!(error instanceof InvalidTableError)) throw error;
    throw new InvalidTableError(error.code, `file ${file} of the prior: ${error.message}`, error.where);
  }
}

function readWeights(bytes: Uint8Array, variables: TableSchema['variables']): PriorWeights {
  const named: number[] = [];
  const columns: number[][] = [];
  const weights: number[] = [];
  readCsv(bytes, (header) => {
    const names = columnNames(header);
    if (!names.includes(WEIGHT)) {
      throw new InvalidTableError('no-weight-column', `expected a column \`${WEIGHT}\` in the header`);
    }
    if (names.every((name) => name === undefined || name === WEIGHT)) {
      throw new InvalidTableError('no-variable', `expected a column of a variable beside \`${WEIGHT}\``);
    }
    return names.map((name, index) => {
      if (name === undefined) return undefined;
      if (name === WEIGHT) return weightColumn(weights, index + 1);
      const codes: number[] = [];
      columns.push(codes);
      return codeColumn(variables, name, index + 1, named, codes);
    });
  });
  if (!weights.some((weight) => weight > 0)) {
    throw new InvalidTableError('no-weight', 'expected a weight above 0 in at least one row');
  }
  const codes = Uint16Array.from(weights.flatMap((_, row) => columns.map((column) => column[row]!)));
  const prior = { variables: Uint16Array.from(named), codes, weights: Float64Array.from(weights) };
  refuseRepeatedCells(prior);
  return prior;
}

function weightColumn(weights: number[], column: number) {
  return {
    add: (text: string) => {
      const weight = decimalNumber(text);
      const row = weights.push(weight);
      if (Number.isNaN(weight)) {
        throw new InvalidTableError('malformed-weight', `row ${row}, column ${column} (${WEIGHT}): expected a number`, { row, column });
      }
      if (weight < 0) {
        throw new InvalidTableError('negative-weight', `row ${row}, column ${column} (${WEIGHT}): expected at least 0`, { row, column });
      }
    },
  };
}

function codeColumn(variables: TableSchema['variables'], name: string, column: number, named: number[], codes: number[]) {
  const at = variables.findIndex((variable) => variable.name === name);
  const variable = variables[at];
  if (variable === undefined) {
    // The name itself may be a value, where the file has no header.
    const meant = didYouMean(name, [...variables.map((one) => one.name), WEIGHT]);
    throw new InvalidTableError(
      'unknown-variable',
      `column ${column} is not called like a variable of the table${meant}: expected in the header only names of its ${variables.length} variables, as that writes them, and \`${WEIGHT}\``,
      { column },
    );
  }
  if (variable.type === 'continuous') {
    throw new InvalidTableError(
      'continuous-variable',
      `column ${column} is of the variable ${name}, which is continuous: expected categorical variables only`,
      { column },
    );
  }
  named.push(at);
  return {
    add: (text: string) => {
      // A missing value is a category without a text, where it is one.
      const code = variable.categories.indexOf(isMissingText(text) ? '' : text);
      const row = codes.push(code);
      if (code >= 0) return;
      throw new InvalidTableError(
        'value-outside-categories',
        `row ${row}, column ${column}: expected one of the ${variable.categories.length} categories of ${variable.name}; categories that no record has can be declared in the config`,
        { row, column },
      );
    },
  };
}

function refuseRepeatedCells({ variables, codes, weights }: PriorWeights): void {
  const width = variables.length;
  const seen = new Map<string, number>();
  for (let row = 0; row < weights.length; row++) {
    const cell = codes.subarray(row * width, (row + 1) * width).join();
    const earlier = seen.get(cell);
    if (earlier !== undefined) {
      throw new InvalidTableError(
        'repeated-cell',
        `rows ${earlier + 1} and ${row + 1} have the same categories: expected one weight for each`,
        { row: row + 1 },
      );
    }
    seen.set(cell, row);
  }
}
