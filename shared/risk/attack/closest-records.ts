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
 * How close the rows of a dataset (at least one) are to the records of the table, over all variables: the distance to the
 * closest record by the number of variables, its ratio to that of the second closest (1 where both are 0), and how many
 * rows are closer to the table than to a control (Platzer and Reutterer 2021). Of the larger file as many records are
 * drawn as the smaller has; ranges are those of both.
 */
export function closestRecords(rows: Table, table: Table, control: Table | null, random: RandomSource): NearestFigures {
  const variables = [...table.columns.keys()];
  const ranges = valueRanges(control === null ? [table] : [table, control], variables);
  const closest = nearestRecords(table, rows, { variables, ranges });
  const distances = closest.distance.map((distance) => distance / variables.length);
  // Of a table of one record there is no second.
  const ratios = closest.distance.map((distance, row) => (closest.second[row] === 0 ? 1 : distance / closest.second[row]!));
  const share = control === null ? null : closerShare(rows, { table, control, variables, ranges, toTable: closest.distance }, random);
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
  files: { table: Table; control: Table; variables: readonly number[]; ranges: readonly (number | null)[]; toTable: Float64Array },
  random: RandomSource,
): { rate: number; low: number; high: number } {
  const { table, control, variables, ranges } = files;
  const size = Math.min(table.records, control.records);
  const distances = (file: Table) => nearestRecords(drawRecords(file, size, random), rows, { variables, ranges }).distance;
  const toTable = table.records === size ? files.toTable : distances(table);
  const toControl = distances(control);
  let closer = 0;
  for (let row = 0; row < rows.records; row++) {
    closer += toTable[row]! < toControl[row]! ? 1 : toTable[row] === toControl[row] ? 0.5 : 0;
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
