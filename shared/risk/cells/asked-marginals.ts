import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';

/** Most values of one set of variables: beyond, its distribution belongs to a list of guesses. */
const MOST_VALUES = 65_536;

/** Variables whose joint distribution is asked for, in the order in which they are named. */
export type MarginalVariables = readonly number[];

/**
 * The sets of variables whose distributions a run gives of every combination (000 eq. 17): those that are named, or each
 * variable by itself.
 *
 * @param asked names, set by set; each variable by itself if left out
 * @param names variables in column order
 * @param sizes number of categories of each
 * @throws InvalidConfigError `unknown-variable` and `repeated-variable`
 * @throws UnsupportedOptionError `too-many-marginals` when a set has more than 65,536 values
 */
export function askedMarginals(
  asked: readonly (readonly string[])[] | undefined,
  names: readonly string[],
  sizes: readonly number[],
): MarginalVariables[] {
  if (asked === undefined) return [...sizes.keys()].map((variable) => [variable]);
  return asked.map((set) => {
    const variables = set.map((name) => {
      const variable = names.indexOf(name);
      if (variable >= 0) return variable;
      throw unknownVariable('attributeRisk.marginals', name, names);
    });
    if (new Set(variables).size < variables.length) {
      throw new InvalidConfigError('repeated-variable', 'attributeRisk.marginals names a variable twice in one set.');
    }
    const values = marginalValues(variables, sizes);
    if (values > MOST_VALUES) {
      throw new UnsupportedOptionError(
        'too-many-marginals',
        `A set of attributeRisk.marginals has more than the ${MOST_VALUES} values that are possible. Name fewer variables, or merge rare categories.`,
      );
    }
    return variables;
  });
}

/** Values that a set of variables has together. */
export function marginalValues(variables: MarginalVariables, sizes: readonly number[]): number {
  return variables.reduce((product, variable) => product * sizes[variable]!, 1);
}

/** Values of all sets, one after the other: the numbers that each combination has. */
export function marginalWidth(marginals: readonly MarginalVariables[], sizes: readonly number[]): number {
  return marginals.reduce((sum, variables) => sum + marginalValues(variables, sizes), 0);
}
