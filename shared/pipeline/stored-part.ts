import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/plan.ts';
import { decodeNpy, encodeNpy } from '../draws/npy.ts';
import { type AttributeRisk, RECORD_SUMS } from '../risk/attribute-risk.ts';
import { HALF_SPLITS } from '../risk/chain-evaluations.ts';
import type { Store } from '../storage/store.ts';

/** Columns of a part's array, in this order. */
const COLUMNS = [
  'rank',
  'rankLow',
  'rankHigh',
  'probability',
  'probabilitySe',
  'informationBits',
  'priorOddsToFirst',
  'firstGuess',
  'firstGuessProbability',
  'effectiveDraws',
] as const satisfies readonly (keyof AttributeRisk)[];

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

/** Stores the result of a batch. */
export async function writePart(store: Store, part: PartReference, risk: AttributeRisk): Promise<void> {
  const keys = partKeys(part);
  const rows = risk.rank.length;
  const columns = new Float64Array(rows * COLUMNS.length);
  for (const [c, column] of COLUMNS.entries()) {
    for (let row = 0; row < rows; row++) columns[row * COLUMNS.length + c] = risk[column][row]!;
  }
  const once = { ifAbsent: true };
  const halves = [rows, HALF_SPLITS, 2];
  await store.put(keys.halfRanks, encodeNpy(risk.halfRanks, halves), once);
  await store.put(keys.halfProbabilities, encodeNpy(risk.halfProbabilities, halves), once);
  await store.put(
    keys.recordSums,
    encodeNpy(risk.recordSums, [risk.recordSums.length / RECORD_SUMS.length, RECORD_SUMS.length]),
    once,
  );
  await store.put(keys.columns, encodeNpy(columns, [rows, COLUMNS.length]), once);
}

async function readArray(store: Store, key: string): Promise<Float64Array> {
  return decodeNpy(await store.get(key), key).data as Float64Array;
}

async function readPart(store: Store, part: PartReference): Promise<AttributeRisk> {
  const keys = partKeys(part);
  const columns = await readArray(store, keys.columns);
  const rows = columns.length / COLUMNS.length;
  const column = (c: number) =>
    Float64Array.from({ length: rows }, (_, row) => columns[row * COLUMNS.length + c]!);
  const named = Object.fromEntries(COLUMNS.map((name, c) => [name, column(c)]));
  return {
    ...(named as Record<(typeof COLUMNS)[number], Float64Array>),
    halfRanks: await readArray(store, keys.halfRanks),
    halfProbabilities: await readArray(store, keys.halfProbabilities),
    recordSums: await readArray(store, keys.recordSums),
  };
}

/** Reads the results of all batches of a round, in order. */
export async function readParts(
  store: Store,
  { runId, batches }: Plan,
  round: number,
): Promise<AttributeRisk[]> {
  const parts: AttributeRisk[] = [];
  for (const { batch } of batches) parts.push(await readPart(store, { runId, round, batch }));
  return parts;
}

/** Probability of the truth from each half of each split, for all combinations: combinations x (2 HALF_SPLITS). */
export async function readHalfProbabilities(
  store: Store,
  { runId, table, batches }: Plan,
  round: number,
): Promise<Float64Array> {
  const width = 2 * HALF_SPLITS;
  const halves = new Float64Array(table.combinations * width);
  for (const { batch, from } of batches) {
    halves.set(await readArray(store, partKeys({ runId, round, batch }).halfProbabilities), from * width);
  }
  return halves;
}
