import { bandLabels } from '../../contracts/config/bands.ts';
import type { Config } from '../../contracts/config/config.ts';
import { densityField } from '../../contracts/continuous.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { CategoricalVariable, Variable } from '../../contracts/schema.ts';
import { isMissingText } from '../category-text.ts';
import { MAX_CATEGORIES } from '../table.ts';

type Override = Config['variables'][string];

/**
 * How a column is read: its type inferred, categories as found, only the declared categories, numbers in declared bands,
 * only the categories of an existing schema (in its codes), or numbers. With `source` the file is of the source of the
 * schema's table: what that groups and merges is grouped and merged here too.
 */
export type ColumnRule =
  | { type: 'infer' }
  | { type: 'categorical' }
  | { type: 'declared'; categories: readonly string[] }
  | { type: 'banded'; breaks: readonly number[]; categories: readonly string[] }
  | { type: 'schema'; variable: CategoricalVariable; source?: Override }
  | { type: 'continuous' };

/**
 * The rule for a variable that the config overrides, or not (undefined). Declared categories keep their order.
 *
 * @param missingCodes texts that stand for missing values, where the variable has none of its own
 * @throws InvalidConfigError for settings that contradict each other
 */
export function ruleOfOverride(name: string, override: Override | undefined, missingCodes: readonly string[] = []): ColumnRule | 'dropped' {
  const refuse = (code: string, why: string) => new InvalidConfigError(code, `variables.${name}: ${why}`);
  const refuseMany = (declared: readonly unknown[], what: string) => {
    if (declared.length > MAX_CATEGORIES) throw refuse('too-many-categories', `at most ${MAX_CATEGORIES} ${what} can be declared`);
  };
  const refuseUnordered = (declared: readonly number[], what: string) => {
    const isRising = declared.every((from, k) => k === 0 || from > declared[k - 1]!);
    if (!isRising) throw refuse(`unordered-${what}`, `expected each of the ${what} to be above the one before`);
  };
  const { categories, breaks, type, candidates, drop, range, ...others } = override ?? {};
  const density = densityField(others);
  if (drop) {
    const declared = { categories, breaks, type, candidates, range, ...others };
    if (Object.values(declared).every((value) => value === undefined)) return 'dropped';
    throw refuse('drop-with-others', 'a column that is dropped has no other settings; remove them, or the drop');
  }
  if (range !== undefined) {
    if (categories !== undefined || type === 'categorical') {
      throw refuse('range-of-categories', 'a range is of a number, which has no categories; remove one of the two');
    }
    if (range[0] >= range[1]) throw refuse('unordered-range', 'expected the lowest value before the highest');
  }
  if (density !== undefined && (categories !== undefined || breaks !== undefined || type === 'categorical')) {
    throw refuse('density-of-categories', `${density} is of a continuous variable, which has no categories; remove one of the two`);
  }
  if (candidates !== undefined) {
    if (categories !== undefined || breaks !== undefined || type === 'categorical') {
      throw refuse(
        'candidates-of-categories',
        'candidates are bands or a grid for the values of a continuous variable; a categorical one has its categories',
      );
    }
    const declared = 'bands' in candidates ? candidates.bands : candidates.grid;
    refuseUnordered(declared, 'candidates');
    refuseMany(declared, 'candidates');
    return { type: 'continuous' };
  }
  if (breaks !== undefined) {
    if (categories !== undefined || type !== undefined) {
      throw refuse('breaks-with-others', 'breaks say all of a variable; remove type and categories, or the breaks');
    }
    refuseUnordered(breaks, 'breaks');
    refuseMany(breaks, 'bands');
    return { type: 'banded', breaks, categories: bandLabels(breaks) };
  }
  if (categories === undefined) return { type: type ?? (density === undefined ? 'infer' : 'continuous') };
  if (type === 'continuous') {
    throw refuse('continuous-with-categories', 'a continuous variable has no categories; remove one of the two');
  }
  if (new Set(categories).size < categories.length) throw refuse('duplicate-category', 'a category is declared more than once');
  const codes = others.missingCodes ?? missingCodes;
  if (categories.some((category) => isMissingText(category) || codes.includes(category))) {
    throw refuse('reserved-category', 'the empty text, NA and declared codes stand for missing values: no category can be so named');
  }
  refuseMany(categories, 'categories');
  return { type: 'declared', categories };
}

/** The rule for a variable whose schema is known; `source` is what the config says of it, for a file of the table's source. */
export const ruleOfVariable = (variable: Variable, source?: Override): ColumnRule =>
  variable.type === 'categorical' ? { type: 'schema', variable, ...(source && { source }) } : { type: 'continuous' };
