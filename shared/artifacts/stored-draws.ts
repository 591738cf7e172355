import {
  checkedRows,
  decodeCheckedNpy,
  encodeCheckedNpy,
  ROW_CHECKSUM_BYTES,
  type RowElements,
  withRowChecksums,
} from '../arrays/checked-npy.ts';
import { encodeNpyHeader } from '../arrays/npy.ts';
import { decodeNpz } from '../arrays/npz.ts';
import { integratesPhi } from '../contracts/config/config.ts';
import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/run/plan.ts';
import { type ChainDraws, chainDrawsOf, decodeChainDraws, encodeChainDraws } from '../model/chains/chain-draws.ts';
import type { Store } from '../storage/store.ts';

/**
 * Stores a chain's draws, and before them, where they have some, the classes of combinations. A file that is there
 * already stays: a repeated step would write the same bytes.
 */
export async function writeDraws(store: Store, runId: string, chain: string, draws: ChainDraws): Promise<void> {
  const keys = runKeys(runId);
  const once = { ifAbsent: true };
  const { classOfCombination } = draws.allocation ?? {};
  if (classOfCombination && classOfCombination.length > 0) {
    const combinations = classOfCombination.length / draws.draws;
    const wide = transposed(classOfCombination, combinations);
    const byCombination = classBytes(draws.classes) === 1 ? Uint8Array.from(wide) : wide;
    const rows = withRowChecksums(byCombination, draws.draws);
    await store.put(keys.classes(chain), encodeCheckedNpy(rows, [combinations, rows.length / combinations]), once);
  }
  await store.put(keys.draws(chain), encodeChainDraws(draws), once);
}

/** Bytes in which the class of a combination is stored. */
const classBytes = (classes: number) => (classes <= 256 ? 1 : 2);

/** Combinations (from 0) of the `of` of a run's table: `from` up to but without `to`, or some by their numbers. */
export type SomeCombinations = { readonly from: number; readonly to: number; readonly of: number } | Uint32Array;

/** No combination: of an allocation, what its classes hold alone. */
export const NO_ROWS: SomeCombinations = new Uint32Array(0);

/** A file of classes up to this size is read as a whole, so that a cache can keep it for the other batches. */
const WHOLE_FILE_BYTES = 1024 * 1024;

/**
 * Reads a chain's draws. Throws ArtifactError when they are not there, or are no draws.
 *
 * @param combinations those whose classes are wanted, of a chain that has allocations; of none if left out
 */
export async function readDraws(store: Store, runId: string, chain: string, combinations?: SomeCombinations): Promise<ChainDraws> {
  const key = runKeys(runId).draws(chain);
  const bytes = await store.get(key);
  if (combinations === undefined) return decodeChainDraws(bytes, key);
  if (combinations instanceof Uint32Array && combinations.length === 0) return decodeChainDraws(bytes, key, new Uint16Array(0));
  const arrays = decodeNpz(bytes, key);
  const classes = await readClasses(store, runKeys(runId).classes(chain), chainDrawsOf(arrays, key), combinations);
  return chainDrawsOf(arrays, key, classes);
}

/** Classes of some combinations: draws x combinations. */
async function readClasses(
  store: Store,
  key: string,
  { draws, classes }: Pick<ChainDraws, 'draws' | 'classes'>,
  combinations: SomeCombinations,
): Promise<Uint16Array> {
  const Elements = classBytes(classes) === 1 ? Uint8Array : Uint16Array;
  const rowBytes = draws * Elements.BYTES_PER_ELEMENT + ROW_CHECKSUM_BYTES;
  if (combinations instanceof Uint32Array) {
    const { data } = decodeCheckedNpy(await store.get(key), key);
    if (!(data instanceof Elements)) throw new ArtifactError('chain-malformed', `${key}: has other classes`);
    const all = checkedRows(data as RowElements, draws, 0, key);
    const own = new Uint16Array(combinations.length * draws);
    for (const [i, combination] of combinations.entries()) {
      own.set(all.subarray(combination * draws, (combination + 1) * draws), i * draws);
    }
    return transposed(own, draws);
  }
  const { from, to, of } = combinations;
  // Headers are padded, to the same length whatever the number of combinations.
  const start = encodeNpyHeader({ data: new Elements(0), shape: [0, draws] }).length + from * rowBytes;
  const end = start + (to - from) * rowBytes;
  const bytes = of * rowBytes <= WHOLE_FILE_BYTES ? (await store.get(key)).subarray(start, end) : await store.get(key, { start, end });
  if (bytes.length !== (to - from) * rowBytes) {
    throw new ArtifactError('chain-malformed', `${key}: has not the classes of combination ${to}`);
  }
  const rows = checkedRows(new Elements(new Uint8Array(bytes).buffer), draws, from, key);
  return transposed(Uint16Array.from(rows), draws);
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

/**
 * Bytes of a draw as it is stored, without what only DP-areal has: pi and phi, and, where phi is integrated out, the counts of
 * its allocation and the class of every combination of the table.
 */
export function drawBytes({ config, classes }: Pick<Plan, 'config' | 'classes'>, categories: number, combinations: number): number {
  const parameters = classes * (1 + categories) * Float64Array.BYTES_PER_ELEMENT;
  if (!integratesPhi(config)) return parameters;
  const counts = classes * categories * Uint32Array.BYTES_PER_ELEMENT;
  return parameters + counts + allocationBytes({ config, classes }, combinations);
}

/** The part of them that is of combinations, of which a batch reads its own. */
export function allocationBytes({ config, classes }: Pick<Plan, 'config' | 'classes'>, combinations: number): number {
  return integratesPhi(config) ? combinations * classBytes(classes) : 0;
}
