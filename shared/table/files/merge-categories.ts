import type { Config } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { Variable } from '../../contracts/schema.ts';
import { isMissingText } from '../category-text.ts';
import type { Column, Table } from '../table.ts';

type Merge = NonNullable<Config['variables'][string]['merge']>;

/** For each category that is merged, what it becomes. */
const targetsOf = (merge: Merge) =>
  new Map(Object.entries(merge).flatMap(([name, members]) => members.map((member) => [member, name] as const)));

/** The category that a value has after merging. */
export const mergedCategory = (merge: Merge | undefined, category: string): string => (merge && targetsOf(merge).get(category)) ?? category;

/**
 * A table with some categories merged, as the config says (`variables.NAME.merge`): a merged category stands where the first
 * of its members stood. What is refused (InvalidConfigError) names the variable and no category.
 */
export function mergeCategories(table: Table, variables: Config['variables']): Table {
  const merged = table.schema.variables.map((variable, v) => {
    const merge = variables[variable.name]?.merge;
    const column = table.columns[v]!;
    return merge === undefined ? { variable, column } : mergeVariable(variable, column, merge);
  });
  return {
    schema: { variables: merged.map(({ variable }) => variable) },
    records: table.records,
    columns: merged.map(({ column }) => column),
  };
}

function mergeVariable(variable: Variable, column: Column, merge: Merge): { readonly variable: Variable; readonly column: Column } {
  const refuse = (code: string, message: string) => new InvalidConfigError(code, `variables.${variable.name}.merge: ${message}`);
  if (variable.type === 'continuous' || column.type === 'continuous') {
    throw refuse('merge-of-numbers', 'the variable is continuous, and has no categories to merge');
  }
  if (Object.keys(merge).some(isMissingText)) {
    throw refuse('reserved-category', 'NA stands for missing values: no category can be so named');
  }
  const targets = targetsOf(merge);
  if (targets.size < Object.values(merge).flat().length) throw refuse('repeated-category', 'a category is merged twice');
  if ([...targets.keys()].some((member) => !variable.categories.includes(member))) {
    throw refuse('unknown-category', 'the variable does not have all of the categories that are merged');
  }
  const names = variable.categories.map((category) => targets.get(category) ?? category);
  const categories = [...new Set(names)];
  if (categories.length < 2) throw refuse('single-category', 'the variable would be left with one category');
  // The code after the last stands for a missing value that is no category.
  const codes = Uint16Array.from([...names.map((name) => categories.indexOf(name)), categories.length]);
  const { missingCode } = variable;
  return {
    variable: { ...variable, categories, ...(missingCode === undefined ? {} : { missingCode: codes[missingCode]! }) },
    column: { type: 'categorical', codes: column.codes.map((code) => codes[code]!) },
  };
}
