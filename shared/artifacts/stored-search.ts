import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { searchedCells } from '../contracts/config/config.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import type { SearchedRows } from '../risk/cells/searched-rows.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';
import type { PartReference } from './stored-part.ts';

/** Columns of a stored search, in order. */
const COLUMNS = ['cellsFound', 'truthFound', 'missed', 'missedSe', 'effectiveVisits'] as const;

/** Stores what the search of a batch came to, before its part, which says that all is whole. */
export async function writeSearch(store: Store, { runId, round, batch }: PartReference, searched: SearchedRows): Promise<void> {
  const rows = searched.missed.length;
  const figures = new Float64Array(rows * COLUMNS.length);
  for (const [c, name] of COLUMNS.entries()) {
    for (let row = 0; row < rows; row++) figures[row * COLUMNS.length + c] = searched[name][row]!;
  }
  const key = runKeys(runId).part(round, batch).search;
  await store.put(key, encodeCheckedNpy(figures, [rows, COLUMNS.length]), { ifAbsent: true });
}

/** Reads what {@link writeSearch} wrote of all batches of a scenario in a round; null where no cells are searched for. */
export async function readSearch(store: Store, { runId, batches, candidates }: Scenario, round: number): Promise<SearchedRows | null> {
  if (searchedCells(candidates) === null) return null;
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(batches.at(-1)!.to)])) as Record<
    (typeof COLUMNS)[number],
    Float64Array
  >;
  const parts = readAhead(
    batches,
    async ({ batch, from, to }) => {
      const key = runKeys(runId).part(round, batch).search;
      return { from, to, data: decodeCheckedNpy(await store.get(key), key).data };
    },
    PARTS_AT_ONCE,
  );
  for await (const { from, to, data } of parts) {
    for (const [c, name] of COLUMNS.entries()) {
      for (let row = from; row < to; row++) columns[name][row] = data[(row - from) * COLUMNS.length + c]!;
    }
  }
  return columns;
}
