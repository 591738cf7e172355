import { type RowsBeside, writeBeside } from '../../artifacts/stored-beside.ts';
import { type CellPart, writeCellPart } from '../../artifacts/stored-cell-part.ts';
import { type PartReference, writeDatasetSums, writePart } from '../../artifacts/stored-part.ts';
import { writeLikeliest, writeValuePart } from '../../artifacts/stored-value-part.ts';
import type { AttributeRisk, ListedRisk } from '../../risk/attribute/attribute-risk.ts';
import type { Store } from '../../storage/store.ts';

/** What a batch comes to: where candidates are listed one by one, what is known of values and the likeliest as well. */
export type RiskPart =
  | {
      readonly risk: ListedRisk;
      /** Of trees, what is known beside. */
      readonly beside?: RowsBeside;
      /** Of an intruder who does not have all records but one, what each dataset says by itself. */
      readonly datasetSums?: Float64Array;
    }
  | { readonly risk: AttributeRisk; readonly cells: CellPart };

/** Stores a part. The risk comes last, and says that all is there. */
export async function storeRiskPart(store: Store, reference: PartReference, part: RiskPart): Promise<void> {
  if ('cells' in part) {
    await writeCellPart(store, reference, part.cells);
  } else {
    if (part.datasetSums) await writeDatasetSums(store, reference, part.datasetSums);
    await writeValuePart(store, reference, part.risk.values);
    await writeLikeliest(store, reference, part.risk.likeliest);
    if (part.beside) await writeBeside(store, reference, part.beside);
  }
  await writePart(store, reference, part.risk);
}
