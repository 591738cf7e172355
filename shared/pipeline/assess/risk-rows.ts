import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { readPrior, readRecordDataset, readRecordTable } from '../../artifacts/stored-table.ts';
import { considerCandidates } from '../../risk/intruder/candidate-space.ts';
import { type RowValueSets, rowValueSets } from '../../risk/intruder/value-sets.ts';
import { listedPriors } from '../../risk/prior/listed-priors.ts';
import type { RowPriors } from '../../risk/prior/row-priors.ts';
import { createDensityScorer, logCells } from '../../risk/scoring/density-scorer.ts';
import { createRatioScorer } from '../../risk/scoring/likelihood-ratio.ts';
import { createRecordScorer } from '../../risk/scoring/record-scorer.ts';
import type { Store } from '../../storage/store.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { stackedColumns, stackedVariables } from '../../table/replaced-columns.ts';
import { ownScorer } from '../synthesizers/synthesizers.ts';
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
  readonly priors: RowPriors;
}

/** Reads the rows `from` up to but without `to` (from 0) of a run. */
export async function readRiskRows(
  store: Store,
  model: ScenarioModel,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RiskRows> {
  const { plan, scenario, table, space, support, synthesized } = model;
  const size = { rows: to - from, length: (to - from) * space.perCombination };
  const weights = await readPrior(store, scenario);
  const priorsOf = (codes: Uint16Array, considered?: readonly Uint32Array[]) =>
    listedPriors(scenario.prior, { space, codes, considered }, table.combinations, weights);
  if (synthesized === null) {
    const { codes: all, counts, variables } = table.combinations;
    const codes = all.subarray(from * variables, to * variables);
    const ratios = createRatioScorer(space, codes);
    const densities = { candidates: space.perCombination, logUnit: logCells(table.sizes), isIntegrated: false };
    const scorer = scenario.knows ? createDensityScorer(ratios, densities, to - from) : ratios;
    const considered = considerCandidates(space, codes, support);
    return {
      codes,
      counts: counts.subarray(from, to),
      scorers: {
        ...size,
        alone: scorer,
        withDataset: async () => scorer,
        ...(scenario.phi === 'integrated' ? { combinations: { from, to, of: counts.length } } : {}),
      },
      ...(considered ? { considered } : {}),
      sets: rowValueSets(space, codes, considered),
      priors: priorsOf(codes, considered),
    };
  }
  const records = await readRecordTable(store, plan);
  const codes = recordCodes(records.columns, from, to);
  const variableOfColumn = stackedVariables(table.sizes, synthesized);
  const counts = new Uint32Array(to - from).fill(1);
  const sets = rowValueSets(space, codes);
  const priors = priorsOf(codes);
  const byPattern = ownScorer(plan, table, space, codes);
  if (byPattern) return { codes, counts, sets, priors, scorers: { ...size, alone: byPattern, withDataset: async () => byPattern } };
  return {
    codes,
    counts,
    sets,
    priors,
    scorers: {
      ...size,
      alone: createRecordScorer(space, codes, [...table.sizes.keys()]),
      withDataset: async (l) => {
        const dataset = await readRecordDataset(store, plan, l, records);
        const rows = recordCodes(stackedColumns(records, dataset, synthesized), from, to);
        return createRecordScorer(space, rows, variableOfColumn);
      },
    },
  };
}
