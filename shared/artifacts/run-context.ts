import { decodeCheckedNpy } from '../arrays/checked-npy.ts';
import { lesserKnowledge } from '../contracts/config/config.ts';
import { knowledgeName } from '../contracts/config/knowledge.ts';
import { runKeys } from '../contracts/keys.ts';
import { factsOf } from '../contracts/models/models.ts';
import { type Plan, planSchema } from '../contracts/run/plan.ts';
import { openScenario, type Scenario } from '../contracts/run/scenarios.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { type MixedView, mixedView } from '../model/mixed/mixed-view.ts';
import type { KeyedStreams } from '../random/streams.ts';
import { type CandidateSpace, candidateSpace } from '../risk/intruder/candidate-space.ts';
import type { Store } from '../storage/store.ts';
import { categorySizes } from '../table/category-sizes.ts';
import { outside, singles, someCombinations, takenNumbers } from '../table/combinations.ts';
import { uniqueCombinations } from '../table/distinct-rows.ts';
import { guessedColumns, guessedVariables } from '../table/guessed-columns.ts';
import { type Support, supportOf } from '../table/support/support.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import { chosenRecords, type Table } from '../table/table.ts';
import { readCheckedJson } from './stored-json.ts';
import { readStreams } from './stored-keys.ts';
import { readRecordTable, readStoredTable, type StoredTable } from './stored-table.ts';

/**
 * A run whose records are guessed at, as far as nothing is drawn at random. Where the model is fitted to records as they are,
 * its table has the synthesized variables alone: kept ones may be continuous, and are no part of a guess.
 */
export interface RunModel {
  readonly plan: Plan;
  readonly table: StoredTable;
  /** By its name, how many records of each combination an intruder has who knows less; of each record where these are the rows. */
  readonly known: ReadonlyMap<string, Uint32Array>;
  /** Variables that are synthesized from each record's own class, or drawn for it, the others being kept; null where none is kept. */
  readonly synthesized: readonly number[] | null;
  /** The possible cells, where the run has structural zeros. */
  readonly support?: Support;
  /** Where continuous variables have a density: its records, of which `table` has the categorical variables alone. */
  readonly densities?: MixedTable;
}

/** The records of a run by the model `mixed`. */
export interface MixedTable {
  readonly view: MixedView;
  readonly records: Table;
  /** The continuous variables that are guessed at, by their place in the view. */
  readonly guessed: readonly number[];
}

/** A run as one of its intruders sees it. */
export interface OfScenario {
  readonly scenario: Scenario;
  /** What the intruder considers for every record. */
  readonly space: CandidateSpace;
  /** What the intruder guesses at: the table of the run, less the records that they have who do not have all but one. */
  readonly table: StoredTable;
  /** Records of that table. */
  readonly records: number;
  /** Numbers (from 0) of its combinations, or of its records where these are the rows, in the table of the run, where it is not that. */
  readonly numbers?: Uint32Array;
}

/** {@link RunModel} as one of its intruders sees it. */
export type ScenarioModel = RunModel & OfScenario;

/** What every step of such a run starts from. */
export interface RunContext extends RunModel {
  readonly streams: KeyedStreams;
}

/** Reads the plan and the table of a run, of which its id is given, or its plan, and opens its streams. */
export async function readRunContext(store: Store, run: string | Plan): Promise<RunContext> {
  const model = await readRunModel(store, run);
  return { ...model, streams: await readStreams(store, model.plan) };
}

/** Reads the plan and the table of a run, of which its id is given, or its plan. */
export async function readRunModel(store: Store, run: string | Plan): Promise<RunModel> {
  const plan = typeof run === 'string' ? await readCheckedJson(store, runKeys(run).plan, planSchema) : run;
  const ofRecords = factsOf(plan.config.model).fits === 'records';
  const records = ofRecords ? await readRecordTable(store, plan) : null;
  const table = records ? guessedTable(plan, records) : await readStoredTable(store, plan.runId);
  const { synthesized } = plan.config.synthesis;
  const support = await readSupport(store, plan, table);
  return {
    plan,
    table,
    known: await readKnown(store, plan),
    ...(support ? { support } : {}),
    ...(records && factsOf(plan.config.model).offers.includes('densities') ? { densities: mixedTable(plan, records) } : {}),
    synthesized: ofRecords ? [...table.sizes.keys()] : synthesized === 'all' ? null : synthesizedVariables(synthesized, table.schema),
  };
}

/** The variables of a run by the model `mixed`, as they are guessed at. */
function guessedView({ config }: Pick<Plan, 'config'>, schema: TableSchema): Omit<MixedTable, 'records'> {
  const view = mixedView(schema, config.variables);
  const synthesized = guessedVariables(config.synthesis.synthesized, schema);
  const guessed = [...view.continuous.keys()].filter((j) => synthesized.includes(view.continuous[j]!.variable));
  return { view, guessed };
}

/** The records of a run by the model `mixed`, as they are guessed at. */
export const mixedTable = (plan: Pick<Plan, 'config'>, records: Table): MixedTable => ({ ...guessedView(plan, records.schema), records });

/** Masses and cells of the continuous variables that are guessed at of each record of a run; 0 where none has a density. */
export function guessedEntries(plan: Pick<Plan, 'config'>, schema: TableSchema): number {
  if (!factsOf(plan.config.model).offers.includes('densities')) return 0;
  const { view, guessed } = guessedView(plan, schema);
  return guessed.map((j) => view.continuous[j]!.declared).reduce((sum, { masses, cells }) => sum + masses.length + cells, 0);
}

/** The table of a run by records as far as guesses among listed values go: its synthesized variables, in column order. */
function guessedTable(plan: Plan, records: Table): StoredTable {
  const guessed = guessedColumns(plan.config, records);
  const { combinations } = uniqueCombinations(guessed);
  return { schema: guessed.schema, sizes: categorySizes(guessed.schema), combinations };
}

/** A run as the intruder of one of its scenarios (from 1) sees it. */
export function contextOfScenario<Context extends RunModel>(context: Context, number: number): Context & OfScenario {
  const { plan, table, known } = context;
  const scenario = openScenario(plan, number);
  const names = table.schema.variables.map(({ name }) => name);
  const space = candidateSpace(scenario.candidates, names, table.sizes);
  const { knows } = scenario;
  if (knows === undefined) return { ...context, scenario, space, records: plan.table.records };
  const own = known.get(knowledgeName(knows))!;
  if (context.densities) {
    const numbers = takenNumbers(outside(singles(own.length), own));
    const records = chosenRecords(context.densities.records, numbers);
    const densities = { ...context.densities, records };
    return { ...context, scenario, space, table: guessedTable(plan, records), densities, records: numbers.length, numbers };
  }
  const counts = outside(table.combinations.counts, own);
  return {
    ...context,
    scenario,
    space,
    table: { ...table, combinations: someCombinations(table.combinations, counts) },
    records: counts.reduce((sum, records) => sum + records, 0),
    numbers: takenNumbers(counts),
  };
}

/** Records that intruders have who know less; none in the runs that a calibration consists of. */
async function readKnown(store: Store, { runId, config }: Plan): Promise<Map<string, Uint32Array>> {
  const known = new Map<string, Uint32Array>();
  for (const name of lesserKnowledge(config).map(knowledgeName)) {
    const key = runKeys(runId).table.known(name);
    known.set(name, decodeCheckedNpy(await store.get(key), key).data as Uint32Array);
  }
  return known;
}

/** The possible cells of a run, from the structural zeros that it has stored; undefined where it has none. */
async function readSupport(store: Store, { runId, config }: Plan, { sizes }: StoredTable): Promise<Support | undefined> {
  if (config.synthesis.structuralZeros === undefined) return undefined;
  const key = runKeys(runId).table.structuralZeros;
  const { data, shape } = decodeCheckedNpy(await store.get(key), key);
  return supportOf({ rules: shape[0]!, codes: data as Uint16Array }, sizes);
}
