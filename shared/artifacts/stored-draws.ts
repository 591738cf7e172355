import { decodeNpy, encodeNpy, encodeNpyHeader } from '../arrays/npy.ts';
import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import { type ChainDraws, decodeChainDraws, encodeChainDraws } from '../model/chains/chain-draws.ts';
import type { Store } from '../storage/store.ts';

/** True when a chain's draws are there. */
export async function hasDraws(store: Store, runId: string, chain: string): Promise<boolean> {
  return (await store.head(runKeys(runId).draws(chain))) !== null;
}

/**
 * Stores a chain's draws, and before them, where they have allocations, the classes of combinations. A file that is there
 * already stays: a repeated step would write the same bytes.
 */
export async function writeDraws(
  store: Store,
  runId: string,
  chain: string,
  draws: ChainDraws,
): Promise<void> {
  const keys = runKeys(runId);
  const once = { ifAbsent: true };
  if (draws.allocation) {
    const { classOfCombination } = draws.allocation;
    const combinations = classOfCombination.length / draws.draws;
    const byCombination = transposed(classOfCombination, combinations);
    await store.put(keys.classes(chain), encodeNpy(byCombination, [combinations, draws.draws]), once);
  }
  await store.put(keys.draws(chain), encodeChainDraws(draws), once);
}

/** Combinations (from 0) of a run's table: `from` up to but without `to`, or some by their numbers. */
export type SomeCombinations = { readonly from: number; readonly to: number } | Uint32Array;

/**
 * Reads a chain's draws. Throws ArtifactError when they are not there, or are no draws.
 *
 * @param combinations those whose classes are wanted, of a chain that has allocations; of none if left out
 */
export async function readDraws(
  store: Store,
  runId: string,
  chain: string,
  combinations?: SomeCombinations,
): Promise<ChainDraws> {
  const key = runKeys(runId).draws(chain);
  const bytes = await store.get(key);
  if (combinations === undefined) return decodeChainDraws(bytes, key);
  const { draws } = decodeChainDraws(bytes, key);
  return decodeChainDraws(
    bytes,
    key,
    await readClasses(store, runKeys(runId).classes(chain), draws, combinations),
  );
}

/** Classes of some combinations: draws x combinations. */
async function readClasses(
  store: Store,
  key: string,
  draws: number,
  combinations: SomeCombinations,
): Promise<Uint16Array> {
  if (combinations instanceof Uint32Array) {
    const all = decodeNpy(await store.get(key), key).data as Uint16Array;
    const own = new Uint16Array(combinations.length * draws);
    for (const [i, combination] of combinations.entries()) {
      own.set(all.subarray(combination * draws, (combination + 1) * draws), i * draws);
    }
    return transposed(own, draws);
  }
  const { from, to } = combinations;
  const rowBytes = draws * Uint16Array.BYTES_PER_ELEMENT;
  // Headers are padded, to the same length whatever the number of combinations.
  const start = encodeNpyHeader({ data: new Uint16Array(0), shape: [0, draws] }).length + from * rowBytes;
  const bytes = await store.get(key, { start, end: start + (to - from) * rowBytes });
  if (bytes.length !== (to - from) * rowBytes) {
    throw new ArtifactError('chain-malformed', `${key}: has not the classes of combination ${to}`);
  }
  return transposed(new Uint16Array(bytes.slice().buffer), draws);
}

/** A matrix of so many columns, its columns made rows. */
function transposed(matrix: Uint16Array, columns: number): Uint16Array {
  const rows = matrix.length / columns;
  const result = new Uint16Array(matrix.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = matrix[row * columns + column]!;
    }
  }
  return result;
}
