import type { NearestFigures } from '../../contracts/results/attack.ts';
import { quantile } from '../../numeric/quantile.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import { boundedRate, successRate } from './attack-outcome.ts';
import { type Neighbours, nearestRecords, valueRanges } from './nearest/nearest-records.ts';
import { overDatasets } from './over-datasets.ts';

/** What riskutility calls `threshold` of the hitting rate, and `epsilon` of identifiability, by default. */
export const NEAR = 0.05;

/** Places of a table's records, or of some that are drawn by chance where there are more. */
function drawPlaces({ records }: Table, most: number, random: RandomSource): Uint32Array {
  return records <= most ? Uint32Array.from({ length: records }, (_, i) => i) : drawDistinct(random, records, most).sort();
}

/** Some of a table's records, drawn by chance where there are more. */
export function drawRecords(table: Table, most: number, random: RandomSource): Table {
  return table.records <= most ? table : chosenRecords(table, drawPlaces(table, most, random));
}

/** Rows of a dataset beside table and control. */
interface CloserRows {
  /** 1 for a row that is closer to the table, 1/2 for a tie, 0 for one that is closer to the control. */
  readonly scores: Float64Array;
  /** Of the table and of the control: how many records it has, and the place of each row's closest. */
  readonly files: readonly { readonly records: number; readonly closest: Uint32Array }[];
}

/** What is found of the rows of a dataset. */
export interface ClosestRecords {
  readonly figures: NearestFigures;
  /** Null without a control. */
  readonly closer: CloserRows | null;
}

/**
 * How close the rows of a dataset (at least one) are to the records of the table, over all variables: the distance to the
 * closest record by the number of variables, its ratio to that of the second closest (1 where both are 0), and how many
 * rows are closer to the table than to a control (Platzer and Reutterer 2021). Of the larger file as many records are
 * drawn as the smaller has; ranges are those of both.
 */
export function closestRecords(rows: Table, table: Table, control: Table | null, random: RandomSource): ClosestRecords {
  const variables = [...table.columns.keys()];
  const ranges = valueRanges(control === null ? [table] : [table, control], variables);
  const closest = nearestRecords(table, rows, { variables, ranges });
  const distances = closest.distance.map((distance) => distance / variables.length);
  // Of a table of one record there is no second.
  const ratios = closest.distance.map((distance, row) => (closest.second[row] === 0 ? 1 : distance / closest.second[row]!));
  const closer = control === null ? null : closerRows(rows, { table, control, variables, ranges, toTable: closest }, random);
  return {
    figures: {
      records: rows.records,
      distanceToClosest: {
        ...spread(distances),
        zeroShare: shareOf(distances, (distance) => distance === 0),
        hittingRate: shareOf(distances, (distance) => distance <= NEAR),
      },
      ratio: spread(ratios),
      ...closerFigures(closer === null ? null : [closer]),
    },
    closer,
  };
}

function closerRows(
  rows: Table,
  files: { table: Table; control: Table; variables: readonly number[]; ranges: readonly (number | null)[]; toTable: Neighbours },
  random: RandomSource,
): CloserRows {
  const { table, control, variables, ranges } = files;
  const size = Math.min(table.records, control.records);
  const closestOf = (file: Table) => {
    const places = drawPlaces(file, size, random);
    const { nearest, distance } = nearestRecords(chosenRecords(file, places), rows, { variables, ranges });
    return { distance, nearest: nearest.map((drawn) => places[drawn]!) };
  };
  const toTable = table.records === size ? files.toTable : closestOf(table);
  const toControl = closestOf(control);
  return {
    scores: toTable.distance.map((distance, row) => (1 - Math.sign(distance - toControl.distance[row]!)) / 2),
    files: [
      { records: table.records, closest: toTable.nearest },
      { records: control.records, closest: toControl.nearest },
    ],
  };
}

/** The share of rows that are closer to the table, with its error and interval; null without a control. */
function closerFigures(datasets: readonly CloserRows[] | null) {
  if (datasets === null) return { shareCloserThanControl: null, shareCloserThanControlSe: null, low: null, high: null };
  const { share, se } = closerShare(datasets);
  const variance = share * (1 - share);
  // Wilson's interval of as many independent rows as have this error; of all rows where it is 0.
  const rows = se > 0 && variance > 0 ? variance / (se * se) : datasets.reduce((sum, { scores }) => sum + scores.length, 0);
  const { low, high } = boundedRate(successRate(rows, rows * share));
  return { shareCloserThanControl: share, shareCloserThanControlSe: se, low, high };
}

/**
 * The mean over datasets of the share of rows that are closer to the table, and its standard error over tables, controls and
 * releases (docs/explanation/compared.md, closest records). Rows that share their closest record depend on each other, and so do
 * rows of a dataset: variances of sums over records and over datasets are added, less that of sums over both, which either
 * holds (Cameron, Gelbach and Miller 2011). Of one dataset that over records is left.
 */
function closerShare(datasets: readonly CloserRows[]): { share: number; se: number } {
  const m = datasets.length;
  const shares = datasets.map(({ scores }) => meanOf(scores));
  const share = meanOf(shares);
  const overRecords = (some: readonly CloserRows[]) =>
    datasets[0]!.files.reduce((variance, { records }, file) => {
      const sums = new Float64Array(records);
      for (const { scores, files } of some) {
        for (const [row, score] of scores.entries()) {
          sums[files[file]!.closest[row]!]! += ((score - share) * (file === 0 ? score : 1 - score)) / (m * scores.length);
        }
      }
      // Both files have the size that they have: sums vary about their mean.
      const mean = meanOf(sums);
      return sums.reduce((sum, one) => sum + (one - mean) * (one - mean), variance);
    }, 0);
  const records = overRecords(datasets);
  if (m === 1) return { share, se: Math.sqrt(records) };
  const deviation = standardDeviation(shares);
  const both = datasets.reduce((sum, one) => sum + overRecords([one]), 0);
  return { share, se: Math.sqrt(records + Math.max(0, (deviation * deviation) / m - both)) };
}

const shareOf = (values: Float64Array, holds: (value: number) => boolean) => values.filter(holds).length / values.length;

/** Mean of some values, at least one. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function spread(values: Float64Array): NearestFigures['ratio'] {
  const sorted = Float64Array.from(values).sort();
  return { mean: meanOf(sorted), low5: quantile(sorted, 0.05), median: quantile(sorted, 0.5) };
}

/** Means over datasets, and their errors over releases, which are null for one dataset. */
export function meanNearest(datasets: readonly ClosestRecords[]) {
  const distance = overDatasets(datasets.map(({ figures }) => figures.distanceToClosest));
  const ratio = overDatasets(datasets.map(({ figures }) => figures.ratio));
  const closer = datasets.flatMap((one) => one.closer ?? []);
  return {
    records: datasets.reduce((sum, { figures }) => sum + figures.records, 0),
    distanceToClosest: distance.mean,
    distanceToClosestSe: distance.errors,
    ratio: ratio.mean,
    ratioSe: ratio.errors,
    ...closerFigures(closer.length === datasets.length ? closer : null),
  };
}
