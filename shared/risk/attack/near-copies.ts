import { log } from '../../numeric/portable-math.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import { drawRecords, meanOf, NEAR } from './closest-records.ts';
import { nearestRecords, valueRanges } from './nearest/nearest-records.ts';
import { numbersOf } from './singling-out.ts';

/** Bins of a number whose entropy is sought, as riskutility has by default. */
const BINS = 20;

/** A file of people: what is drawn of it, and how far the nearest other record of each is. */
interface Peers {
  readonly people: Table;
  readonly toOther: Float64Array;
}

/** A table and, where there is one, a control of as many records. */
export interface PeerFiles {
  readonly variables: readonly number[];
  readonly ranges: readonly (number | null)[];
  readonly table: Peers;
  readonly control: Peers | null;
}

/**
 * Draws as many records of a table and of its control as the smaller has, and as any dataset has.
 *
 * @param size records, at most
 */
export function peerFiles(files: { readonly table: Table; readonly control: Table | null }, size: number, random: RandomSource): PeerFiles {
  const { table, control } = files;
  const variables = [...table.columns.keys()];
  const ranges = valueRanges(control === null ? [table] : [table, control], variables);
  const draw = (file: Table): Peers => {
    const people = drawRecords(file, Math.min(size, table.records, control?.records ?? size), random);
    return { people, toOther: nearestRecords(people, people, { variables, ranges }).second };
  };
  return { variables, ranges, table: draw(table), control: control && draw(control) };
}

/** Of a file and the rows of a dataset: who is nearer to their own kind. */
interface Adversary {
  /** 1 for a person who is farther from every row than from another person of the file. */
  readonly people: Float64Array;
  /** 1 for a row that is farther from every person than from another row. */
  readonly rows: Float64Array;
  /** The place of the nearest person of each row. */
  readonly nearest: Uint32Array;
}

/** What a dataset is found to be, of the table and of the control. */
export interface AdversarialAccuracy {
  readonly table: Adversary;
  readonly control: Adversary | null;
}

/**
 * Nearest-neighbour adversarial accuracy (Yale et al. 2020; riskutility's `nnaa`): how often a person is nearer to another person of
 * their file than to a row, and a row nearer to another row than to a person. All files have as many records, and distances are by one
 * scale: by those of pairs of files, as riskutility has it, they could not be compared.
 *
 * @param dataset at least as many rows as the files
 */
export function adversarialAccuracy(
  { variables, ranges, table, control }: PeerFiles,
  dataset: Table,
  random: RandomSource,
): AdversarialAccuracy {
  const search = { variables, ranges };
  const rows = drawRecords(dataset, table.people.records, random);
  const toOther = nearestRecords(rows, rows, search).second;
  const against = ({ people, toOther: toPeer }: Peers): Adversary => {
    const ofRows = nearestRecords(people, rows, search);
    const ofPeople = nearestRecords(rows, people, search);
    return {
      people: ofPeople.distance.map((distance, i) => Number(distance > toPeer[i]!)),
      rows: ofRows.distance.map((distance, j) => Number(distance > toOther[j]!)),
      nearest: ofRows.nearest,
    };
  };
  return { table: against(table), control: control && against(control) };
}

/** Its figures: the share of people, that of rows, and the mean of both, of the table and of the control. */
export function accuracyFigures({ table, control }: AdversarialAccuracy) {
  const of = ({ people, rows }: Adversary) => ({ left: meanOf(people), right: meanOf(rows) });
  const [own, held] = [of(table), control && of(control)];
  const aaTrain = (own.left + own.right) / 2;
  const aaHoldout = held && (held.left + held.right) / 2;
  return {
    aaTrain,
    aaTrainLeft: own.left,
    aaTrainRight: own.right,
    aaHoldout,
    aaHoldoutLeft: held?.left ?? null,
    aaHoldoutRight: held?.right ?? null,
    privacyLoss: aaHoldout === null ? null : aaHoldout - aaTrain,
  };
}

/**
 * Standard error of the mean over datasets of the privacy loss, over tables, controls and releases. What a person adds is what is found
 * of themselves and of the rows whose nearest person they are; variances of sums over people and over datasets are added, less that of
 * sums over both (Cameron, Gelbach and Miller 2011), as of the share of rows closer to the table. Null without a control.
 */
export function privacyLossError(datasets: readonly AdversarialAccuracy[]): number | null {
  const m = datasets.length;
  const controls = datasets.map(({ control }) => control);
  const files = [datasets.map(({ table }) => table), controls.flatMap((control) => control ?? [])];
  if (files[1]!.length < m) return null;
  const overPeople = (some: readonly Adversary[]) => {
    const sums = new Float64Array(some[0]!.people.length);
    for (const { people, rows, nearest } of some) {
      const [ofPeople, ofRows] = [meanOf(people), meanOf(rows)];
      for (const [i, one] of people.entries()) sums[i]! += (one - ofPeople) / (2 * m * people.length);
      for (const [j, one] of rows.entries()) sums[nearest[j]!]! += (one - ofRows) / (2 * m * rows.length);
    }
    return sums.reduce((variance, sum) => variance + sum * sum, 0);
  };
  const people = files.reduce((variance, file) => variance + overPeople(file), 0);
  if (m === 1) return Math.sqrt(people);
  const both = files.flat().reduce((variance, one) => variance + overPeople([one]), 0);
  const deviation = standardDeviation(datasets.map((one) => accuracyFigures(one).privacyLoss!));
  return Math.sqrt(people + Math.max(0, (deviation * deviation) / m - both));
}

/**
 * Epsilon identifiability of SynthEval (Lautrup et al. 2025; riskutility's `epsilon_identifiability`): the share of rows with a record of
 * the table nearer than {@link NEAR}, by Gower's distance in which each variable has as weight 1 by its entropy in the table. A variable
 * with a single value has none; where all are such the share is 1 of rows that have them.
 */
export function identifiabilityRate(rows: Table, table: Table): number {
  const entropies = table.columns.map((_, v) => entropyOf(table, v));
  const varied = [...entropies.keys()].filter((v) => entropies[v]! > 0);
  const variables = varied.length > 0 ? varied : [...entropies.keys()];
  const inverse = variables.map((v) => (varied.length > 0 ? 1 / entropies[v]! : 1));
  const sum = inverse.reduce((total, one) => total + one, 0);
  const weights = inverse.map((one) => one / sum);
  const ranges = valueRanges([table, rows], variables);
  const { distance } = nearestRecords(table, rows, { variables, ranges, weights, within: NEAR });
  return distance.filter((one) => one < NEAR).length / rows.records;
}

/** Entropy of a variable in nats; of a number in {@link BINS} bins of equal width, each with its upper end. */
function entropyOf({ columns, records }: Table, variable: number): number {
  const column = columns[variable]!;
  const counts = new Map<number, number>();
  const add = (one: number) => counts.set(one, (counts.get(one) ?? 0) + 1);
  if (column.type === 'categorical') column.codes.forEach(add);
  else {
    const [least, greatest] = [column.values.reduce((a, b) => Math.min(a, b)), column.values.reduce((a, b) => Math.max(a, b))];
    for (const value of column.values) add(greatest > least ? Math.max(1, Math.ceil(((value - least) / (greatest - least)) * BINS)) : 0);
  }
  return [...counts.values()].reduce((sum, count) => sum - (count / records) * log(count / records), 0);
}

/**
 * Record linkage, as riskutility has it by default (`recordLinkage`, deterministic, nearest): for each of some records the chance that a
 * row drawn from those nearest by the keys is its own, row i of record i.
 *
 * @param table as many records as the dataset has rows
 * @param places of the records
 */
export function linkageRisks(dataset: Table, table: Table, places: Uint32Array, keys: readonly number[]): Float64Array {
  const ranges = valueRanges([dataset, table], keys);
  const { distance, equals } = nearestRecords(dataset, chosenRecords(table, places), { variables: keys, ranges });
  const columns = keys.map((key, d) => ({ of: numbersOf(table, key), rows: numbersOf(dataset, key), range: ranges[d]! }));
  return Float64Array.from(places, (record, i) => {
    let toOwn = 0;
    for (const { of, rows, range } of columns) {
      toOwn += range === null ? Number(of[record] !== rows[record]) : Math.abs(rows[record]! / range - of[record]! / range);
    }
    return toOwn === distance[i] ? 1 / equals[i]! : 0;
  });
}
