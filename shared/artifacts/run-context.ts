import { decodeCheckedNpy } from '../arrays/checked-npy.ts';
import { lesserKnowledge } from '../contracts/config/config.ts';
import { knowledgeName } from '../contracts/config/knowledge.ts';
import { runKeys } from '../contracts/keys.ts';
import { factsOf } from '../contracts/models/models.ts';
import { type Plan, planSchema } from '../contracts/run/plan.ts';
import { openScenario, type Scenario } from '../contracts/run/scenarios.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { KeyedStreams } from '../random/streams.ts';
import { type CandidateSpace, candidateSpace } from '../risk/intruder/candidate-space.ts';
import { type AskedOfRecords, askedOfRecords, spaceOfView } from '../risk/mixed/record-candidates.ts';
import type { Store } from '../storage/store.ts';
import { categorySizes } from '../table/category-sizes.ts';
import { outside, singles, someCombinations, takenNumbers } from '../table/combinations.ts';
import { uniqueCombinations } from '../table/distinct-rows.ts';
import { guessedColumns } from '../table/guessed-columns.ts';
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

/** The records of a run by the model `mixed`, and what is guessed at but for listed candidates. */
export interface MixedTable extends Omit<AskedOfRecords, 'listed'> {
  readonly records: Table;
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

const planOf = async (store: Store, run: string | Plan): Promise<Plan> =>
  typeof run === 'string' ? readCheckedJson(store, runKeys(run).plan, planSchema) : run;

/** Reads the plan and the table of a run, of which its id is given, or its plan, and opens its streams. */
export async function readRunContext(store: Store, run: string | Plan): Promise<RunContext> {
  const plan = await planOf(store, run);
  // First the release key: functions that keep what they read ask it whether that is still what it was.
  const streams = await readStreams(store, plan);
  return { ...(await readRunModel(store, plan)), streams };
}

/** Reads the plan and the table of a run, of which its id is given, or its plan. */
export async function readRunModel(store: Store, run: string | Plan): Promise<RunModel> {
  const plan = await planOf(store, run);
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
    ...(records && factsOf(plan.config.model).offers.includes('densities')
      ? { densities: { ...askedOfRecords(plan.config, records.schema, 'one-change'), records } }
      : {}),
    synthesized: ofRecords ? [...table.sizes.keys()] : synthesized === 'all' ? null : synthesizedVariables(synthesized, table.schema),
  };
}

/** Masses and cells of the continuous variables that are guessed at of each record, under the scenario with most; 0 where none has a density. */
export function guessedEntries({ config }: Pick<Plan, 'config'>, schema: TableSchema): number {
  if (!factsOf(config.model).offers.includes('densities')) return 0;
  const entries = config.attributeRisk.scenarios.map(({ candidates }) => {
    const asked = askedOfRecords(config, schema, candidates);
    return spaceOfView(asked).perRecord - asked.listed.perCombination;
  });
  return Math.max(...entries);
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
  if (context.densities) return ofDensities(context, context.densities, scenario);
  const names = table.schema.variables.map(({ name }) => name);
  const space = candidateSpace(scenario.candidates, names, table.sizes);
  const { knows } = scenario;
  if (knows === undefined) return { ...context, scenario, space, records: plan.table.records };
  const own = known.get(knowledgeName(knows))!;
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

/** The same where continuous variables have densities. */
function ofDensities<Context extends RunModel>(context: Context, densities: MixedTable, scenario: Scenario): Context & OfScenario {
  const { plan, table, known } = context;
  const { listed: space, guessed } = askedOfRecords(plan.config, densities.view.schema, scenario.candidates);
  const { knows } = scenario;
  const own = knows && known.get(knowledgeName(knows))!;
  const numbers = own && takenNumbers(outside(singles(own.length), own));
  const records = numbers ? chosenRecords(densities.records, numbers) : densities.records;
  return {
    ...context,
    scenario,
    space,
    table: numbers ? guessedTable(plan, records) : table,
    densities: { ...densities, records, guessed },
    records: records.records,
    ...(numbers && { numbers }),
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
