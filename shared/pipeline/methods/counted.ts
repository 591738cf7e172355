import type { OfScenario, RunContext, RunModel } from '../../artifacts/run-context.ts';
import { readDatasets } from '../../artifacts/stored-dataset.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { plannedCount, plannedEpsilon } from '../../model/conjugate/added-count.ts';
import { drawRecords } from '../../model/conjugate/draw-records.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { keptEvaluations } from '../../risk/attribute/kept-evaluations.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { cellRisk } from '../../risk/cells/cell-risk.ts';
import { CELL_EVALUATIONS, GUESSES } from '../../risk/cells/cell-sums.ts';
import { exactCells } from '../../risk/exact/exact-cells.ts';
import { exactMembership } from '../../risk/exact/exact-membership.ts';
import { exactFigures, exactRisk, exactValues } from '../../risk/exact/exact-risk.ts';
import { type CountedRelease, countRelease, exactTerms } from '../../risk/exact/exact-terms.ts';
import { cellOrder } from '../../risk/intruder/cell-order.ts';
import { exactPart, setMembership } from '../../risk/membership/membership-figures.ts';
import { SIMULATED_OTHERS } from '../../risk/membership/other-people.ts';
import type { Store } from '../../storage/store.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { otherCodes } from '../assess/other-people.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { CELLS_UNIT, evaluationWork } from './batch-work.ts';
import { NO_MEMBERSHIP } from './cells.ts';
import { listedBytes, ofCells, ofListed, riskRequest, rowsWithin, withControl } from './listed-batches.ts';
import type { BatchBytes, RiskMethod } from './risk-method.ts';
import { statedExact } from './stated-figures.ts';
import { statedMembership } from './stated-membership.ts';

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

/** What counts come to over records, by a method of theirs. */
const summarizeBy =
  (method: () => RiskMethod): RiskMethod['summarize'] =>
  async (store, context, rows) => {
    const { risk, counts, candidates } = rows;
    const effectiveDrawsReason = 'the risk is exact: nothing is simulated';
    return {
      file: summarizeAttributeRisk(risk, counts, candidates),
      release: await releaseErrors(risk.without(), counts),
      membership: await statedMembership(method(), store, context, rows),
      own: statedExact(context, exactFigures(risk, counts), effectiveDrawsReason),
      before: { effectiveDrawsReason, epsilon: plannedEpsilon(context.plan.config) },
    };
  };

/** People who are not in the table: those of {@link SIMULATED_OTHERS} that are wanted, drawn as synthetic records are. */
function drawOthers(
  { table, streams }: RunContext & OfScenario,
  alpha: number,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const { variables } = table.combinations;
  const drawn = drawRecords(table.combinations, table.sizes, alpha, SIMULATED_OTHERS, streams.open('membership/others'));
  const { codes } = drawn.combinations;
  const rowOf = (at: number) => drawn.combinationOfRecord[from + Math.floor(at / variables)]!;
  return Uint16Array.from({ length: (to - from) * variables }, (_, at) => codes[rowOf(at) * variables + (at % variables)]!);
}

/** What rows take: the release, and with each the bits of the people of a control that fall to it, without each dataset. */
function countedBatch(plan: Plan, scenario: Scenario): BatchBytes {
  const listed = listedBytes(plan, scenario);
  return withControl(plan, { ...listed, fixed: countedBytes(plan) }, keptEvaluations(plan.datasets.count) + plan.datasets.count);
}

/** Counts of the table and its datasets, which give the likelihood of every candidate in closed form. */
export const counted: RiskMethod = {
  ...ofListed,
  batchBytes: (plan, _, scenario) => countedBatch(plan, scenario),
  batchRows: (plan, _, scenario, wanted) => rowsWithin(countedBatch(plan, scenario), wanted),
  units: (_plan, scenario, _numbers, rows) => rows * evaluationWork(scenario, 0),
  membershipReason: () => null,
  async assess(store, context, range, onUnits) {
    const rows = await readRiskRows(store, context, range);
    const release = await readCountedRelease(store, context);
    const { terms, privacyLoss } = exactTerms(release, context.space, rows.codes);
    const ofRow = evaluationWork(context.scenario, 0);
    const risk = attributeRisk({ ...riskRequest(context, rows, { terms }), onRow: () => onUnits(ofRow) });
    const others = await otherCodes(store, context, range, (people) => drawOthers(context, release.alpha, people));
    const [ofMembers, ofOthers] = [exactMembership(release, rows.codes, 1), exactMembership(release, others, 0)];
    const membership = exactPart(ofMembers, ofOthers, context.plan.datasets.count);
    setMembership(risk, membership);
    return { risk: exactRisk({ ...risk, values: exactValues(risk.values) }, privacyLoss), membership };
  },
  terms: async (store, context, _, { codes }) => exactTerms(await readCountedRelease(store, context), context.space, codes),
  summarize: summarizeBy(() => counted),
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
  units: (_plan, _scenario, _numbers, rows) => rows * CELLS_UNIT,
  membershipReason: () => NO_MEMBERSHIP,
  async assess(store, context, { from, to }, onUnits) {
    const { codes: all, counts, variables } = context.table.combinations;
    const codes = all.subarray(from * variables, to * variables);
    const order = cellOrder(context.table.sizes);
    const { sums, privacyLoss } = exactCells(await readCountedRelease(store, context), order, codes);
    const paretoK = new Float64Array(to - from).fill(NaN);
    const effectiveDraws = new Float64Array(to - from).fill(Infinity);
    const { risk, ...cells } = cellRisk(sums, { order, codes, counts: counts.subarray(from, to), effectiveDraws, paretoK });
    onUnits((to - from) * CELLS_UNIT);
    return { risk: exactRisk(risk, privacyLoss), cells };
  },
  summarize: summarizeBy(() => countedCells),
};
