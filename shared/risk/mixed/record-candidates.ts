import type { TableSchema } from '../../contracts/schema.ts';
import { type MixedView, mixedRows, placesOf } from '../../model/mixed/mixed-view.ts';
import type { NormalPrior } from '../../model/mixed/normal-prior.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import { considerCandidates } from '../intruder/candidate-space.ts';
import type { RowValueSets } from '../intruder/value-sets.ts';
import { createDensityScorer } from '../scoring/density-scorer.ts';
import type { AveragingScorer } from '../scoring/ratio-scorer.ts';
import { besideOf } from './beside.ts';
import { createMixedScorer } from './mixed-scorer.ts';
import { type MixedSpace, mixedSpace, mixedValueSets } from './mixed-space.ts';

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

/** Records with all candidates of theirs. */
export interface RecordCandidates {
  readonly space: MixedSpace;
  /** records x categorical variables that are guessed at. */
  readonly codes: Uint16Array;
  /** Candidates of each record; all if left out. */
  readonly considered?: readonly Uint32Array[];
  readonly sets: RowValueSets;
  readonly scorer: AveragingScorer;
  /** The same where they are not in the table of the draws. */
  readonly outside: AveragingScorer;
  /** The same with what a dataset has beside each record, of which all else is kept. */
  readonly beside: (dataset: Table) => AveragingScorer;
}

/**
 * The candidates of some records of a table, and what scores them.
 *
 * @param guessed continuous variables that are guessed at, by their place in the view
 * @param listed schema of the categorical variables that are guessed at
 */
export function recordCandidates(
  { view, guessed, records }: { readonly view: MixedView; readonly guessed: readonly number[]; readonly records: Table },
  listed: TableSchema,
  prior: NormalPrior,
): RecordCandidates {
  const space = spaceOfView(view, guessed, categorySizes(listed));
  const variables = view.categorical.filter((v) => listed.variables.some(({ name }) => name === view.schema.variables[v]!.name));
  const codes = recordCodes(
    variables.map((v) => records.columns[v]!),
    0,
    records.records,
  );
  const ofCategories = considerCandidates(space.categorical, codes, undefined);
  const unranked = Array.from(
    { length: space.perRecord - space.categorical.perCombination },
    (_, x) => space.categorical.perCombination + x,
  );
  const considered = ofCategories?.map((own) => Uint32Array.from([...own, ...unranked]));
  const model = { sizes: view.sizes, continuous: view.continuous, prior };
  const rows = mixedRows(view, [records]);
  const { parts } = placesOf(view, variables);
  return {
    space,
    codes,
    ...(considered && { considered }),
    sets: mixedValueSets(space, { codes, values: valuesOf(records, view, guessed) }, considered),
    scorer: createMixedScorer(space, model, rows, parts),
    outside: createMixedScorer(space, model, rows, parts, 'outside'),
    beside: (dataset) => createMixedScorer(space, model, rows, parts, besideOf(mixedRows(view, [dataset]), { parts, continuous: guessed })),
  };
}

/** Of so many such records that are not in the table of the draws, the densities of all candidates, numbers on the unit scale. */
export const densityScorer = ({ space, outside }: Pick<RecordCandidates, 'space' | 'outside'>, records: number): AveragingScorer =>
  createDensityScorer(outside, { candidates: space.perRecord, logUnit: 0, isIntegrated: true }, records);
