import type { RunModel } from '../../artifacts/run-context.ts';
import { readDatasets } from '../../artifacts/stored-dataset.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { plannedCount, plannedEpsilon } from '../../model/conjugate/added-count.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { cellRisk } from '../../risk/cells/cell-risk.ts';
import { CELL_EVALUATIONS, GUESSES } from '../../risk/cells/cell-sums.ts';
import { exactCells } from '../../risk/exact/exact-cells.ts';
import { exactFigures, exactRisk, exactValues } from '../../risk/exact/exact-risk.ts';
import { type CountedRelease, countRelease, exactTerms } from '../../risk/exact/exact-terms.ts';
import { cellOrder } from '../../risk/intruder/cell-order.ts';
import type { Store } from '../../storage/store.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { listedBytes, ofCells, ofListed, riskRequest, rowsWithin } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';
import { statedExact } from './stated-figures.ts';

/** Reads what the table and the datasets of a run by a model of counts come to, cell by cell. Throws RangeError for another model. */
async function readCountedRelease(store: Store, { plan, table }: RunModel): Promise<CountedRelease> {
  const counted = { sizes: table.sizes, alpha: plannedCount(plan), epsilon: plannedEpsilon(plan.config) };
  return countRelease(table.combinations, await readDatasets(store, plan), counted);
}

/** About what a cell takes that the table or a dataset has, while a release is counted: its codes, places, counts and value. */
const OCCUPIED_CELL_BYTES = 400;

/** What counting a release takes: the cells of the table, and as many new ones as the datasets have records at most. */
function countedBytes({ table, datasets }: Plan): number {
  return (table.combinations + Math.min(datasets.count * table.records, table.cells!)) * OCCUPIED_CELL_BYTES;
}

const NO_MEMBERSHIP = 'not found for models of counts';

const summarize: RiskMethod['summarize'] = async (_, context, { risk, counts, candidates }) => {
  const effectiveDrawsReason = 'the risk is exact: nothing is simulated';
  return {
    file: summarizeAttributeRisk(risk, counts, candidates),
    release: releaseErrors(risk, counts),
    membership: { reason: NO_MEMBERSHIP },
    own: statedExact(context, exactFigures(risk, counts), effectiveDrawsReason),
    before: { effectiveDrawsReason, epsilon: plannedEpsilon(context.plan.config) },
  };
};

/** Counts of the table and its datasets, which give the likelihood of every candidate in closed form. */
export const counted: RiskMethod = {
  ...ofListed,
  batchBytes: (plan, _, scenario) => ({ ...listedBytes(plan, scenario), fixed: countedBytes(plan) }),
  batchRows: (plan, _, scenario, wanted) => rowsWithin(listedBytes(plan, scenario), wanted),
  units: () => 1,
  membershipReason: () => NO_MEMBERSHIP,
  async assess(store, context, range, onUnit) {
    const rows = await readRiskRows(store, context, range);
    const { terms, privacyLoss } = exactTerms(await readCountedRelease(store, context), context.space, rows.codes);
    onUnit();
    const risk = attributeRisk(riskRequest(context, rows, { terms }));
    return { risk: exactRisk({ ...risk, values: exactValues(risk.values) }, privacyLoss) };
  },
  terms: async (store, context, _, { codes }) => exactTerms(await readCountedRelease(store, context), context.space, codes),
  summarize,
};

/** The same of all cells of the table. */
export const countedCells: RiskMethod = {
  ...ofListed,
  ...ofCells,
  batchBytes(plan, schema) {
    const categories = categorySizes(schema).reduce((sum, size) => sum + size, 0);
    const perRow = (5 * CELL_EVALUATIONS + 2 * GUESSES + 2 * categories) * Float64Array.BYTES_PER_ELEMENT;
    return { fixed: countedBytes(plan), perRow, perRowAtFirst: perRow };
  },
  batchRows: (plan, schema, scenario, wanted) => rowsWithin(countedCells.batchBytes(plan, schema, scenario), wanted),
  units: () => 1,
  membershipReason: () => NO_MEMBERSHIP,
  async assess(store, context, { from, to }, onUnit) {
    const { codes: all, counts, variables } = context.table.combinations;
    const codes = all.subarray(from * variables, to * variables);
    const order = cellOrder(context.table.sizes);
    const { sums, privacyLoss } = exactCells(await readCountedRelease(store, context), order, codes);
    const paretoK = new Float64Array(to - from).fill(NaN);
    const effectiveDraws = new Float64Array(to - from).fill(Infinity);
    const { risk, ...cells } = cellRisk(sums, { order, codes, counts: counts.subarray(from, to), effectiveDraws, paretoK });
    onUnit();
    return { risk: exactRisk(risk, privacyLoss), cells };
  },
  summarize,
};
