import type { CountedRows } from '../table/counted-rows.ts';
import type { OpenedUtility } from './open-utility.ts';
import { codesOf } from './regression/column-of.ts';
import { designCount } from './regression/design.ts';
import type { OpenedRegression } from './regression/open-regression.ts';

/** Regressions where none are named, at most. */
export const MOST_REGRESSIONS = 12;

/** Variables of more categories are no predictors of them. */
const MOST_CATEGORIES = 20;

/** Coefficients of such a regression at most. */
export const MOST_DEFAULT_COEFFICIENTS = 200;

/** A name as a formula has it. */
const written = (name: string) => (/^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) && name !== '.' ? name : `\`${name}\``);
const writtenCategory = (text: string) => (/^[\p{L}\p{N}_.]+$/u.test(text) ? text : text.includes('"') ? `'${text}'` : `"${text}"`);

/**
 * The regressions that are measured where none are named: each synthesized variable on all others. A number is taken as it
 * is, categories in their order where they have one, and of others the commonest against all else.
 */
export function defaultRegressions(
  { schema, columns, counts }: CountedRows,
  { synthesized, ordered }: Pick<OpenedUtility, 'synthesized' | 'ordered'>,
): OpenedRegression[] {
  const { variables } = schema;
  const predictors = [...variables.keys()].filter((v) => {
    const variable = variables[v]!;
    return variable.type === 'continuous' || variable.categories.length <= MOST_CATEGORIES;
  });
  const regressions: OpenedRegression[] = [];
  for (const response of synthesized) {
    if (regressions.length === MOST_REGRESSIONS) break;
    const variable = variables[response]!;
    const terms: number[][] = [];
    for (const v of predictors) {
      if (v !== response && designCount(schema, [...terms, [v]]) <= MOST_DEFAULT_COEFFICIENTS) terms.push([v]);
    }
    if (terms.length === 0) continue;
    const right = terms.map(([v]) => written(variables[v!]!.name)).join(' + ');
    const left = written(variable.name);
    if (variable.type === 'continuous' || ordered.has(variable.name)) {
      const family = variable.type === 'continuous' ? 'linear' : 'ordered';
      regressions.push({ formula: `${left} ~ ${right}`, family, response, category: null, terms });
    } else {
      const records = new Float64Array(variable.categories.length);
      const codes = codesOf({ columns }, response);
      for (let row = 0; row < counts.length; row++) records[codes[row]!]! += counts[row]!;
      const category = records.indexOf(Math.max(...records));
      const formula = `${left} == ${writtenCategory(variable.categories[category]!)} ~ ${right}`;
      regressions.push({ formula, family: 'logistic', response, category, terms });
    }
  }
  return regressions;
}
