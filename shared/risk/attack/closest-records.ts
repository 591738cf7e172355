import type { NearestFigures } from '../../contracts/results/attack.ts';
import { quantile } from '../../numeric/quantile.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import { boundedRate, successRate } from './attack-outcome.ts';
import { nearestRecords, valueRanges } from './nearest/nearest-records.ts';

/** Some of a table's records, drawn by chance where there are more. */
export function drawRecords(table: Table, most: number, random: RandomSource): Table {
  if (table.records <= most) return table;
  return chosenRecords(table, drawDistinct(random, table.records, most).sort());
}

/**
 * How close the rows of a dataset are to the records of the table, over all variables: the distance to the closest record,
 * by the number of variables (0 equal, 1 nothing in common), its ratio to the distance of the second closest (1 where both
 * are 0), and how many rows are closer to the table than to a control of as many records (Platzer and Reutterer 2021). Of
 * the larger of the two files as many records are drawn as the smaller has. Ranges are those of table and control.
 *
 * @param rows of the dataset, at least one
 */
export function closestRecords(rows: Table, table: Table, control: Table | null, random: RandomSource): NearestFigures {
  const variables = [...table.columns.keys()];
  const ranges = valueRanges(control === null ? [table] : [table, control], variables);
  const found = nearestRecords(table, rows, { variables, ranges });
  const distances = found.distance.map((distance) => distance / variables.length);
  // Of a table of one record there is no second.
  const ratios = found.distance.map((distance, row) => (found.second[row] === 0 ? 1 : distance / found.second[row]!));
  const share = control === null ? null : closerShare(rows, { table, control, variables, ranges, ofTable: found.distance }, random);
  return {
    records: rows.records,
    distanceToClosest: { ...spread(distances), zeroShare: distances.filter((distance) => distance === 0).length / rows.records },
    ratio: spread(ratios),
    shareCloserThanControl: share?.rate ?? null,
    low: share?.low ?? null,
    high: share?.high ?? null,
  };
}

function closerShare(
  rows: Table,
  {
    table,
    control,
    variables,
    ranges,
    ofTable,
  }: { table: Table; control: Table; variables: readonly number[]; ranges: readonly (number | null)[]; ofTable: Float64Array },
  random: RandomSource,
): { rate: number; low: number; high: number } {
  const size = Math.min(table.records, control.records);
  const distances = (file: Table) => nearestRecords(drawRecords(file, size, random), rows, { variables, ranges }).distance;
  const own = table.records === size ? ofTable : distances(table);
  const other = distances(control);
  let closer = 0;
  for (let row = 0; row < rows.records; row++) {
    closer += own[row]! < other[row]! ? 1 : own[row] === other[row] ? 0.5 : 0;
  }
  const { low, high } = boundedRate(successRate(rows.records, closer));
  return { rate: closer / rows.records, low, high };
}

function spread(values: Float64Array): NearestFigures['ratio'] {
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, low5: quantile(sorted, 0.05), median: quantile(sorted, 0.5) };
}

/** Means over datasets; of what some dataset lacks null. Intervals are of a dataset alone. */
export function meanNearest(datasets: readonly NearestFigures[]): NearestFigures {
  const mean = (of: (one: NearestFigures) => number) => datasets.reduce((sum, one) => sum + of(one), 0) / datasets.length;
  const spreads = (of: (one: NearestFigures) => NearestFigures['ratio']) => ({
    mean: mean((one) => of(one).mean),
    low5: mean((one) => of(one).low5),
    median: mean((one) => of(one).median),
  });
  const optional = (of: (one: NearestFigures) => number | null) =>
    datasets.some((one) => of(one) === null) ? null : mean((one) => of(one)!);
  return {
    records: datasets.reduce((sum, one) => sum + one.records, 0),
    distanceToClosest: { ...spreads((one) => one.distanceToClosest), zeroShare: mean((one) => one.distanceToClosest.zeroShare) },
    ratio: spreads((one) => one.ratio),
    shareCloserThanControl: optional((one) => one.shareCloserThanControl),
    low: optional((one) => one.low),
    high: optional((one) => one.high),
  };
}
