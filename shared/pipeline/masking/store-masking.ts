import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { MaskingResult } from '../../contracts/results/masking.ts';
import type { MaskedTable } from '../../masking/mask-table.ts';
import { renderMasking } from '../../report/render-masking.ts';
import type { Store } from '../../storage/store.ts';
import { recordTexts } from '../../table/category-text.ts';
import { encodeCsv } from '../../table/files/write-csv.ts';

/**
 * Stores a masked table, to release if a person decides so, which record each of its rows is, and what is lost; the
 * document comes last and says that everything is there.
 */
export async function storeMasking(store: Store, { masked, rows }: MaskedTable, result: MaskingResult): Promise<void> {
  const { release, confidential } = runKeys(result.runId);
  const header = masked.schema.variables.map(({ name }) => name);
  await store.put(release.masked(1), encodeCsv(header, recordTexts(masked)));
  const numbered = Array.from(rows, (record, row) => [row + 1, record + 1]);
  await store.put(confidential.maskedRows, encodeCsv(['row', 'record'], numbered));
  await store.put(confidential.maskingReport, new TextEncoder().encode(await renderMasking(result)));
  await store.put(confidential.masking, encodeJson(result));
}
