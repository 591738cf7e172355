import { scoresCells } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { plannedEpsilon } from '../../model/conjugate/planned-count.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { CELL_EVALUATIONS } from '../../risk/cells/cell-evaluations.ts';
import { GUESSES } from '../../risk/cells/cell-sums.ts';
import { exactFigures } from '../../risk/exact/exact-figures.ts';
import { exactRisk, exactValues } from '../../risk/exact/exact-risk.ts';
import { exactTerms } from '../../risk/exact/exact-terms.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { assessExactCells } from '../assess/assess-exact-cells.ts';
import { readCountedRelease } from '../assess/read-counted-release.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { listedBytes, riskRequest, rowsWithin } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';

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
  readBeside: async () => null,
  summarize: async (_, { plan }, { risk, counts, candidates }) => ({
    by: 'counted',
    file: summarizeAttributeRisk(risk, counts, candidates),
    release: releaseErrors(risk, counts),
    exact: exactFigures(risk, counts),
    epsilon: plannedEpsilon(plan.config),
  }),
};
