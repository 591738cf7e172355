import type { UtilitySettings } from '../contracts/config/utility.ts';
import { type DensityFields, declaredContinuous } from '../contracts/continuous.ts';
import { InvalidConfigError } from '../contracts/errors.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { unknownVariable } from '../contracts/settings/nearest-name.ts';
import type { Table } from '../table/table.ts';
import type { DeclaredVariable } from './compare-distribution.ts';
import { type OpenedRegression, openRegression, orderedVariables } from './regression/open-regression.ts';

/** What will be measured, its names found in a table. */
export interface OpenedUtility {
  readonly settings: UtilitySettings;
  /** Whether rows of datasets belong to records. */
  readonly kind: 'full' | 'partial';
  /** Indices of the variables that are synthesized, ascending. */
  readonly synthesized: readonly number[];
  /** Indices of the variables whose categories have an order. */
  readonly ordered: ReadonlySet<string>;
  /** Regressions that were asked for; null where none were named. */
  readonly regressions: readonly OpenedRegression[] | null;
  /** Variables whose patterns are looked into, and those that are counted there; null with a reason where there are none. */
  readonly patterns: { readonly by: readonly number[]; readonly of: readonly number[] } | null;
  readonly patternsReason?: string;
  /** Synthesized continuous variables whose scale is declared. */
  readonly distributions: readonly DeclaredVariable[];
}

/** Variables whose distributions within patterns are compared where none are named, at most. */
const MOST_PATTERN_VARIABLES = 12;

/**
 * Finds in a table what is to be measured of its datasets.
 *
 * @param overrides of the config's variables
 * @param synthesized indices of the variables that are synthesized
 * @param densities whether continuous variables are declared as the model mixed has them
 * @throws InvalidConfigError as `openRegression` and `orderedVariables` do, and `unknown-variable`, `repeated-variable` and
 * `pattern-of-itself` for patterns
 */
export function openUtility(
  settings: UtilitySettings,
  overrides: Parameters<typeof orderedVariables>[0] & Readonly<Record<string, DensityFields>>,
  schema: TableSchema,
  synthesized: readonly number[],
  densities = false,
): OpenedUtility {
  const ordered = orderedVariables(overrides, schema);
  const kind = synthesized.length === schema.variables.length ? 'full' : 'partial';
  const sorted = [...synthesized].sort((a, b) => a - b);
  const regressions = settings.regressions?.map((text, index) => openRegression(text, index + 1, schema, ordered)) ?? null;
  const numbers = densities ? sorted.filter((v) => schema.variables[v]!.type === 'continuous') : [];
  const distributions = numbers.map((variable) => {
    const { name } = schema.variables[variable]!;
    return { variable, declared: declaredContinuous(name, overrides[name] ?? {}) };
  });
  return { settings, kind, synthesized: sorted, ordered, regressions, distributions, ...openPatterns(settings, schema, sorted) };
}

function openPatterns(
  { patterns }: UtilitySettings,
  { variables }: TableSchema,
  synthesized: readonly number[],
): Pick<OpenedUtility, 'patterns' | 'patternsReason'> {
  if (patterns === undefined) {
    const kept = [...variables.keys()].filter((v) => !synthesized.includes(v));
    if (kept.length === 0) {
      const patternsReason = 'No variable is kept: name those whose patterns are to be looked into (utility.patterns).';
      return { patterns: null, patternsReason };
    }
    return { patterns: { by: kept, of: synthesized.slice(0, MOST_PATTERN_VARIABLES) } };
  }
  const refuse = (code: string, why: string) => new InvalidConfigError(code, `utility.patterns: ${why}.`);
  const names = variables.map(({ name }) => name);
  const [by, of] = [patterns.by, patterns.of].map((own) =>
    own.map((name) => {
      const index = names.indexOf(name);
      if (index < 0) throw unknownVariable('utility.patterns', name, names);
      return index;
    }),
  );
  if (new Set(by).size < by!.length || new Set(of).size < of!.length) {
    throw refuse('repeated-variable', 'a variable is named twice');
  }
  if (of!.some((v) => by!.includes(v))) {
    throw refuse('pattern-of-itself', 'a variable is named both in `by` and in `of`: within a pattern it has one value');
  }
  return { patterns: { by: by!, of: of! } };
}

/**
 * Refuses regressions whose response has one value in the table.
 *
 * @throws InvalidConfigError `constant-response`, with the number of the regression
 */
export function refuseConstantResponses({ regressions }: OpenedUtility, { columns }: Table): void {
  for (const [index, { response, category }] of (regressions ?? []).entries()) {
    const column = columns[response]!;
    const values: ArrayLike<number> = column.type === 'categorical' ? column.codes : column.values;
    let [hits, differs] = [0, false];
    for (let i = 0; i < values.length; i++) {
      if (values[i] === category) hits++;
      if (values[i] !== values[0]) differs = true;
    }
    if (category === null ? differs : hits > 0 && hits < values.length) continue;
    throw new InvalidConfigError(
      'constant-response',
      `utility.regressions: formula ${index + 1} (--regression) has a response of one value in the table.`,
    );
  }
}
