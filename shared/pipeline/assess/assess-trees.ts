import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { emptyBeside, type RowsBeside } from '../../artifacts/stored-beside.ts';
import { readPartialDataset, readRecordTable } from '../../artifacts/stored-columns.ts';
import { cartSettings } from '../../model/cart/cart-settings.ts';
import type { ListedRisk } from '../../risk/attribute/attribute-risk.ts';
import { type KnownCandidates, type KnownPrior, knownFigures, knownProbability, knownRisk } from '../../risk/exact/known-risk.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { askedVariables, rowValueSets } from '../../risk/intruder/value-sets.ts';
import { createTreeRisk, PRIOR_RECORDS } from '../../risk/trees/tree-risk.ts';
import type { Store } from '../../storage/store.ts';
import { bandsByVariable, guessedColumns, guessedVariables } from '../../table/guessed-columns.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { numbered } from './run-terms.ts';

/**
 * Attribute risk of records `from` up to but without `to` when the model is of trees: exact, or with the divisions held as
 * they are, as the estimator says.
 *
 * @param onUnit called once
 * @throws InvalidTableError `other-trees` when the trees of the table could not have given what was released
 */
export async function assessTrees(
  store: Store,
  { plan, scenario, space }: ScenarioModel,
  { from, to }: { readonly from: number; readonly to: number },
  onUnit: () => void,
): Promise<{ risk: ListedRisk; beside: RowsBeside }> {
  const table = await readRecordTable(store, plan);
  const settings = cartSettings(plan.config, table.schema);
  const datasets = [];
  for (const l of numbered(plan.datasets.count)) {
    const { columns } = await readPartialDataset(store, plan, l, table);
    datasets.push(settings.synthesized.map((v) => columns[v]!));
  }
  const isExact = plan.config.attributeRisk.estimator === 'exact';
  const trees = createTreeRisk(
    { table, settings, datasets, bands: bandsByVariable(plan.config, table.schema) },
    { exact: isExact, priorRecords: PRIOR_RECORDS },
  );
  const guessed = guessedVariables(plan.config.synthesis.synthesized, table.schema);
  const visits = settings.synthesized.map((v) => guessed.indexOf(v));
  const codes = recordCodes(guessedColumns(plan.config, table).columns, from, to);
  const width = guessed.length;
  const sets = rowValueSets(space, codes);
  const singles = [...askedVariables(space).variables.entries()].filter(([, { length }]) => length === 1);
  const prior = scenario.prior as KnownPrior;
  const beside = emptyBeside(to - from, sets.count);
  /** The cells of a row's candidates, in the order of visits. */
  const cellsOf = (row: number) => {
    const own = codes.subarray(row * width, (row + 1) * width);
    const cells = new Uint16Array(space.perCombination * width);
    for (let x = 0; x < space.perCombination; x++) {
      const cell = own.slice();
      for (const { variable, code } of candidateChanges(space, own, x)) cell[variable] = code;
      for (const [place, variable] of visits.entries()) cells[x * width + place] = cell[variable]!;
    }
    return cells;
  };
  const setBeside = (row: number, known: KnownCandidates, fixed: KnownCandidates) => {
    beside.probabilityFixed[row] = knownProbability(fixed, prior);
    for (const [s, set] of sets.of(row).entries()) {
      if (set.codes.length === 0) continue;
      const at = row * sets.count + s;
      const held = knownFigures(fixed, set);
      beside.values.probabilityFixed[at] = held.probabilityAfter;
      beside.values.rightFixed[at] = held.rightAfter;
      beside.values.gainBitsFixed[at] = held.gainBits;
      beside.values.proven[at] = knownFigures(known, set).proven ? 1 : 0;
      beside.values.provenFixed[at] = held.proven ? 1 : 0;
    }
    for (const [s] of singles) {
      const at = row * sets.count + s;
      beside.proven[row] = Math.max(beside.proven[row]!, beside.values.proven[at]!);
      beside.provenFixed[row] = Math.max(beside.provenFixed[row]!, beside.values.provenFixed[at]!);
    }
  };
  const candidatesOf = (row: number): KnownCandidates => {
    const { exact, fixed } = trees.risksOf(from + row, cellsOf(row));
    const known = exact ?? fixed;
    setBeside(row, known, fixed);
    return known;
  };
  const risk = knownRisk(new Uint32Array(to - from).fill(1), candidatesOf, sets, prior);
  onUnit();
  return { risk, beside };
}
