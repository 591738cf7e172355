import { InvalidTableError } from '../../contracts/errors.ts';
import type { CategoricalVariable, TableSchema } from '../../contracts/schema.ts';
import { didYouMean } from '../../contracts/settings/nearest-name.ts';
import { isMissingText } from '../category-text.ts';
import { columnNames } from '../files/column-names.ts';
import { readCsv } from '../files/read-csv.ts';

/**
 * Partial combinations of categories that no record can have. `codes` is `rules` x `variables`, row-major; where a
 * rule leaves a variable open, the code is the variable's number of categories.
 */
export type StructuralZeros = { rules: number; codes: Uint16Array };

/**
 * Reads structural zeros from the bytes of a CSV file: the header names variables of the table, all or some, in any
 * order; each row is one rule, and an empty cell (or `NA`) stands for any value.
 *
 * Errors (InvalidTableError, rows counted from 1): those of `columnNames` and `readCsv`; `unknown-variable`,
 * `value-outside-categories`, `continuous-variable`, `no-rules` and, for a row of empty cells, `empty-rule`.
 */
export function readStructuralZeros(bytes: Uint8Array, { variables }: TableSchema): StructuralZeros {
  const rules: Uint16Array[] = [];
  try {
    readCsv(bytes, (header) => {
      const names = columnNames(header);
      const columns = names.map((name, index) => (name === undefined ? undefined : namedVariable(variables, name, index)));
      const open = Uint16Array.from(variables, sizeOf);
      return columns.map((column, index) => column && ruleColumn(column, index + 1, rules, open));
    });
    refuseEmptyRules(rules, variables);
  } catch (error) {
    if (!(error instanceof InvalidTableError)) throw error;
    throw new InvalidTableError(error.code, `structural zeros: ${error.message}`, error.where);
  }
  const codes = new Uint16Array(rules.length * variables.length);
  for (const [r, rule] of rules.entries()) codes.set(rule, r * variables.length);
  return { rules: rules.length, codes };
}

type Variables = TableSchema['variables'];

const sizeOf = (variable: Variables[number]) => (variable.type === 'categorical' ? variable.categories.length : 0);

/** The variable that a column is named after. */
function namedVariable(variables: Variables, name: string, index: number) {
  const at = variables.findIndex((variable) => variable.name === name);
  const variable = variables[at];
  if (variable === undefined) {
    // The name itself may be a value, where the file has no header.
    const names = variables.map((one) => one.name);
    const meant = didYouMean(name, names);
    throw new InvalidTableError(
      'unknown-variable',
      `column ${index + 1} is not called like a variable of the table${meant}: expected in the header only names of its ${variables.length} variables, as that writes them`,
      { column: index + 1 },
    );
  }
  if (variable.type === 'continuous') {
    throw new InvalidTableError(
      'continuous-variable',
      `column ${index + 1} is of the variable ${name}, which is continuous: expected categorical variables only`,
      { column: index + 1 },
    );
  }
  return { variable, at };
}

/** What reads the cells of a column of the file (from 1) into the rules, each of which begins with all variables open. */
function ruleColumn(named: { variable: CategoricalVariable; at: number }, column: number, rules: Uint16Array[], open: Uint16Array) {
  const { variable, at } = named;
  let row = 0;
  return {
    add: (text: string) => {
      const rule = rules[row] ?? open.slice();
      rules[row++] = rule;
      if (isMissingText(text)) return;
      const code = variable.categories.indexOf(text);
      if (code < 0) {
        throw new InvalidTableError(
          'value-outside-categories',
          `row ${row}, column ${column}: expected one of the ${variable.categories.length} categories of ${variable.name}, or an empty cell for any value; categories that no record has can be declared in the config`,
          { row, column },
        );
      }
      rule[at] = code;
    },
  };
}

function refuseEmptyRules(rules: readonly Uint16Array[], variables: Variables): void {
  if (rules.length === 0) throw new InvalidTableError('no-rules', 'expected at least one row under the header');
  const empty = rules.findIndex((rule) => rule.every((code, k) => code === sizeOf(variables[k]!)));
  if (empty < 0) return;
  throw new InvalidTableError(
    'empty-rule',
    `row ${empty + 1}: expected a category in at least one variable, since empty cells alone would forbid every record`,
    { row: empty + 1 },
  );
}
