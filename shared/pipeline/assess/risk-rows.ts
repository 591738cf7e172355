import type { RunModel } from '../../artifacts/run-context.ts';
import { readPartialDataset, readRecordTable } from '../../artifacts/stored-columns.ts';
import { integratesPhi } from '../../model/chain-model.ts';
import { considerCandidates } from '../../risk/intruder/considered-candidates.ts';
import { type RowValueSets, rowValueSets } from '../../risk/intruder/value-sets.ts';
import { createDensityScorer } from '../../risk/scoring/density-scorer.ts';
import { createRatioScorer } from '../../risk/scoring/likelihood-ratio.ts';
import { createRecordScorer } from '../../risk/scoring/record-scorer.ts';
import type { Store } from '../../storage/store.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { stackedColumns, stackedVariables } from '../../table/stacked-columns.ts';
import { arealScorer } from './areal-scorer.ts';
import type { RowScorers } from './estimator-terms.ts';

/**
 * A range of the rows of a run's attribute risk. They are the combinations of the table; where datasets are partially
 * synthetic they are its records, since records of one combination differ in what was synthesized for them.
 */
export interface RiskRows {
  /** rows x variables. */
  readonly codes: Uint16Array;
  /** Records of each row. */
  readonly counts: Uint32Array;
  readonly scorers: RowScorers;
  /** For each row, which candidates the intruder considers; all if left out. */
  readonly considered?: readonly Uint32Array[];
  readonly sets: RowValueSets;
}

/** Reads the rows `from` up to but without `to` (from 0) of a run. */
export async function readRiskRows(
  store: Store,
  { plan, table, space, support, synthesized }: RunModel,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RiskRows> {
  const size = { rows: to - from, length: (to - from) * space.perCombination };
  if (synthesized === null) {
    const { codes: all, counts, variables } = table.combinations;
    const codes = all.subarray(from * variables, to * variables);
    const ratios = createRatioScorer(space, codes);
    const { knows } = plan.config.attributeRisk.scenarios[0]!;
    const scorer = knows ? createDensityScorer(ratios, space, to - from) : ratios;
    const considered = considerCandidates(space, codes, support);
    return {
      codes,
      counts: counts.subarray(from, to),
      scorers: {
        ...size,
        alone: scorer,
        withDataset: async () => scorer,
        ...(integratesPhi(plan.config) ? { combinations: { from, to, of: counts.length } } : {}),
      },
      ...(considered ? { considered } : {}),
      sets: rowValueSets(space, codes, considered),
    };
  }
  const records = await readRecordTable(store, plan);
  const codes = recordCodes(records.columns, from, to);
  const variableOfColumn = stackedVariables(table.sizes, synthesized);
  const counts = new Uint32Array(to - from).fill(1);
  const sets = rowValueSets(space, codes);
  const byPattern = arealScorer(plan, table, space, codes);
  if (byPattern)
    return {
      codes,
      counts,
      sets,
      scorers: { ...size, alone: byPattern, withDataset: async () => byPattern },
    };
  return {
    codes,
    counts,
    sets,
    scorers: {
      ...size,
      alone: createRecordScorer(space, codes, [...table.sizes.keys()]),
      withDataset: async (l) => {
        const dataset = await readPartialDataset(store, plan, l, records);
        const rows = recordCodes(stackedColumns(records, dataset, synthesized), from, to);
        return createRecordScorer(space, rows, variableOfColumn);
      },
    },
  };
}
