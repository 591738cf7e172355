/** Types of columns in Parquet; `int64` is of whole numbers that may be larger than 32 bits, as doubles hold them. */
type ColumnType = 'string' | 'boolean' | 'double' | 'int32' | 'int64';

/** A value of a table of results; null, an empty cell, is a missing one. */
type Cell = string | number | boolean | null;

/** A column of a table of results, from which CSV, Parquet with its metadata, the report and the reference of fields follow. */
export interface Column<in Of, out Value extends Cell = Cell, out Type extends ColumnType = ColumnType> {
  readonly type: Type;
  /** Whether a row may have none, as of texts any may. */
  readonly maybeMissing: boolean;
  readonly meaning: string;
  /** The value of a row (from 0), from what it is of: an object that all rows share, or one of its own. */
  readonly value: (of: Of, row: number) => Value;
  /** Whether the table has it; always where left out. */
  readonly when?: (of: Of) => boolean;
  /** Whether all its cells are empty, whatever the values; never where left out. */
  readonly isEmpty?: (of: Of) => boolean;
}

/** The columns of the confidential table's own variables. */
interface VariableColumns<in Of> {
  readonly type: 'variables';
  readonly meaning: string;
  readonly names: (of: Of) => readonly string[];
  /** The category of a row, by the number of the variable (from 0). */
  readonly value: (of: Of, row: number, variable: number) => string | null;
}

/** Stands for the names of the table's own variables among those of columns. */
export const VARIABLES = '(variables)';

/** A table of results. */
export interface ResultTable<in Of> {
  /** Name of its files without extension. */
  readonly file: string;
  /** What a row is. */
  readonly row: string;
  /** Columns by their names, in their order. */
  readonly columns: Readonly<Record<string, Column<Of> | VariableColumns<Of>>>;
}

const columnOf =
  <Type extends ColumnType, Any extends Cell>(type: Type, maybeMissing = false) =>
  <Of, Value extends Any>(meaning: string, value: (of: Of, row: number) => Value, when?: (of: Of) => boolean): Column<Of, Value, Type> => ({
    type,
    maybeMissing,
    meaning,
    value,
    ...(when && { when }),
  });

/** A column of texts. */
export const text = columnOf<'string', string | null>('string', true);
/** A column of truth values. */
export const flag = columnOf<'boolean', boolean | null>('boolean', true);
/** A column of numbers. */
export const double = columnOf<'double', number>('double');
/** A column of numbers, some of which may be missing. */
export const maybeDouble = columnOf<'double', number | null>('double', true);
/** A column of whole numbers. */
export const int32 = columnOf<'int32', number>('int32');
/** A column of whole numbers, some of which may be missing. */
export const maybeInt32 = columnOf<'int32', number | null>('int32', true);
/** A column of whole numbers that may be large. */
export const int64 = columnOf<'int64', number>('int64');

/** The columns that a table has, by their names; those of its own variables aside. */
const columnsThere = <Of>(columns: ResultTable<Of>['columns'], of: Of) =>
  Object.entries(columns).flatMap(([name, column]): [name: string, column: Column<Of>][] =>
    column.type === 'variables' || column.when?.(of) === false ? [] : [[name, column]],
  );

/** What a row has, by the names of columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<never, infer Value> ? Value : never;
};

/** The row (from 0) of a table; columns that it does not have are left out. */
export function rowOf<Of, Columns extends ResultTable<Of>['columns']>(columns: Columns, of: Of, row: number): RowOf<Columns> {
  const values = columnsThere(columns, of).map(([name, { value }]) => [name, value(of, row)]);
  return Object.fromEntries(values) as RowOf<Columns>;
}

/** Columns of all rows: numbers of which none is missing as an array, all else as a function of the row. */
export type ColumnsRead<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<never, infer Value, infer Type>
    ? [Value] extends [number]
      ? Type extends 'int32'
        ? Int32Array
        : Float64Array
      : (row: number) => Value
    : never;
};

/** The columns of a table of so many rows; arrays are made when they are first asked for. */
export function readColumns<Of, Columns extends ResultTable<Of>['columns']>(columns: Columns, of: Of, rows: number): ColumnsRead<Columns> {
  const read = {};
  for (const [name, column] of columnsThere(columns, of)) {
    const value = (row: number) => column.value(of, row);
    let array: Int32Array | Float64Array | undefined;
    const get = () => {
      if (column.maybeMissing) return value;
      array ??= new (column.type === 'int32' ? Int32Array : Float64Array)(rows).map((_, row) => value(row) as number);
      return array;
    };
    Object.defineProperty(read, name, { get, enumerable: true });
  }
  return read as ColumnsRead<Columns>;
}

/** A row of a table with a row for each figure; `dataset` is 0 for all of them or the table, and `item` what the figure is of. */
export interface FigureRow {
  readonly measure: string;
  readonly item: string;
  readonly dataset: number;
  readonly figure: string;
  readonly value: number | null;
}

/** The columns of such a table, from what its measures and its items are. */
export const figureColumns = (measure: string, item: string): ResultTable<FigureRow>['columns'] => ({
  measure: text(measure, (row) => row.measure),
  item: text(item, (row) => row.item),
  dataset: int32('Number from 1; 0 for the table, or for all datasets.', (row) => row.dataset),
  figure: text('Its name.', (row) => row.figure),
  value: maybeDouble('Empty where it is undefined.', (row) => row.value),
});
