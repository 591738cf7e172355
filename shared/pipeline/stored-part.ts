import { runKeys } from '../contracts/keys.ts';
import { decodeNpy, encodeNpy } from '../draws/npy.ts';
import type { AttributeRisk } from '../risk/attribute-risk.ts';
import { HALF_SPLITS, RESAMPLES } from '../risk/chain-evaluations.ts';
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

/** True when a batch's result is there, whole. */
export async function hasPart(store: Store, runId: string, batch: number): Promise<boolean> {
  return (await store.head(runKeys(runId).part(batch).columns)) !== null;
}

/** Stores the result of a batch. */
export async function writePart(
  store: Store,
  runId: string,
  batch: number,
  risk: AttributeRisk,
): Promise<void> {
  const keys = runKeys(runId).part(batch);
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
    encodeNpy(risk.recordSums, [1 + RESAMPLES, risk.recordSums.length / (1 + RESAMPLES)]),
    once,
  );
  await store.put(keys.columns, encodeNpy(columns, [rows, COLUMNS.length]), once);
}

/** Reads the result of a batch. */
export async function readPart(store: Store, runId: string, batch: number): Promise<AttributeRisk> {
  const keys = runKeys(runId).part(batch);
  const array = async (key: string) => decodeNpy(await store.get(key), key).data as Float64Array;
  const columns = await array(keys.columns);
  const rows = columns.length / COLUMNS.length;
  const column = (c: number) =>
    Float64Array.from({ length: rows }, (_, row) => columns[row * COLUMNS.length + c]!);
  const named = Object.fromEntries(COLUMNS.map((name, c) => [name, column(c)]));
  return {
    ...(named as Record<(typeof COLUMNS)[number], Float64Array>),
    halfRanks: await array(keys.halfRanks),
    halfProbabilities: await array(keys.halfProbabilities),
    recordSums: await array(keys.recordSums),
  };
}
