import type { OfScenario, RunModel } from '../../artifacts/run-context.ts';
import { type MixedView, mixedRows, placesOf } from '../../model/mixed/mixed-view.ts';
import { normalPriorOf } from '../../model/mixed/normal-prior.ts';
import { considerCandidates } from '../../risk/intruder/candidate-space.ts';
import { createMixedScorer } from '../../risk/mixed/mixed-scorer.ts';
import { type MixedSpace, mixedSpace, mixedValueSets } from '../../risk/mixed/mixed-space.ts';
import { UNIFORM } from '../../risk/prior/row-priors.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import type { RiskRows } from './risk-rows.ts';

/** What an intruder considers for the records of a run by the model `mixed`: of `sizes` the categories that can be listed. */
export function spaceOfView(view: MixedView, guessed: readonly number[], sizes: readonly number[]): MixedSpace {
  return mixedSpace(
    sizes,
    guessed.map((part) => {
      const { declared, scale } = view.continuous[part]!;
      return { ...declared, part, scale };
    }),
  );
}

/** The values of a table's continuous variables that are guessed at: variables x records, in their unit. */
function valuesOf({ columns, records }: Table, view: MixedView, guessed: readonly number[]): Float64Array {
  const values = new Float64Array(guessed.length * records);
  for (const [g, j] of guessed.entries()) {
    const column = columns[view.continuous[j]!.variable]!;
    if (column.type === 'continuous') values.set(column.values, g * records);
  }
  return values;
}

/** The records `from` up to but without `to` (from 0) of a run by the model `mixed`, with all candidates of theirs. */
export function readMixedRows(
  { plan, table, densities }: RunModel & OfScenario,
  { from, to }: { readonly from: number; readonly to: number },
): RiskRows & { readonly mixedSpace: MixedSpace } {
  if (densities === undefined) throw new RangeError('the run has no densities');
  const { view, guessed } = densities;
  const records = chosenRecords(
    densities.records,
    Uint32Array.from({ length: to - from }, (_, i) => from + i),
  );
  const space = spaceOfView(view, guessed, table.sizes);
  const listed = view.categorical.filter((v) => table.schema.variables.some(({ name }) => name === view.schema.variables[v]!.name));
  const codes = recordCodes(
    listed.map((v) => records.columns[v]!),
    0,
    records.records,
  );
  const ofCategories = considerCandidates(space.categorical, codes, undefined);
  const unranked = Array.from(
    { length: space.perRecord - space.categorical.perCombination },
    (_, x) => space.categorical.perCombination + x,
  );
  const considered = ofCategories?.map((own) => Uint32Array.from([...own, ...unranked]));
  const model = { sizes: view.sizes, continuous: view.continuous, prior: normalPriorOf(plan.config.model) };
  const scorer = createMixedScorer(space, model, mixedRows(view, [records]), placesOf(view, listed).parts);
  return {
    codes,
    counts: new Uint32Array(to - from).fill(1),
    scorers: {
      rows: to - from,
      length: (to - from) * space.perRecord,
      alone: scorer,
      withDataset: async () => scorer,
      combinations: { from, to, of: plan.table.records },
    },
    ...(considered ? { considered } : {}),
    sets: mixedValueSets(space, { codes, values: valuesOf(records, view, guessed) }, considered),
    priors: UNIFORM,
    mixedSpace: space,
  };
}
