import { distinctRows } from '../../../table/distinct-rows.ts';
import { chosenVariables, type Table } from '../../../table/table.ts';
import { DifferenceSearch } from './difference-counter.ts';
import { NeighbourTree } from './neighbour-tree.ts';

/** Greatest less least value of each continuous variable over some tables, 1 where all are equal; null for a categorical one. */
export function valueRanges(tables: readonly Table[], variables: readonly number[]): (number | null)[] {
  return variables.map((v) => {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { columns } of tables) {
      const column = columns[v]!;
      if (column.type === 'categorical') return null;
      for (const value of column.values) {
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    }
    return greatest > least ? greatest - least : 1;
  });
}

/** What is looked for: how far, among which variables, and who comes first of those that are equally near. */
export interface NeighbourSearch {
  readonly variables: readonly number[];
  readonly ranges: readonly (number | null)[];
  /** Of each variable in the sum, above 0; 1 where none are given. */
  readonly weights?: readonly number[];
  /** Candidates at this distance or beyond are not looked for: the distance is this where all are. No limit where none is given. */
  readonly within?: number;
  /** A number for each candidate, the least first among equals; their order where none are given. */
  readonly priority?: Uint32Array;
}

/** For each record the nearest candidate, its distance, and the distance of the second nearest (infinite of one alone). */
export interface Neighbours {
  readonly nearest: Uint32Array;
  readonly distance: Float64Array;
  readonly second: Float64Array;
  /** How many candidates are as near as the nearest, itself included. */
  readonly equals: Uint32Array;
}

/**
 * The nearest candidates (at least one) of records. The distance is Gower's (1971) as Anonymeter has it: a categorical
 * variable adds its weight where two records differ, a continuous one the difference by its range, times its weight. Where half of the variables are
 * categorical candidates are looked at by the number of categories in which they differ, else region by region: regions
 * of categories hardly tell near rows from far ones.
 */
export function nearestRecords(candidates: Table, records: Table, search: NeighbourSearch): Neighbours {
  const { variables, ranges, priority, within = Number.POSITIVE_INFINITY } = search;
  const weights = search.weights ?? variables.map(() => 1);
  const distinct = distinctRows(chosenVariables(candidates, variables));
  const first = new Uint32Array(distinct.counts.length).fill(0xffff_ffff);
  const least = new Float64Array(distinct.counts.length).fill(Number.POSITIVE_INFINITY);
  for (let record = 0; record < candidates.records; record++) {
    const row = distinct.rowOfRecord[record]!;
    const rank = priority ? priority[record]! : record;
    if (rank >= least[row]!) continue;
    least[row] = rank;
    first[row] = record;
  }
  const scales = ranges.map((range, d) => (range === null ? null : range / weights[d]!));
  const rows = { points: pointsOf(candidates, variables, scales, first), ranges, weights, within, counts: distinct.counts, least };
  const categorical = ranges.filter((range) => range === null).length;
  const regions = 2 * categorical >= ranges.length ? new DifferenceSearch(rows) : new NeighbourTree(rows);

  const asked = distinctRows(chosenVariables(records, variables));
  const asking = new Uint32Array(asked.counts.length);
  for (let record = records.records - 1; record >= 0; record--) asking[asked.rowOfRecord[record]!] = record;
  const targets = pointsOf(records, variables, scales, asking);
  const nearest = new Uint32Array(asking.length);
  const distance = new Float64Array(asking.length);
  const second = new Float64Array(asking.length);
  const equals = new Uint32Array(asking.length);
  for (let row = 0; row < asking.length; row++) {
    const near = regions.find(targets, row * variables.length);
    nearest[row] = first[near.row]!;
    distance[row] = near.distance;
    second[row] = near.second;
    equals[row] = near.equals;
  }
  return {
    nearest: asked.rowOfRecord.map((row) => nearest[row]!),
    distance: Float64Array.from(asked.rowOfRecord, (row) => distance[row]!),
    second: Float64Array.from(asked.rowOfRecord, (row) => second[row]!),
    equals: asked.rowOfRecord.map((row) => equals[row]!),
  };
}

/** Records at some places x variables: codes, and values by their scales. */
function pointsOf({ columns }: Table, variables: readonly number[], scales: readonly (number | null)[], places: Uint32Array): Float64Array {
  const width = variables.length;
  const points = new Float64Array(places.length * width);
  for (const [d, v] of variables.entries()) {
    const column = columns[v]!;
    for (let i = 0; i < places.length; i++) {
      points[i * width + d] = column.type === 'categorical' ? column.codes[places[i]!]! : column.values[places[i]!]! / scales[d]!;
    }
  }
  return points;
}
