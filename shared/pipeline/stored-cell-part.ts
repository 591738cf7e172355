import { runKeys } from '../contracts/keys.ts';
import { decodeNpy, encodeNpy } from '../draws/npy.ts';
import type { CellRisk } from '../risk/cell-risk.ts';
import type { Store } from '../storage/store.ts';
import type { PartReference } from './stored-part.ts';

/** What a batch has beside its part when its candidates are all cells. */
export type CellPart = Pick<CellRisk, 'guesses' | 'marginals'>;

/** Stores the guesses and marginals of a batch. They come before its part, which says that all is whole. */
export async function writeCellPart(
  store: Store,
  { runId, round, batch }: PartReference,
  { guesses, marginals }: CellPart,
): Promise<void> {
  const keys = runKeys(runId).part(round, batch);
  const { perCombination, cells, probabilities } = guesses;
  const rows = cells.length / perCombination;
  const pairs = new Float64Array(2 * cells.length);
  for (const [i, cell] of cells.entries()) {
    pairs[2 * i] = cell;
    pairs[2 * i + 1] = probabilities[i]!;
  }
  const once = { ifAbsent: true };
  await store.put(keys.guesses, encodeNpy(pairs, [rows, perCombination, 2]), once);
  await store.put(keys.marginals, encodeNpy(marginals, [rows, marginals.length / rows]), once);
}

/** Reads what {@link writeCellPart} wrote. */
export async function readCellPart(store: Store, { runId, round, batch }: PartReference): Promise<CellPart> {
  const keys = runKeys(runId).part(round, batch);
  const { data, shape } = decodeNpy(await store.get(keys.guesses), keys.guesses);
  const pairs = data as Float64Array;
  const marginals = decodeNpy(await store.get(keys.marginals), keys.marginals);
  return {
    guesses: {
      perCombination: shape[1]!,
      cells: pairs.filter((_, i) => i % 2 === 0),
      probabilities: pairs.filter((_, i) => i % 2 === 1),
    },
    marginals: marginals.data as Float64Array,
  };
}
