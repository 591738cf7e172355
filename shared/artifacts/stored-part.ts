import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import { emptyFigures, RISK_FIGURES, type RiskFigures } from '../contracts/results/attribute-risk-table.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import { type AttributeRisk, RECORD_SUMS } from '../risk/attribute/attribute-risk.ts';
import { HALF_SPLITS } from '../risk/attribute/chain-evaluations.ts';
import { emptyLikeliest, LIKELIEST_NUMBERS } from '../risk/attribute/likeliest-candidates.ts';
import { VALUE_COLUMNS, VALUE_SUMS, type ValueRisk } from '../risk/attribute/value-risk.ts';
import type { CellRisk } from '../risk/cells/cell-risk.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';

/** Numbers that a part has of a row: its figures, what both halves of every split say of four of them, and its likeliest candidates. */
export const PART_NUMBERS = RISK_FIGURES.length + 4 * 2 * HALF_SPLITS + LIKELIEST_NUMBERS;

/** Batches that are read together: those of a scenario. */
export type Assessed = Pick<Scenario, 'runId' | 'batches'>;

/** A batch in a round of a run. */
export interface PartReference {
  readonly runId: string;
  readonly round: number;
  readonly batch: number;
}

const partKeys = ({ runId, round, batch }: PartReference) => runKeys(runId).part(round, batch);

/** True when a batch's result is there, whole. */
export async function hasPart(store: Store, part: PartReference): Promise<boolean> {
  return (await store.head(partKeys(part).columns)) !== null;
}

/** One NaN for all: those that are computed have other bits on other processors. */
const oneNaN = (value: number) => (Number.isNaN(value) ? NaN : value);

/** Stores the result of a batch. */
export async function writePart(store: Store, part: PartReference, risk: AttributeRisk): Promise<void> {
  const keys = partKeys(part);
  const rows = risk.rank.length;
  const columns = new Float64Array(rows * RISK_FIGURES.length);
  for (const [c, column] of RISK_FIGURES.entries()) {
    for (let row = 0; row < rows; row++) {
      columns[row * RISK_FIGURES.length + c] = oneNaN(risk[column][row]!);
    }
  }
  const once = { ifAbsent: true };
  const halves = [rows, HALF_SPLITS, 2];
  await store.put(keys.halfRanks, encodeCheckedNpy(risk.halfRanks, halves), once);
  await store.put(keys.halfProbabilities, encodeCheckedNpy(risk.halfProbabilities, halves), once);
  await store.put(keys.halfInformationBits, encodeCheckedNpy(risk.halfInformationBits.map(oneNaN), halves), once);
  await store.put(keys.halfLosses, encodeCheckedNpy(risk.halfLosses.map(oneNaN), halves), once);
  await store.put(
    keys.recordSums,
    encodeCheckedNpy(risk.recordSums, [risk.recordSums.length / RECORD_SUMS.length, RECORD_SUMS.length]),
    once,
  );
  await store.put(keys.columns, encodeCheckedNpy(columns, [rows, RISK_FIGURES.length]), once);
}

/** Stores what datasets tell by themselves in a batch; it comes before the part. */
export async function writeDatasetSums(store: Store, part: PartReference, sums: Float64Array): Promise<void> {
  await store.put(partKeys(part).datasetSums, encodeCheckedNpy(sums, [sums.length]), { ifAbsent: true });
}

/** The sums that {@link writeDatasetSums} wrote, over all batches of a round. */
export async function readDatasetSums(store: Store, assessed: Assessed, round: number): Promise<Float64Array> {
  let sums: Float64Array | undefined;
  for await (const { data } of readArrays(store, assessed, round, 'datasetSums')) {
    sums = data.map((sum, i) => sum + (sums?.[i] ?? 0));
  }
  return sums!;
}

/** Rows of a run's attribute risk: combinations, or records of partially synthetic data. */
const rowCount = ({ batches }: Assessed) => batches.at(-1)!.to;

/** One array of each batch of a round, with the rows that it is of, in their order. */
function readArrays(store: Store, { runId, batches }: Assessed, round: number, name: keyof ReturnType<typeof partKeys>) {
  return readAhead(
    batches,
    async ({ batch, from, to }) => {
      const key = partKeys({ runId, round, batch })[name];
      return { from, to, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
}

/** The figures of all rows, from all batches of a round. */
export async function readFigures(store: Store, assessed: Assessed, round: number): Promise<RiskFigures> {
  const figures = emptyFigures(rowCount(assessed));
  for await (const { from, to, data } of readArrays(store, assessed, round, 'columns')) {
    for (const [c, name] of RISK_FIGURES.entries()) {
      for (let row = from; row < to; row++) figures[name][row] = data[(row - from) * RISK_FIGURES.length + c]!;
    }
  }
  return figures;
}

/** The result of a round for all rows. */
export async function readRisk(store: Store, assessed: Assessed, round: number): Promise<AttributeRisk> {
  let recordSums = new Float64Array(0);
  for await (const { data } of readArrays(store, assessed, round, 'recordSums')) {
    recordSums = recordSums.length === 0 ? data.slice() : recordSums.map((sum, i) => sum + data[i]!);
  }
  return {
    ...(await readFigures(store, assessed, round)),
    halfRanks: await readHalves(store, assessed, round, 'halfRanks'),
    halfProbabilities: await readHalves(store, assessed, round, 'halfProbabilities'),
    halfInformationBits: await readHalves(store, assessed, round, 'halfInformationBits'),
    halfLosses: await readHalves(store, assessed, round, 'halfLosses'),
    recordSums,
  };
}

/**
 * Rank or probability of the truth, information or privacy loss, from each half of each split, for all rows: rows x
 * (2 HALF_SPLITS).
 */
export async function readHalves(
  store: Store,
  assessed: Assessed,
  round: number,
  figure: 'halfRanks' | 'halfProbabilities' | 'halfInformationBits' | 'halfLosses',
): Promise<Float64Array> {
  const width = 2 * HALF_SPLITS;
  const halves = new Float64Array(rowCount(assessed) * width);
  for await (const { from, data } of readArrays(store, assessed, round, figure)) halves.set(data, from * width);
  return halves;
}

/** Numbers that a part has of a value set of a row. */
export const VALUE_NUMBERS = VALUE_COLUMNS.length;

/** Stores what a batch tells of values. It comes before the batch's part, which says that all is whole. */
export async function writeValuePart(
  store: Store,
  { runId, round, batch }: PartReference,
  { columns, sums, squares }: ValueRisk,
): Promise<void> {
  const keys = runKeys(runId).part(round, batch);
  const once = { ifAbsent: true };
  await store.put(keys.values, encodeCheckedNpy(columns, [columns.length / VALUE_COLUMNS.length, VALUE_COLUMNS.length]), once);
  await store.put(keys.valueSums, encodeCheckedNpy(sums, [sums.length / VALUE_SUMS.length, VALUE_SUMS.length]), once);
  await store.put(keys.valueSquares, encodeCheckedNpy(squares, [squares.length]), once);
}

/**
 * Reads what {@link writeValuePart} wrote of all batches of a round.
 *
 * @param sets value sets of a row
 */
export async function readValueParts(store: Store, { runId, batches }: Assessed, round: number, sets: number): Promise<ValueRisk> {
  const width = sets * VALUE_COLUMNS.length;
  const columns = new Float64Array(batches.at(-1)!.to * width);
  let sums: Float64Array | undefined;
  let squares: Float64Array | undefined;
  const parts = readAhead(
    batches,
    async ({ batch, from }) => {
      const keys = runKeys(runId).part(round, batch);
      const read = async (key: string) => decodeCheckedNpy(await store.get(key), key).data as Float64Array;
      return { from, columns: await read(keys.values), sums: await read(keys.valueSums), squares: await read(keys.valueSquares) };
    },
    PARTS_AT_ONCE,
  );
  for await (const part of parts) {
    columns.set(part.columns, part.from * width);
    sums = part.sums.map((sum, i) => sum + (sums?.[i] ?? 0));
    squares = part.squares.map((sum, i) => sum + (squares?.[i] ?? 0));
  }
  return { columns, sums: sums!, squares: squares! };
}

/** Stores the likeliest candidates of a batch, as `likeliest-candidates.ts` has them; it comes before the batch's part. */
export async function writeLikeliest(store: Store, { runId, round, batch }: PartReference, likeliest: Float64Array): Promise<void> {
  const shape = [likeliest.length / LIKELIEST_NUMBERS, LIKELIEST_NUMBERS];
  await store.put(runKeys(runId).part(round, batch).likeliest, encodeCheckedNpy(likeliest, shape), { ifAbsent: true });
}

/** The likeliest candidates of all rows of a round. */
export async function readLikeliest(store: Store, { runId, batches }: Assessed, round: number): Promise<Float64Array> {
  const whole = emptyLikeliest(batches.at(-1)!.to);
  const parts = readAhead(
    batches,
    async ({ batch, from }) => {
      const key = runKeys(runId).part(round, batch).likeliest;
      return { from, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
  for await (const { from, data } of parts) whole.set(data, from * LIKELIEST_NUMBERS);
  return whole;
}

/** What a batch has beside its part when its candidates are all cells. */
export type CellPart = Pick<CellRisk, 'guesses' | 'marginals'>;

/** Stores the guesses and marginals of a batch. They come before its part, which says that all is whole. */
export async function writeCellPart(store: Store, { runId, round, batch }: PartReference, { guesses, marginals }: CellPart): Promise<void> {
  const keys = runKeys(runId).part(round, batch);
  const { perCombination, cells, probabilities } = guesses;
  const rows = cells.length / perCombination;
  const pairs = new Float64Array(2 * cells.length);
  for (const [i, cell] of cells.entries()) {
    pairs[2 * i] = cell;
    pairs[2 * i + 1] = probabilities[i]!;
  }
  const once = { ifAbsent: true };
  await store.put(keys.guesses, encodeCheckedNpy(pairs, [rows, perCombination, 2]), once);
  await store.put(keys.marginals, encodeCheckedNpy(marginals, [rows, marginals.length / rows]), once);
}

/** Reads what {@link writeCellPart} wrote of all batches of a round: guesses and marginals of all combinations. */
export async function readCellParts(store: Store, { runId, batches }: Assessed, round: number): Promise<CellPart> {
  let whole: CellPart | undefined;
  const parts = readAhead(
    batches,
    async ({ batch, from }) => {
      const keys = runKeys(runId).part(round, batch);
      const read = async (key: string) => decodeCheckedNpy(await store.get(key), key);
      return { from, guesses: await read(keys.guesses), marginals: await read(keys.marginals) };
    },
    PARTS_AT_ONCE,
  );
  const combinations = batches.at(-1)!.to;
  for await (const { from, guesses, marginals: ofBatch } of parts) {
    const { data: pairs, shape } = guesses;
    const { data: marginals, shape: ofMarginals } = ofBatch;
    const [, perCombination] = shape as [number, number, number];
    const [, categories] = ofMarginals as [number, number];
    whole ??= {
      guesses: {
        perCombination,
        cells: new Float64Array(combinations * perCombination),
        probabilities: new Float64Array(combinations * perCombination),
      },
      marginals: new Float64Array(combinations * categories),
    };
    for (let i = 0; i < pairs.length / 2; i++) {
      whole.guesses.cells[from * perCombination + i] = pairs[2 * i]!;
      whole.guesses.probabilities[from * perCombination + i] = pairs[2 * i + 1]!;
    }
    whole.marginals.set(marginals as Float64Array, from * categories);
  }
  return whole!;
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

/** Stores what is known beside the risk of a batch; it comes before the batch's part. */
export async function writeBeside(store: Store, part: PartReference, beside: RowsBeside): Promise<void> {
  const { beside: key } = runKeys(part.runId).part(part.round, part.batch);
  const arrays = [...ROW_COLUMNS.map((name) => beside[name]), ...SET_COLUMNS.map((name) => beside.values[name])];
  const whole = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  await store.put(key, encodeCheckedNpy(whole, [whole.length]), { ifAbsent: true });
}

/** Reads what {@link writeBeside} wrote of all batches of a round, of so many value sets a row. */
export async function readBeside(store: Store, { runId, batches }: Assessed, round: number, sets: number): Promise<RowsBeside> {
  const found = emptyBeside(batches.at(-1)!.to, sets);
  const parts = readAhead(
    batches,
    async ({ batch, from, to }) => {
      const { beside: key } = runKeys(runId).part(round, batch);
      return { from, rows: to - from, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
  for await (const { from, rows, data } of parts) {
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
