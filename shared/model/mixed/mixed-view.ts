import { type ContinuousDeclaration, type DensityFields, declaredContinuous } from '../../contracts/continuous.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { Column, Table } from '../../table/table.ts';
import { type ContinuousPart, MISSING, type MixedRows } from './mixed-rows.ts';
import type { MixedVariables } from './mixed-synthesis.ts';
import { type UnitScale, unitScale } from './unit-scale.ts';

/** A continuous variable of a table as the model has it. */
interface ViewedContinuous extends ContinuousPart {
  /** Its index in the table. */
  readonly variable: number;
  readonly declared: ContinuousDeclaration;
  readonly scale: UnitScale;
}

/** A table's variables as the model `mixed` has them: its schema and what is declared decide all of it. */
export interface MixedView {
  readonly schema: TableSchema;
  /** Categories of each discrete part, as {@link MixedRows} has them. */
  readonly sizes: readonly number[];
  /** The table's index of the variable of each categorical part; indicators come after these. */
  readonly categorical: readonly number[];
  readonly continuous: readonly ViewedContinuous[];
}

/**
 * The view of a table's variables.
 *
 * @throws InvalidConfigError as `declaredContinuous` does, of every continuous variable
 */
export function mixedView(schema: TableSchema, variables: Readonly<Record<string, DensityFields>>): MixedView {
  const categorical: number[] = [];
  const sizes: number[] = [];
  for (const [v, variable] of schema.variables.entries()) {
    if (variable.type === 'categorical') {
      categorical.push(v);
      sizes.push(variable.categories.length);
    }
  }
  const continuous: ViewedContinuous[] = [];
  for (const [v, { name, type }] of schema.variables.entries()) {
    if (type !== 'continuous') continue;
    const declared = declaredContinuous(name, Object.hasOwn(variables, name) ? variables[name]! : {});
    const scale = unitScale(declared);
    const { length } = declared.masses;
    const indicator = length === 0 ? null : sizes.push(1 + length) - 1;
    continuous.push({ variable: v, declared, scale, smallest: scale.smallest, indicator });
  }
  return { schema, sizes, categorical, continuous };
}

/** The records of tables of the view's variables as the model sees them, one table after the other, and after them those of releases. */
export function mixedRows(
  { sizes, categorical, continuous }: MixedView,
  own: readonly Table[],
  releases: readonly Table[] = [],
): MixedRows {
  const rowsOf = (some: readonly Table[]) => some.reduce((sum, { records }) => sum + records, 0);
  const tables = [...own, ...releases];
  const rows = rowsOf(tables);
  const codes = new Uint16Array(sizes.length * rows);
  const values = new Float64Array(continuous.length * rows);
  let from = 0;
  for (const { columns, records } of tables) {
    for (const [part, v] of categorical.entries()) {
      const own = codesOf(columns[v]!);
      const missing = sizes[part]!;
      for (let i = 0; i < records; i++) codes[part * rows + from + i] = own[i] === missing ? MISSING : own[i]!;
    }
    for (const [j, { variable, declared, scale, indicator }] of continuous.entries()) {
      const own = valuesOf(columns[variable]!);
      for (let i = 0; i < records; i++) {
        const value = own[i]!;
        const mass = declared.masses.indexOf(value);
        values[j * rows + from + i] = mass >= 0 || Number.isNaN(value) ? Number.NaN : scale.toUnit(value);
        if (indicator !== null) codes[indicator * rows + from + i] = Number.isNaN(value) ? MISSING : mass + 1;
      }
    }
    from += records;
  }
  const parts = continuous.map(({ smallest, indicator }) => ({ smallest, indicator }));
  return { rows, sizes, codes, continuous: parts, values, ...(releases.length > 0 ? { released: { row: rowsOf(own) } } : {}) };
}

/** A table whose numbers with masses are categories, as in their indicators: all other values, then each mass. Other numbers stay. */
export function statesOf(view: MixedView, table: Table): Table {
  const { rows, codes } = mixedRows(view, [table]);
  const variables = [...table.schema.variables];
  const columns = [...table.columns];
  for (const { variable, declared, indicator } of view.continuous) {
    if (indicator === null) continue;
    const categories = ['other values', ...declared.masses.map(String)];
    const states = codes.slice(indicator * rows, (indicator + 1) * rows);
    variables[variable] = { name: variables[variable]!.name, type: 'categorical', categories };
    columns[variable] = { type: 'categorical', codes: states.map((code) => (code === MISSING ? categories.length : code)) };
  }
  return { schema: { variables }, records: rows, columns };
}

/**
 * The records of a table, each with the values that a partially synthetic dataset has in its place beside its own, of the same
 * variables and so of the same parameters.
 *
 * @param synthesized the table's indices of the variables that the dataset has
 */
export function besideRows(view: MixedView, table: Table, dataset: Table, synthesized: readonly number[]): MixedRows {
  const { rows, sizes, codes, continuous, values } = mixedRows(view, [table]);
  const beside = mixedRows(view, [dataset]);
  const { parts: own, continuous: variables } = placesOf(view, synthesized);
  const parts = [...own, ...variables.flatMap((j) => continuous[j]!.indicator ?? [])];
  const both = <Values extends Uint16Array | Float64Array>(own: Values, others: Values, chosen: readonly number[]): Values => {
    const all = new (own.constructor as new (length: number) => Values)(own.length + chosen.length * rows);
    all.set(own);
    for (const [place, one] of chosen.entries()) all.set(others.subarray(one * rows, (one + 1) * rows), own.length + place * rows);
    return all;
  };
  return {
    rows,
    sizes,
    codes: both(codes, beside.codes, parts),
    continuous,
    values: both(values, beside.values, variables),
    columns: { parts: [...sizes.keys(), ...parts], continuous: [...continuous.keys(), ...variables] },
    released: { column: continuous.length },
  };
}

/** The places in the view of some of a table's variables. */
export function placesOf({ categorical, continuous }: MixedView, variables: readonly number[]): MixedVariables {
  const placesIn = (own: readonly number[]) => [...own.keys()].filter((place) => variables.includes(own[place]!));
  return { parts: placesIn(categorical), continuous: placesIn(continuous.map(({ variable }) => variable)) };
}

/**
 * The columns of some of a table's variables in rows of the model without missing values, as they are released, by index: numbers are
 * rounded.
 */
export function columnsOf(view: MixedView, { rows, codes, values }: MixedRows, variables: readonly number[]): Map<number, Column> {
  const partOf = (part: number) => codes.slice(part * rows, (part + 1) * rows);
  return new Map(
    variables.map((v): [number, Column] => {
      const part = view.categorical.indexOf(v);
      if (part >= 0) return [v, { type: 'categorical', codes: partOf(part) }];
      const j = view.continuous.findIndex(({ variable }) => variable === v);
      const { declared, scale, indicator } = view.continuous[j]!;
      const masses = indicator === null ? null : partOf(indicator);
      const released = values.slice(j * rows, (j + 1) * rows).map((unit, i) => {
        const mass = masses === null ? 0 : masses[i]!;
        return mass > 0 ? declared.masses[mass - 1]! : scale.released(unit);
      });
      return [v, { type: 'continuous', values: released }];
    }),
  );
}

function codesOf(column: Column): ArrayLike<number> {
  if (column.type !== 'categorical') throw new RangeError('a continuous column has no codes');
  return column.codes;
}

function valuesOf(column: Column): Float64Array {
  if (column.type !== 'continuous') throw new RangeError('a categorical column has no values');
  return column.values;
}
