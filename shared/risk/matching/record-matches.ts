import { chosenRecords, incompleteColumns, isMissing, type Table } from '../../table/table.ts';
import type { LevelOf } from './kd-tree.ts';
import { levelOfShape, type MatchCounter, type MatchingShape, matchCounter } from './match-counter.ts';
import { type RadiusGrid, widthRule } from './radius-grid.ts';
import { RecordGroups } from './record-groups.ts';

/**
 * Divides the records of a table (numbers ascending, with a table of them alone) by where some categorical variables have
 * values, and a model imputes the others. One pattern with everything present when there are none.
 */
export function missingPatterns(table: Table, categorical: readonly number[]) {
  const incomplete = new Set(incompleteColumns(table));
  const missing = categorical.filter((variable) => incomplete.has(variable));
  const all = Uint32Array.from({ length: table.records }, (_, record) => record);
  if (missing.length === 0) return [{ present: categorical, records: all, table }];
  const recordsByPattern = new Map<string, number[]>();
  for (const record of all) {
    const text = missing.filter((variable) => isMissing(table, variable, record)).join();
    const sharing = recordsByPattern.get(text);
    if (sharing) sharing.push(record);
    else recordsByPattern.set(text, [record]);
  }
  return [...recordsByPattern].map(([text, sharing]) => {
    const absent = new Set(text === '' ? [] : text.split(',').map(Number));
    const numbers = Uint32Array.from(sharing);
    return { present: categorical.filter((variable) => !absent.has(variable)), records: numbers, table: chosenRecords(table, numbers) };
  });
}

/** By which variables records are matched. */
export interface Matching {
  readonly categorical: readonly number[];
  /** Indices of the continuous variables, in the order of the grid's radii. */
  readonly continuous: readonly number[];
  readonly shape: MatchingShape;
}

/**
 * Takes what was counted for one record.
 *
 * @param counts c at each point of the grid; used again for the next record
 * @param ownMatches T at each point: 1 when the record's own row is among the c
 */
export type VisitMatches = (record: number, counts: Uint32Array, ownMatches: Uint8Array) => void;

/** Finds the rows of a dataset that match each record of a table. */
export interface RecordMatcher {
  /**
   * Calls `visit` once for each record, in an order that depends on the table alone. A row matches a record when it has
   * its *true* categories, as far as the table has them, and continuous values near the true ones; T is 0 where c is 0.
   * Time for n records: n log n with up to one continuous variable, or two in a box, n^(2 - 1 / variables) otherwise.
   *
   * @param dataset of the same schema, whose row i belongs to record i
   */
  match(dataset: Table, grid: RadiusGrid, visit: VisitMatches): void;
  /** The same with pauses: each step visits some records, and gives their number. */
  steps(dataset: Table, grid: RadiusGrid, visit: VisitMatches): Iterable<number>;
}

/** Records visited in a step at most: a second's work at the slowest. */
const STEP_RECORDS = 16_384;

function valuesOf(table: Table, variable: number): Float64Array {
  const column = table.columns[variable]!;
  if (column.type !== 'continuous') throw new RangeError(`variable ${variable} is not continuous`);
  return column.values;
}

/** Sets the half-widths around a record's true values, for each family of the grid (variables x levels). */
function widthSetter({ levels, points }: RadiusGrid, widths: readonly Float64Array[]) {
  const rules = widths.map((width, family) =>
    Array.from(width, (_, at) => widthRule(points[family * levels + (at % levels)]![Math.floor(at / levels)]!)),
  );
  const scales = rules.map((ofFamily) => Float64Array.from(ofFamily, ({ scale }) => scale));
  const offsets = rules.map((ofFamily) => Float64Array.from(ofFamily, ({ offset }) => offset));
  return (target: Float64Array) => {
    for (let family = 0; family < widths.length; family++) {
      const [width, scale, offset] = [widths[family]!, scales[family]!, offsets[family]!];
      for (let v = 0, at = 0; v < target.length; v++) {
        const size = Math.abs(target[v]!);
        for (const end = at + levels; at < end; at++) width[at] = scale[at]! * size + offset[at]!;
      }
    }
  };
}

/** Counts for one record after the other, and tells `visit`; `truths` and `values` of the dataset are by variable. */
function recordCounter(
  truths: readonly Float64Array[],
  values: readonly Float64Array[],
  levelOf: LevelOf,
  grid: RadiusGrid,
  visit: VisitMatches,
) {
  const { families, levels } = grid;
  const counts = new Uint32Array(grid.points.length);
  const ownMatches = new Uint8Array(grid.points.length);
  const target = new Float64Array(truths.length);
  const distances = new Float64Array(truths.length);
  const widths = Array.from({ length: families }, () => new Float64Array(truths.length * levels));
  const setWidths = widthSetter(grid, widths);
  return (record: number, agrees: boolean, count: MatchCounter) => {
    for (let v = 0; v < truths.length; v++) {
      target[v] = truths[v]![record]!;
      distances[v] = Math.abs(values[v]![record]! - target[v]!);
    }
    setWidths(target);
    count(target, widths, counts);
    for (let family = 0; family < families; family++) {
      const ownLevel = agrees ? levelOf(distances, widths[family]!, levels, 0) : levels;
      for (let level = 0; level < levels; level++) {
        ownMatches[family * levels + level] = level >= ownLevel ? 1 : 0;
      }
    }
    visit(record, counts, ownMatches);
  };
}

/** A matcher of the records of a table. Nobody is taken to know what the table lacks: such a record is matched by its other values. */
export function createRecordMatcher(table: Table, matching: Matching): RecordMatcher {
  const { categorical, continuous, shape } = matching;
  const patterns = missingPatterns(table, categorical).map(({ present, records, table: ofPattern }) => ({
    records,
    groups: new RecordGroups(ofPattern, present),
  }));

  /** Without continuous variables a grid has one point. */
  function* matchCategories(dataset: Table, visit: VisitMatches): Generator<number> {
    const counts = new Uint32Array(1);
    const ownMatches = new Uint8Array(1);
    for (const { records, groups } of patterns) {
      const groupOfRow = groups.assign(dataset);
      const starts = groups.startsOf(groupOfRow);
      for (const [i, record] of records.entries()) {
        const group = groups.ofRecord[i]!;
        counts[0] = starts[group + 1]! - starts[group]!;
        ownMatches[0] = groupOfRow[record] === group ? 1 : 0;
        visit(record, counts, ownMatches);
      }
      yield records.length;
    }
  }

  function* matchValues(dataset: Table, grid: RadiusGrid, visit: VisitMatches): Generator<number> {
    const variables = continuous.length;
    const truths = continuous.map((variable) => valuesOf(table, variable));
    const values = continuous.map((variable) => valuesOf(dataset, variable));
    const countRecord = recordCounter(truths, values, levelOfShape(shape, variables), grid, visit);
    let visited = 0;
    for (const { records, groups } of patterns) {
      const groupOfRow = groups.assign(dataset);
      const targets = groups.collect(groups.ofRecord);
      const rows = groups.collect(groupOfRow);
      for (let group = 0; group < groups.count; group++) {
        const inGroup = rows.records.subarray(rows.starts[group]!, rows.starts[group + 1]!);
        const points = new Float64Array(inGroup.length * variables);
        for (let row = 0; row < inGroup.length; row++) {
          for (let v = 0; v < variables; v++) points[row * variables + v] = values[v]![inGroup[row]!]!;
        }
        const counter = matchCounter(points, variables, shape, grid);
        for (let at = targets.starts[group]!; at < targets.starts[group + 1]!; at++) {
          const record = records[targets.records[at]!]!;
          countRecord(record, groupOfRow[record] === group, counter);
          if (++visited === STEP_RECORDS) {
            yield visited;
            visited = 0;
          }
        }
      }
    }
    yield visited;
  }

  const steps: RecordMatcher['steps'] = (dataset, grid, visit) => {
    if (dataset.records !== table.records) {
      throw new RangeError(`expected ${table.records} rows, found ${dataset.records}`);
    }
    return continuous.length === 0 ? matchCategories(dataset, visit) : matchValues(dataset, grid, visit);
  };
  return {
    steps,
    match: (dataset, grid, visit) => {
      for (const _ of steps(dataset, grid, visit));
    },
  };
}
