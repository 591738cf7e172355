import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import type { CellRisk } from '../risk/cells/cell-risk.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import type { Assessed, PartReference } from './stored-part.ts';

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
