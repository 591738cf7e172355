import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE, VALUE_PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import { emptyFigures, RISK_FIGURES, type RiskFigures } from '../contracts/results/tables/attribute-risk-table.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import { type AttributeRisk, RECORD_SUMS, WITHOUT_FIGURES } from '../risk/attribute/attribute-risk.ts';
import type { FileRows } from '../risk/attribute/attribute-summary.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from '../risk/attribute/chain-evaluations.ts';
import { keptEvaluations } from '../risk/attribute/kept-evaluations.ts';
import { LIKELIEST_NUMBERS } from '../risk/attribute/likeliest-candidates.ts';
import { WITHOUT_DATASETS } from '../risk/attribute/value-figures.ts';
import { VALUE_COLUMNS, VALUE_SUMS, type ValuePart, type ValueRisk, type ValueSums } from '../risk/attribute/value-risk.ts';
import type { CellRisk } from '../risk/cells/cell-risk.ts';
import { INTERVALS } from '../risk/continuous/continuous-figures.ts';
import type { FileMembership, MembershipPart } from '../risk/membership/membership-figures.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';

/**
 * Numbers that a part has of a row: its figures, what they are without each of so many datasets, what both halves of every split
 * say of four of them, its likeliest candidates, and in some evaluations its gain and its likelihood ratio of being in the table.
 */
export const partNumbers = (datasets: number): number =>
  RISK_FIGURES.length + datasets * WITHOUT_FIGURES.length + 4 * 2 * HALF_SPLITS + LIKELIEST_NUMBERS + 2 * keptEvaluations(datasets);

/** Batches that are read together: those of a scenario. */
export type Assessed = Pick<Scenario, 'runId' | 'batches'>;

/** A batch in a round of a run. */
export interface PartReference {
  readonly runId: string;
  readonly round: number;
  readonly batch: number;
}

const partKeys = ({ runId, round, batch }: PartReference) => runKeys(runId).part(round, batch);

/** The arrays that batches store, by their names in the keys of a part. */
export type ArrayName = keyof ReturnType<typeof partKeys>;

/** Stores an array of a batch. Whatever has one beside the risk comes before that, which says that all is whole. */
async function putArray(
  store: Store,
  part: PartReference,
  name: ArrayName,
  array: Float64Array | Float32Array,
  shape: readonly number[] = [array.length],
) {
  await store.put(partKeys(part)[name], encodeCheckedNpy(array, [...shape]), { ifAbsent: true });
}

/** Rows of so many numbers each. */
const byRows = (array: Float64Array | Float32Array, width: number) => [array.length / width, width];

/** True when a batch's result is there, whole. */
export async function hasPart(store: Store, part: PartReference): Promise<boolean> {
  return (await store.head(partKeys(part).columns)) !== null;
}

/** One NaN for all: those that are computed have other bits on other processors. */
const oneNaN = (value: number) => (Number.isNaN(value) ? NaN : value);

/** Stores the result of a batch. */
export async function writePart(store: Store, part: PartReference, risk: AttributeRisk): Promise<void> {
  const rows = risk.rank.length;
  const without = risk.withoutDatasets.length / Math.max(1, rows);
  const width = RISK_FIGURES.length + without;
  const columns = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    for (const [c, column] of RISK_FIGURES.entries()) columns[row * width + c] = oneNaN(risk[column][row]!);
    columns.set(risk.withoutDatasets.subarray(row * without, (row + 1) * without).map(oneNaN), row * width + RISK_FIGURES.length);
  }
  const halves = [rows, HALF_SPLITS, 2];
  await putArray(store, part, 'halfRanks', risk.halfRanks, halves);
  await putArray(store, part, 'halfProbabilities', risk.halfProbabilities, halves);
  await putArray(store, part, 'halfInformationBits', risk.halfInformationBits.map(oneNaN), halves);
  await putArray(store, part, 'halfLosses', risk.halfLosses.map(oneNaN), halves);
  await putArray(store, part, 'recordSums', risk.recordSums, byRows(risk.recordSums, RECORD_SUMS.length));
  await putArray(store, part, 'columns', columns, [rows, width]);
}

/** Rows of a run's attribute risk: combinations, or records of partially synthetic data. */
const rowCount = ({ batches }: Assessed) => batches.at(-1)!.to;

/** Reads an array of a part. */
async function readArray(store: Store, part: PartReference, name: ArrayName): Promise<Float64Array> {
  const key = partKeys(part)[name];
  return decodeCheckedNpy(await store.get(key), key).data as Float64Array;
}

/** One array of each batch of a round, with the rows that it is of, in their order. */
function readArrays(store: Store, { runId, batches }: Assessed, round: number, name: ArrayName) {
  return readAhead(
    batches,
    async ({ batch, from, to }) => ({ from, to, data: await readArray(store, { runId, round, batch }, name) }),
    PARTS_AT_ONCE,
  );
}

/** The arrays of all batches of a round, one below the other; as wide as they are unless a width is given. */
async function readWhole(store: Store, assessed: Assessed, round: number, name: ArrayName, width?: number): Promise<Float64Array> {
  let whole = new Float64Array(rowCount(assessed) * (width ?? 0));
  for await (const { from, to, data } of readArrays(store, assessed, round, name)) {
    const own = width ?? data.length / (to - from);
    if (whole.length === 0) whole = new Float64Array(rowCount(assessed) * own);
    whole.set(data, from * own);
  }
  return whole;
}

/** What columns of all rows take at most that are in memory together, unless there are so many rows that two take more. */
const COLUMNS_BYTES = 1024 * 1024 * 1024;

/** How many columns of so many rows are read together: both halves of a split at least. */
export const columnsAtOnce = (rows: number): number => Math.max(2, Math.floor(COLUMNS_BYTES / (rows * Float64Array.BYTES_PER_ELEMENT)));

/** Columns of an array of every row, from `from` (from 0) up to but without `to`, so many in memory at a time. */
interface ArrayColumns {
  readonly name: ArrayName;
  readonly from?: number;
  readonly to?: number;
  readonly atOnce?: number;
}

/**
 * Columns of the arrays of all batches of a round, one after the other: all of them unless some are asked for. Where rows are so many that
 * a few columns are in memory at a time, the arrays are gone through several times.
 */
export async function* readColumns(
  store: Store,
  assessed: Assessed,
  round: number,
  { name, from = 0, to = Infinity, atOnce = columnsAtOnce(rowCount(assessed)) }: ArrayColumns,
): AsyncGenerator<Float64Array> {
  for (let first = from, end = to; first < end; first += atOnce) {
    let columns: Float64Array[] = [];
    for await (const part of readArrays(store, assessed, round, name)) {
      const width = part.data.length / (part.to - part.from);
      end = Math.min(to, width);
      if (columns.length === 0) {
        const count = Math.max(0, Math.min(atOnce, end - first));
        columns = Array.from({ length: count }, () => new Float64Array(rowCount(assessed)));
      }
      for (const [c, column] of columns.entries()) {
        for (let row = part.from, at = first + c; row < part.to; row++, at += width) column[row] = part.data[at]!;
      }
    }
    for (let column = columns.shift(); column; column = columns.shift()) yield column;
  }
}

/** What the arrays of all batches of a round have of some rows, one row after the other in their order. */
async function readRows(store: Store, assessed: Assessed, round: number, name: ArrayName, rows: Uint32Array): Promise<Float64Array> {
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  let found = new Float64Array(0);
  for await (const { from, to, data } of readArrays(store, assessed, round, name)) {
    const width = data.length / (to - from);
    if (found.length === 0) found = new Float64Array(rows.length * width);
    for (let row = from; row < to; row++) {
      const place = placeOf.get(row);
      if (place !== undefined) found.set(data.subarray((row - from) * width, (row - from + 1) * width), place * width);
    }
  }
  return found;
}

/** The arrays of all batches of a round, added up. */
async function readSums(store: Store, assessed: Assessed, round: number, name: ArrayName): Promise<Float64Array> {
  let sums = new Float64Array(0);
  for await (const { data } of readArrays(store, assessed, round, name)) {
    sums = sums.length === 0 ? data.slice() : sums.map((sum, i) => sum + data[i]!);
  }
  return sums;
}

/** Figures of rows `from` (from 0) up to but without `to`. */
export interface FigurePart {
  readonly from: number;
  readonly to: number;
  readonly figures: RiskFigures;
}

/** The figures of rows, batch after batch of a round. */
export async function* readFigureParts(store: Store, assessed: Assessed, round: number): AsyncGenerator<FigurePart> {
  for await (const { from, to, data } of readArrays(store, assessed, round, 'columns')) {
    const figures = emptyFigures(to - from);
    setFigures(figures, { from: 0, to: to - from, data });
    yield { from, to, figures };
  }
}

/** Fills in what a part has of each row. */
function setFigures(figures: RiskFigures, { from, to, data }: { from: number; to: number; data: Float64Array }): void {
  const width = data.length / (to - from);
  for (const [c, name] of RISK_FIGURES.entries()) {
    for (let row = from, at = c; row < to; row++, at += width) figures[name][row] = data[at]!;
  }
}

/** The figures of all rows, from all batches of a round. */
export async function readFigures(store: Store, assessed: Assessed, round: number): Promise<RiskFigures> {
  const figures = emptyFigures(rowCount(assessed));
  for await (const part of readArrays(store, assessed, round, 'columns')) setFigures(figures, part);
  return figures;
}

/** What figures of a file are found from: those of all rows are in memory, and of what halves and datasets say some columns at a time. */
export async function readFileRows(store: Store, assessed: Assessed, round: number): Promise<FileRows> {
  return {
    ...(await readFigures(store, assessed, round)),
    recordSums: await readSums(store, assessed, round, 'recordSums'),
    halves: (name) => readColumns(store, assessed, round, { name, to: 2 * WHOLE_SPLITS }),
    without: () => readColumns(store, assessed, round, { name: 'columns', from: RISK_FIGURES.length }),
  };
}

/** What every row is without each dataset. */
async function readWithout(store: Store, assessed: Assessed, round: number): Promise<Float64Array> {
  let without = new Float64Array(0);
  for await (const { from, to, data } of readArrays(store, assessed, round, 'columns')) {
    const width = data.length / (to - from);
    const own = width - RISK_FIGURES.length;
    if (without.length === 0) without = new Float64Array(rowCount(assessed) * own);
    for (let row = from; row < to; row++) {
      const end = (row - from + 1) * width;
      without.set(data.subarray(end - own, end), row * own);
    }
  }
  return without;
}

/** The result of a round for all rows. */
export async function readRisk(store: Store, assessed: Assessed, round: number): Promise<AttributeRisk> {
  return {
    ...(await readFigures(store, assessed, round)),
    withoutDatasets: await readWithout(store, assessed, round),
    halfRanks: await readHalves(store, assessed, round, 'halfRanks'),
    halfProbabilities: await readHalves(store, assessed, round, 'halfProbabilities'),
    halfInformationBits: await readHalves(store, assessed, round, 'halfInformationBits'),
    halfLosses: await readHalves(store, assessed, round, 'halfLosses'),
    recordSums: await readSums(store, assessed, round, 'recordSums'),
  };
}

/** Rank or probability of the truth, information or privacy loss, from each half of each split, for all rows: rows x (2 HALF_SPLITS). */
export async function readHalves(
  store: Store,
  assessed: Assessed,
  round: number,
  figure: 'halfRanks' | 'halfProbabilities' | 'halfInformationBits' | 'halfLosses',
): Promise<Float64Array> {
  return readWhole(store, assessed, round, figure, 2 * HALF_SPLITS);
}

/** Stores what datasets tell by themselves in a batch. */
export async function writeDatasetSums(store: Store, part: PartReference, sums: Float64Array): Promise<void> {
  await putArray(store, part, 'datasetSums', sums);
}

/** The sums that {@link writeDatasetSums} wrote, over all batches of a round. */
export function readDatasetSums(store: Store, assessed: Assessed, round: number): Promise<Float64Array> {
  return readSums(store, assessed, round, 'datasetSums');
}

/** Numbers that a part has of a value set of a row. */
export const VALUE_NUMBERS = VALUE_COLUMNS.length;

/** Stores what a batch tells of values. */
export async function writeValuePart(
  store: Store,
  part: PartReference,
  { columns, sums, squares, gains, intervals, datasets }: ValueRisk,
): Promise<void> {
  await putArray(store, part, 'values', columns, byRows(columns, VALUE_NUMBERS));
  await putArray(store, part, 'valueSums', sums, byRows(sums, VALUE_SUMS.length));
  await putArray(store, part, 'valueSquares', squares);
  if (intervals.length > 0) await putArray(store, part, 'intervals', intervals, byRows(intervals, INTERVALS.length));
  await putArray(store, part, 'valueGains', gains, byRows(gains, keptEvaluations(datasets)));
}

/**
 * The columns of what {@link writeValuePart} wrote, batch after batch of a round, and what of `also` is there: so many values are
 * never in memory at once.
 */
export function readValueParts<Name extends 'intervals' = never>(
  store: Store,
  { runId, batches }: Assessed,
  round: number,
  ...also: readonly Name[]
): AsyncGenerator<ValuePart & { readonly [Key in Name]: Float64Array }> {
  return readAhead(
    batches,
    async ({ batch, from, to }) => {
      const names = ['values', ...also] as const;
      const arrays = await Promise.all(names.map((name) => readArray(store, { runId, round, batch }, name)));
      const { values: columns, ...others } = Object.fromEntries(names.map((name, i) => [name, arrays[i]!]));
      return { from, to, columns: columns!, ...others } as ValuePart & { readonly [Key in Name]: Float64Array };
    },
    VALUE_PARTS_AT_ONCE,
  );
}

/**
 * The sums that {@link writeValuePart} wrote, over all batches of a round.
 *
 * @param sets value sets of a row
 */
export async function readValueSums(store: Store, assessed: Assessed, round: number, sets: number): Promise<ValueSums> {
  const sums = await readSums(store, assessed, round, 'valueSums');
  return {
    sums,
    squares: await readSums(store, assessed, round, 'valueSquares'),
    datasets: sums.length / (sets * VALUE_SUMS.length) - WITHOUT_DATASETS,
  };
}

/** Bytes of a row in what {@link writeDensities} stores: before the release and after it, of so many candidates of continuous variables. */
export const densityBytes = (entries: number): number => 2 * entries * Float32Array.BYTES_PER_ELEMENT;

/** Stores the distributions of continuous variables of a batch, as `ListedRisk` has them. */
export async function writeDensities(store: Store, part: PartReference, densities: Float32Array): Promise<void> {
  await putArray(store, part, 'densities', densities);
}

/**
 * Reads what {@link writeDensities} wrote of all batches of a round; null for batches of a version that kept none.
 *
 * @param entries candidates of the continuous variables
 */
export async function readDensities(store: Store, assessed: Assessed, round: number, entries: number): Promise<Float32Array | null> {
  if (!(await hasArray(store, assessed, round, 'densities'))) return null;
  const whole = new Float32Array(rowCount(assessed) * 2 * entries);
  for await (const { from, data } of readArrays(store, assessed, round, 'densities')) whole.set(data, from * 2 * entries);
  return whole;
}

/** Stores the likeliest candidates of a batch, as `likeliest-candidates.ts` has them. */
export async function writeLikeliest(store: Store, part: PartReference, likeliest: Float64Array): Promise<void> {
  await putArray(store, part, 'likeliest', likeliest, byRows(likeliest, LIKELIEST_NUMBERS));
}

/** Whether the batches of a round have stored an array, which those of earlier versions may not have. */
export async function hasArray(store: Store, { runId, batches: [first] }: Assessed, round: number, name: ArrayName): Promise<boolean> {
  return (await store.head(partKeys({ runId, round, batch: first!.batch })[name])) !== null;
}

/** The likeliest candidates of some rows of a round, one row after the other in their order. */
export function readLikeliest(store: Store, assessed: Assessed, round: number, rows: Uint32Array): Promise<Float64Array> {
  return readRows(store, assessed, round, 'likeliest', rows);
}

/** The gains of some rows, as `ValueRisk` has them, one row after the other in their order. */
export function readGains(store: Store, assessed: Assessed, round: number, rows: Uint32Array): Promise<Float64Array> {
  return readRows(store, assessed, round, 'valueGains', rows);
}

/** Stores likelihood ratios of a batch's rows, and of people who are not in the table, each in so many evaluations. */
export async function writeMembership(store: Store, part: PartReference, { members, others, width }: MembershipPart): Promise<void> {
  await putArray(store, part, 'members', members, byRows(members, width));
  await putArray(store, part, 'others', others, byRows(others, width));
}

/** What {@link writeMembership} wrote of people who are not in the table, of all batches of a round. */
export async function readOthers(store: Store, assessed: Assessed, round: number): Promise<Pick<MembershipPart, 'others' | 'width'>> {
  const parts: Float64Array[] = [];
  for await (const { data } of readArrays(store, assessed, round, 'others')) parts.push(data);
  const others = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    others.set(part, at);
    at += part.length;
  }
  const [first] = assessed.batches;
  const members = await readArray(store, { runId: assessed.runId, round, batch: first!.batch }, 'members');
  return { others, width: members.length / (first!.to - first!.from) };
}

/** What {@link writeMembership} wrote of all batches of a round; of members some evaluations are in memory at a time. */
export async function readMembership(store: Store, assessed: Assessed, round: number): Promise<FileMembership> {
  return { ...(await readOthers(store, assessed, round)), members: () => readColumns(store, assessed, round, { name: 'members' }) };
}

/** What a batch has beside its part when its candidates are all cells. */
export type CellPart = Pick<CellRisk, 'guesses' | 'marginals'>;

/** Stores the guesses and marginals of a batch. */
export async function writeCellPart(store: Store, part: PartReference, { guesses, marginals }: CellPart): Promise<void> {
  const { perCombination, cells, probabilities } = guesses;
  const rows = cells.length / perCombination;
  const pairs = new Float64Array(2 * cells.length);
  for (const [i, cell] of cells.entries()) {
    pairs[2 * i] = cell;
    pairs[2 * i + 1] = probabilities[i]!;
  }
  await putArray(store, part, 'guesses', pairs, [rows, perCombination, 2]);
  await putArray(store, part, 'marginals', marginals, [rows, marginals.length / rows]);
}

/** Reads what {@link writeCellPart} wrote of all batches of a round: guesses and marginals of all combinations. */
export async function readCellParts(store: Store, assessed: Assessed, round: number): Promise<CellPart> {
  const pairs = await readWhole(store, assessed, round, 'guesses');
  const [cells, probabilities] = [0, 1].map((of) => Float64Array.from({ length: pairs.length / 2 }, (_, i) => pairs[2 * i + of]!));
  return {
    guesses: { perCombination: cells!.length / rowCount(assessed), cells: cells!, probabilities: probabilities! },
    marginals: await readWhole(store, assessed, round, 'marginals'),
  };
}

/** What is kept of each row beside its risk, and of each of its value sets. */
const ROW_COLUMNS = ['probabilityFixed', 'proven', 'provenFixed'] as const;
const SET_COLUMNS = ['probabilityFixed', 'rightFixed', 'gainBitsFixed', 'proven', 'provenFixed'] as const;

/**
 * What is known of rows by trees beside their risk: the same with the divisions held as they are, and whether the release
 * proves the truth, nothing else being able to have led to it (1 or 0). One element a row, and in `values` a value set of
 * a row, rows x sets; 0 for sets without anything to guess. `proven` of a row: of any variable by itself.
 */
export type RowsBeside = { readonly [Name in (typeof ROW_COLUMNS)[number]]: Float64Array } & {
  readonly values: { readonly [Name in (typeof SET_COLUMNS)[number]]: Float64Array };
};

/** A {@link RowsBeside} to be filled. */
export function emptyBeside(rows: number, sets: number): RowsBeside {
  const columns = <Name extends string>(names: readonly Name[], length: number) =>
    Object.fromEntries(names.map((name) => [name, new Float64Array(length)])) as Record<Name, Float64Array>;
  return { ...columns(ROW_COLUMNS, rows), values: columns(SET_COLUMNS, rows * sets) };
}

/** Numbers of {@link RowsBeside} for a row of so many value sets. */
export const besideNumbers = (sets: number): number => ROW_COLUMNS.length + sets * SET_COLUMNS.length;

/** Stores what is known beside the risk of a batch. */
export async function writeBeside(store: Store, part: PartReference, beside: RowsBeside): Promise<void> {
  const arrays = [...ROW_COLUMNS.map((name) => beside[name]), ...SET_COLUMNS.map((name) => beside.values[name])];
  const whole = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  await putArray(store, part, 'beside', whole);
}

/** Reads what {@link writeBeside} wrote of all batches of a round, of so many value sets a row. */
export async function readBeside(store: Store, assessed: Assessed, round: number, sets: number): Promise<RowsBeside> {
  const found = emptyBeside(rowCount(assessed), sets);
  for await (const { from, to, data } of readArrays(store, assessed, round, 'beside')) {
    const rows = to - from;
    let at = 0;
    for (const name of ROW_COLUMNS) {
      found[name].set(data.subarray(at, at + rows), from);
      at += rows;
    }
    for (const name of SET_COLUMNS) {
      found.values[name].set(data.subarray(at, at + rows * sets), from * sets);
      at += rows * sets;
    }
  }
  return found;
}
