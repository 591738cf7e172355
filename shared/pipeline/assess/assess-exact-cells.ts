import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { exactCells } from '../../risk/exact/exact-cells.ts';
import { exactRisk } from '../../risk/exact/exact-risk.ts';
import { cellOrder } from '../../risk/intruder/cell-order.ts';
import type { Store } from '../../storage/store.ts';
import { readCountedRelease } from './read-counted-release.ts';

/**
 * Attribute risk of combinations `from` up to but without `to` when the candidates are all cells of the table and the
 * model is of counts.
 *
 * @param onUnit called once
 * @throws RangeError naming the combination (from 0 within the batch) when a risk is not a number
 */
export async function assessExactCells(
  store: Store,
  context: ScenarioModel,
  { from, to }: { readonly from: number; readonly to: number },
  onUnit: () => void,
): Promise<CellRisk> {
  const { codes, counts, variables } = context.table.combinations;
  const own = codes.subarray(from * variables, to * variables);
  const order = cellOrder(context.table.sizes);
  const { sums, privacyLoss } = exactCells(await readCountedRelease(store, context), order, own);
  const rows = to - from;
  const none = new Float64Array(rows).fill(NaN);
  const every = new Float64Array(rows).fill(Infinity);
  const found = cellRisk(sums, { order, codes: own, counts: counts.subarray(from, to), effectiveDraws: every, paretoK: none });
  onUnit();
  return { ...found, risk: exactRisk(found.risk, privacyLoss) };
}
