import { parseFormula } from '../../contracts/config/regression-formula.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { didYouMean } from '../../contracts/settings/nearest-name.ts';
import { designCount } from './design.ts';

/** Coefficients of a regression at most: its matrices take their square. */
const MOST_COEFFICIENTS = 500;

/** What kind of regression a response has. */
export type Family = 'linear' | 'logistic' | 'ordered';

/** A formula whose names have been found in a table. */
export interface OpenedRegression {
  readonly formula: string;
  readonly family: Family;
  /** Index of the response. */
  readonly response: number;
  /** Of logistic regression: the code whose probability is modelled. */
  readonly category: number | null;
  /** Indices of the variables of each term. */
  readonly terms: readonly (readonly number[])[];
}

/**
 * Finds the variables of a formula in a table. Messages give the number of the regression, and nothing of its text: what
 * names no variable may be a value.
 *
 * @param number of the regression, from 1
 * @param ordered names of variables whose categories have an order
 * @throws InvalidConfigError `malformed-formula`, `unknown-variable`, `unknown-category`, `unordered-response`,
 * `category-of-number`, `response-among-terms`, `missing-main-effect`, `too-many-coefficients`
 */
export function openRegression(text: string, number: number, schema: TableSchema, ordered: ReadonlySet<string>): OpenedRegression {
  const refuse = (code: string, why: string) =>
    new InvalidConfigError(code, `utility.regressions: formula ${number} (--regression) ${why}.`);
  const parsed = parseFormula(text);
  if ('wrong' in parsed) throw refuse('malformed-formula', parsed.wrong);
  const { variables } = schema;
  const indexOf = (name: string, where: string) => {
    const index = variables.findIndex((variable) => variable.name === name);
    if (index < 0) {
      const names = variables.map((variable) => variable.name);
      throw refuse('unknown-variable', `${where} names no variable of the table${didYouMean(name, names)}`);
    }
    return index;
  };
  const response = indexOf(parsed.response, 'as its response');
  const variable = variables[response]!;
  const terms =
    parsed.terms?.map((term, t) => term.map((name) => indexOf(name, `in term ${t + 1}`))) ??
    [...variables.keys()].filter((v) => v !== response).map((v) => [v]);
  if (terms.some((term) => term.includes(response))) {
    throw refuse('response-among-terms', 'has its response among its terms');
  }
  const mains = new Set(terms.filter((term) => term.length === 1).map(([v]) => v!));
  if (terms.some((term) => term.some((v) => !mains.has(v)))) {
    throw refuse('missing-main-effect', 'has a product of variables that do not stand by themselves: write A * B for A + B + A:B');
  }
  const count = designCount(schema, terms);
  if (count > MOST_COEFFICIENTS) {
    throw refuse('too-many-coefficients', `has ${count} coefficients: at most ${MOST_COEFFICIENTS} are offered`);
  }
  const opened = { formula: parsed.text, response, terms };
  if (variable.type === 'continuous') {
    if (parsed.category !== null) {
      throw refuse('category-of-number', 'has a category of a continuous variable as its response');
    }
    return { ...opened, family: 'linear', category: null };
  }
  if (parsed.category !== null) {
    const category = variable.categories.indexOf(parsed.category);
    if (category < 0) throw refuse('unknown-category', 'names no category of its response');
    return { ...opened, family: 'logistic', category };
  }
  if (!ordered.has(variable.name)) {
    throw refuse(
      'unordered-response',
      `has the categorical variable ${variable.name} as its response, whose categories have no order: name one (${variable.name} == CATEGORY), or say in the config that they have one (variables.${variable.name}.ordered: true)`,
    );
  }
  return { ...opened, family: 'ordered', category: null };
}

/**
 * Names of the variables that a config says are ordered.
 *
 * @throws InvalidConfigError `ordered-number` for a continuous one
 */
export function orderedVariables(
  overrides: Readonly<Record<string, { readonly ordered?: boolean | undefined }>>,
  { variables }: TableSchema,
): Set<string> {
  const ordered = Object.keys(overrides).filter((name) => overrides[name]!.ordered === true);
  for (const name of ordered) {
    if (variables.some((variable) => variable.name === name && variable.type === 'continuous')) {
      throw new InvalidConfigError(
        'ordered-number',
        `variables.${name}.ordered: the variable is continuous, and its numbers have their order: leave it out, or set "type: categorical".`,
      );
    }
  }
  return new Set(ordered);
}
