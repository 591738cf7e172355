import { bandOf, type CandidateBands, candidateBands } from '../contracts/config/bands.ts';
import type { Config } from '../contracts/config/config.ts';
import { InvalidTableError } from '../contracts/errors.ts';
import type { TableSchema, Variable } from '../contracts/schema.ts';
import type { Column, Table } from './table.ts';

/** Indices of the variables of a partially synthetic release that are guessed at: the synthesized ones, in column order. */
export function guessedVariables(synthesized: 'all' | readonly string[], { variables }: TableSchema): number[] {
  return [...variables.keys()].filter((v) => synthesized === 'all' || synthesized.includes(variables[v]!.name));
}

/** What a config says of variables that are guessed at. */
type GuessedConfig = {
  readonly synthesis: { readonly synthesized: 'all' | readonly string[] };
  readonly variables: Readonly<Record<string, Pick<Config['variables'][string], 'candidates'>>>;
};

/** The bands in which a variable is guessed at; null where none are declared. */
function declaredBands({ variables }: Pick<GuessedConfig, 'variables'>, name: string): CandidateBands | null {
  const declared = Object.hasOwn(variables, name) ? variables[name]!.candidates : undefined;
  return declared === undefined ? null : candidateBands(declared);
}

/** The bands of all variables that have some, by index. */
export function bandsByVariable(config: Pick<GuessedConfig, 'variables'>, { variables }: TableSchema): Map<number, CandidateBands> {
  return new Map(
    variables.flatMap(({ name }, v) => {
      const bands = declaredBands(config, name);
      return bands === null ? [] : [[v, bands] as const];
    }),
  );
}

/**
 * The columns of the variables whose values can be listed, as a table of their own: a continuous one in the bands that are declared
 * for it (InvalidTableError `value-below-candidates` for a value below the first), and none without bands.
 */
export function guessedColumns(config: GuessedConfig, { schema, columns, records }: Table): Table {
  const guessed = guessedVariables(config.synthesis.synthesized, schema)
    .map((v) => bandedColumn(config, schema.variables[v]!, columns[v]!))
    .filter(({ column }) => column.type === 'categorical');
  return {
    schema: { ...schema, variables: guessed.map(({ variable }) => variable) },
    records,
    columns: guessed.map(({ column }) => column),
  };
}

function bandedColumn(config: GuessedConfig, variable: Variable, column: Column): { variable: Variable; column: Column } {
  const bands = variable.type === 'continuous' ? declaredBands(config, variable.name) : null;
  if (bands === null || column.type === 'categorical') return { variable, column };
  const { name } = variable;
  const codes = Uint16Array.from(column.values, (value) => {
    const band = bandOf(bands.lower, value);
    if (band >= 0) return band;
    throw new InvalidTableError(
      'value-below-candidates',
      `variables.${name}.candidates: a value of the table is below the first band; let it begin lower.`,
    );
  });
  return { variable: { name, type: 'categorical', categories: [...bands.labels] }, column: { type: 'categorical', codes } };
}

/**
 * The value that stands for each band of a column: the point of a grid; else the lower median of the values in the band, or
 * where there are none its middle, and of the last band where it begins.
 */
export function bandValues({ lower, points }: CandidateBands, values: Float64Array): Float64Array {
  if (points !== null) return Float64Array.from(points);
  const inBand: number[][] = lower.map(() => []);
  for (const value of values.toSorted()) inBand[bandOf(lower, value)]?.push(value);
  return Float64Array.from(inBand, (own, band) => {
    if (own.length > 0) return own[Math.floor((own.length - 1) / 2)]!;
    const next = lower[band + 1];
    return next === undefined ? lower[band]! : lower[band]! / 2 + next / 2;
  });
}
