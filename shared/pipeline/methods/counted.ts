import type { RunModel, ScenarioModel } from '../../artifacts/run-context.ts';
import { readDataset } from '../../artifacts/stored-dataset.ts';
import { scoresCells } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { plannedCount, plannedEpsilon } from '../../model/conjugate/planned-count.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { CELL_EVALUATIONS } from '../../risk/cells/cell-evaluations.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { GUESSES } from '../../risk/cells/cell-sums.ts';
import { type CountedRelease, countRelease } from '../../risk/exact/counted-release.ts';
import { exactCells } from '../../risk/exact/exact-cells.ts';
import { exactFigures } from '../../risk/exact/exact-figures.ts';
import { exactRisk, exactValues } from '../../risk/exact/exact-risk.ts';
import { exactTerms } from '../../risk/exact/exact-terms.ts';
import { cellOrder } from '../../risk/intruder/cell-order.ts';
import type { Store } from '../../storage/store.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { numbered } from '../assess/run-terms.ts';
import { listedBytes, riskRequest, rowsWithin } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';

/**
 * Reads what the table and the datasets of a run by a model of counts come to, cell by cell.
 *
 * @throws RangeError for another model
 */
export async function readCountedRelease(store: Store, { plan, table }: RunModel): Promise<CountedRelease> {
  const datasets: Combinations[] = [];
  for (const l of numbered(plan.datasets.count)) {
    datasets.push((await readDataset(store, plan.runId, l)).combinations);
  }
  return countRelease(table.combinations, datasets, {
    sizes: table.sizes,
    alpha: plannedCount(plan),
    epsilon: plannedEpsilon(plan.config),
  });
}

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

/** About what a cell takes that the table or a dataset has, while a release is counted: its codes, places, counts and value. */
const OCCUPIED_CELL_BYTES = 400;

/** What counting a release takes: the cells of the table, and as many new ones as the datasets have records at most. */
function countedBytes({ table, datasets }: Plan): number {
  return (table.combinations + Math.min(datasets.count * table.records, table.cells!)) * OCCUPIED_CELL_BYTES;
}

/** The sums over all cells of a combination, where the model is of counts. */
function exactSumBytes(schema: TableSchema): number {
  const categories = categorySizes(schema).reduce((sum, size) => sum + size, 0);
  return (5 * CELL_EVALUATIONS + 2 * GUESSES + 2 * categories) * Float64Array.BYTES_PER_ELEMENT;
}

/** Counts of the table and its datasets, which give the likelihood of every candidate in closed form. */
export const counted: RiskMethod = {
  refuse: () => undefined,
  batchBytes(plan, schema, scenario) {
    const fixed = countedBytes(plan);
    if (!scoresCells(scenario.candidates)) return { ...listedBytes(plan, scenario), fixed };
    const perRow = exactSumBytes(schema);
    return { fixed, perRow, perRowAtFirst: perRow };
  },
  batchRows: (plan, schema, scenario, wanted) => rowsWithin(counted.batchBytes(plan, schema, scenario), wanted),
  units: () => 1,
  async assess(store, context, range, onUnit) {
    if (scoresCells(context.scenario.candidates)) {
      const { risk, ...cells } = await assessExactCells(store, context, range, onUnit);
      return { risk, cells };
    }
    const rows = await readRiskRows(store, context, range);
    const found = exactTerms(await readCountedRelease(store, context), context.space, rows.codes);
    onUnit();
    const risk = attributeRisk(riskRequest(context, rows, { terms: found.terms }));
    return { risk: exactRisk({ ...risk, values: exactValues(risk.values) }, found.privacyLoss) };
  },
  readBeside: async () => ({ searched: null, beside: null }),
  summarize: async (_, { plan }, { risk, counts, candidates }) => ({
    by: 'counted',
    file: summarizeAttributeRisk(risk, counts, candidates),
    exact: exactFigures(risk, counts),
    epsilon: plannedEpsilon(plan.config),
  }),
};
