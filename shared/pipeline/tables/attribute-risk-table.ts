import type { ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import type { RiskFigures } from '../../artifacts/stored-part.ts';
import {
  ATTRIBUTE_RISK_COLUMNS,
  type AttributeRiskTable,
} from '../../contracts/results/attribute-risk-table.ts';
import { isDistinguishable } from '../../risk/attribute/attribute-summary.ts';
import { type SearchedRows, searchedCandidates } from '../../risk/cells/searched-rows.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { considerCandidates } from '../../risk/intruder/considered-candidates.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';
import { SEPARATOR } from './separator.ts';
import { tableRows } from './table-rows.ts';

/**
 * The number of candidates of each combination, or null where all have as many.
 *
 * @param searched where cells are searched for, what was found
 */
export function candidateNumbers(
  { table, space, support, synthesized }: ScenarioModel,
  searched: SearchedRows | null,
): Uint32Array | null {
  if (searched) return searchedCandidates(searched);
  if (space.kind === 'all-cells' || synthesized !== null) return null;
  const considered = considerCandidates(space, table.combinations.codes, support);
  return considered ? Uint32Array.from(considered, ({ length }) => length) : null;
}

/**
 * The table of a scenario, from the figures of all its rows.
 *
 * @param paretoKThreshold above which a tail is too heavy
 * @param found where cells are searched for, what was found; where the model is of trees, what is known beside
 */
export async function attributeRiskTable(
  store: Store,
  context: ScenarioModel,
  figures: RiskFigures,
  paretoKThreshold: number,
  { searched, beside }: { readonly searched: SearchedRows | null; readonly beside: RowsBeside | null },
): Promise<AttributeRiskTable> {
  const { scenario, table, space } = context;
  const { schema } = table;
  const { ofRecords, combinationOf, countOf, codesOf, variables } = await tableRows(store, context);
  const rows = figures.rank.length;
  const integers = (value: (row: number) => number) =>
    Int32Array.from({ length: rows }, (_, row) => value(row));
  const orNull = (column: Float64Array) => (row: number) =>
    Number.isFinite(column[row]!) ? column[row]! : null;
  const own = candidateNumbers(context, searched);
  const candidates = Float64Array.from({ length: rows }, (_, row) => own?.[row] ?? space.perCombination);
  /** What the first guess changes, each change as a text; null where the truth comes first. */
  const guess = (row: number, text: (change: { variable: number; code: number }) => string) => {
    const changes = candidateChanges(space, codesOf(row), figures.firstGuess[row]!);
    return changes.length === 0 ? null : changes.map(text).join(SEPARATOR);
  };
  return {
    rows,
    ofRecords,
    columns: {
      record: integers((row) => row + 1),
      combination: integers((row) => (context.numbers?.[row] ?? combinationOf(row)) + 1),
      count: integers(countOf),
      candidates,
      rank: figures.rank,
      rank_low: figures.rankLow,
      rank_high: figures.rankHigh,
      prior_probability: figures.priorProbability,
      probability: figures.probability,
      probability_se: figures.probabilitySe,
      ratio_to_uniform: figures.probability.map((probability, row) => probability * candidates[row]!),
      information_bits: figures.informationBits,
      uncertainty_resolved: orNull(figures.uncertaintyResolved),
      uncertainty_resolved_se: orNull(figures.uncertaintyResolvedSe),
      prior_odds_to_first: figures.priorOddsToFirst,
      bayes_factor: orNull(figures.bayesFactor),
      bayes_factor_se: orNull(figures.bayesFactorSe),
      privacy_loss: orNull(figures.privacyLoss),
      privacy_loss_se: orNull(figures.privacyLossSe),
      first_guess_variable: (row) => guess(row, ({ variable }) => schema.variables[variable]!.name),
      first_guess_value: (row) =>
        guess(row, ({ variable, code }) => categoryText(schema, variable, code) ?? 'NA'),
      first_guess_probability: figures.firstGuessProbability,
      distinguishable: (row) =>
        isDistinguishable(figures.rankLow[row]!, figures.rankHigh[row]!, candidates[row]!),
      effective_draws: (row) =>
        figures.effectiveDraws[row] === Infinity ? null : figures.effectiveDraws[row]!,
      pareto_k: orNull(figures.paretoK),
      heavy_tail: (row) => figures.paretoK[row]! > paretoKThreshold,
      scenario: () => scenario.name,
    },
    ofTrees: beside && {
      probability_fixed: beside.probabilityFixed,
      proven: (row) => beside.proven[row] === 1,
    },
    variables,
  };
}

/**
 * The columns of `attribute-risk.csv` and `.parquet`, named and ordered by the contract.
 *
 * @param from first row; `to` is past the last
 */
export function attributeRiskColumns(
  { ofRecords, columns, ofTrees, variables }: AttributeRiskTable,
  from: number,
  to: number,
): ParquetColumn[] {
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  const all = { ...columns, ...ofTrees };
  const ofContract = (contract: { readonly [Name in keyof typeof all]?: string }) =>
    Object.entries(contract).flatMap(([name, type]) => {
      const column = all[name as keyof typeof all];
      if (column === undefined) return [];
      const values =
        typeof column === 'function' ? rows.map((row) => column(row)) : column.subarray(from, to);
      return [{ name, type, values } as ParquetColumn];
    });
  return [
    ...(ofRecords ? ofContract(ATTRIBUTE_RISK_COLUMNS.ofRecords) : []),
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.beforeVariables),
    ...variables.map(({ name, text }): ParquetColumn => ({ name, type: 'string', values: rows.map(text) })),
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.afterVariables),
    ...(ofTrees ? ofContract(ATTRIBUTE_RISK_COLUMNS.ofTrees) : []),
  ];
}
