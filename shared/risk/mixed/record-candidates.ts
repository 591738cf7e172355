import type { Candidates } from '../../contracts/candidates.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { type MixedView, mixedRows, mixedView, placesOf } from '../../model/mixed/mixed-view.ts';
import type { NormalPrior } from '../../model/mixed/normal-prior.ts';
import { guessedVariables } from '../../table/guessed-columns.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import { askedCandidates } from '../intruder/asked-candidates.ts';
import { type CandidateSpace, considerCandidates } from '../intruder/candidate-space.ts';
import type { RowValueSets } from '../intruder/value-sets.ts';
import { createDensityScorer } from '../scoring/density-scorer.ts';
import type { AveragingScorer } from '../scoring/ratio-scorer.ts';
import { besideOf } from './beside.ts';
import { createMixedScorer } from './mixed-scorer.ts';
import { type MixedSpace, mixedSpace, mixedValueSets } from './mixed-space.ts';

/** What an intruder guesses at in records of the model `mixed`. */
export interface AskedOfRecords {
  readonly view: MixedView;
  /** The synthesized variables, by their place in the table: every dataset has values of its own of these. */
  readonly synthesized: readonly number[];
  /** The categorical ones among them. */
  readonly variables: readonly number[];
  /** The candidates of these, which are listed. */
  readonly listed: CandidateSpace;
  /** The continuous variables that are guessed at, by their place in the view. */
  readonly guessed: readonly number[];
}

/**
 * What an intruder guesses at in the records of a table.
 *
 * @throws InvalidConfigError and UnsupportedOptionError as `askedCandidates` does
 */
export function askedOfRecords(
  { variables: declared, synthesis }: Pick<Config, 'variables' | 'synthesis'>,
  schema: TableSchema,
  candidates: Candidates,
): AskedOfRecords {
  const view = mixedView(schema, declared);
  const synthesized = guessedVariables(synthesis.synthesized, schema);
  const nameOf = (v: number) => schema.variables[v]!.name;
  const own = view.categorical.filter((v) => synthesized.includes(v));
  const numbers = [...view.continuous.keys()].filter((j) => synthesized.includes(view.continuous[j]!.variable));
  const { space, continuous } = askedCandidates(
    candidates,
    own.map(nameOf),
    own.map((v) => view.sizes[view.categorical.indexOf(v)]!),
    numbers.map((j) => nameOf(view.continuous[j]!.variable)),
  );
  return { view, synthesized, variables: own, listed: space, guessed: continuous.map((place) => numbers[place]!) };
}

/** What an intruder considers for the records of a run by the model `mixed`, of whose candidates some are listed. */
export function spaceOfView({ view, listed, guessed }: Pick<AskedOfRecords, 'view' | 'listed' | 'guessed'>): MixedSpace {
  return mixedSpace(
    listed,
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

/** The candidates of some records of a table, and what scores them. */
export function recordCandidates(
  records: Table,
  { view, synthesized, variables, listed, guessed }: AskedOfRecords,
  prior: NormalPrior,
): RecordCandidates {
  const space = spaceOfView({ view, guessed, listed });
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
  const { parts } = placesOf(
    view,
    listed.unknown.map((k) => variables[k]!),
  );
  return {
    space,
    codes,
    ...(considered && { considered }),
    sets: mixedValueSets(space, { codes, values: valuesOf(records, view, guessed) }, considered),
    scorer: createMixedScorer(space, model, rows, parts),
    outside: createMixedScorer(space, model, rows, parts, 'outside'),
    beside: (dataset) => createMixedScorer(space, model, rows, parts, besideOf(mixedRows(view, [dataset]), placesOf(view, synthesized))),
  };
}

/** Of so many such records that are not in the table of the draws, the densities of all candidates, numbers on the unit scale. */
export const densityScorer = ({ space, outside }: Pick<RecordCandidates, 'space' | 'outside'>, records: number): AveragingScorer =>
  createDensityScorer(outside, { candidates: space.perRecord, logUnit: 0, isIntegrated: true }, records);
