import { guessedEntries } from '../../artifacts/run-context.ts';
import { besideNumbers, columnsAtOnce, densityBytes, VALUE_NUMBERS } from '../../artifacts/stored-part.ts';
import { GROUP_ROWS } from '../../artifacts/write-table.ts';
import { scoresCells } from '../../contracts/candidates.ts';
import { PARTS_AT_ONCE, VALUE_PARTS_AT_ONCE } from '../../contracts/cloud/cloud-environment.ts';
import { type ResultTable, VARIABLES } from '../../contracts/column.ts';
import { calibrationSettings, hasReconstruction, keepsRecords } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import { factsOf } from '../../contracts/models/models.ts';
import { ROWS_HELD } from '../../contracts/results/record-details.ts';
import { ATTRIBUTE_RISK, RISK_FIGURES } from '../../contracts/results/tables/attribute-risk-table.ts';
import { VARIABLE_RISK } from '../../contracts/results/tables/variable-risk-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { openScenarios, type Scenario, valueSets } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { MOST_DETAILED } from '../../report/records/record-data.ts';
import { WITHOUT_FIGURES } from '../../risk/attribute/attribute-risk.ts';
import { WHOLE_SPLITS } from '../../risk/attribute/chain-evaluations.ts';
import { keptEvaluations } from '../../risk/attribute/kept-evaluations.ts';
import { LIKELIEST_NUMBERS } from '../../risk/attribute/likeliest-candidates.ts';
import { GUESSES } from '../../risk/cells/cell-sums.ts';
import { INTERVALS } from '../../risk/continuous/continuous-figures.ts';
import { askedOfRecords } from '../../risk/mixed/record-candidates.ts';
import { candidatesAtMost, DRAWN_RECORDS } from '../../risk/reconstruction/reconstruction-candidates.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { recordBytes } from '../../table/record-bytes.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import { MOST_DEFAULT_COEFFICIENTS, MOST_REGRESSIONS } from '../../utility/default-regressions.ts';
import { MOST_PROPENSITY_COEFFICIENTS, propensityTerms } from '../../utility/propensity.ts';
import { designCount } from '../../utility/regression/design.ts';
import { marginalNumbers } from '../methods/cells.ts';
import { methodOf } from '../methods/methods.ts';
import { firstRound, hasAttributeRisk } from '../rounds/chains-needed.ts';
import { roundTasks } from '../synthesizers/round-tasks.ts';
import { combinationTextBytes, indexBytes, type RunSizes, recordsBytes, recordTextBytes, rowsBytes } from '../synthesizers/run-sizes.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which orders and groups of them hold. */
const PLACE = 4;

/** What matching holds of a record: its group, its place in the index, and its values in order. */
const MATCHED_RECORD_BYTES = 64;

/** A row of `identification-risk.csv` beside the scenario's name, and its share of a group of rows in the making. */
const MATCH_TEXT_BYTES = 24;

/** What identification risk and disclosures take while a run is put together: every match of every record. */
export function identificationBytes({ plan, schema }: Pick<RunSizes, 'plan' | 'schema'>): number {
  const { config, datasets, purpose } = plan;
  if (purpose === 'synthesize' || config.synthesis.synthesized === 'all') return 0;
  const { records } = plan.table;
  const rows = records * datasets.count * config.identification.length;
  const synthesized = synthesizedVariables(config.synthesis.synthesized, schema);
  const ofDatasets = datasets.count * records * recordBytes(schema, synthesized);
  return records * recordBytes(schema) + ofDatasets + records * MATCHED_RECORD_BYTES + rows * (5 + 2 * MATCH_TEXT_BYTES);
}

/** What utility takes: the table and its datasets, which threads share, and in each thread one part of what is measured. */
export interface UtilityMemory {
  readonly sources: number;
  readonly part: number;
}

/**
 * What utility takes. Its largest part has the rows of a design with their products of pairs, of table and dataset, and a few matrices of
 * its coefficients.
 */
export function utilityBytes({ plan, schema }: Pick<RunSizes, 'plan' | 'schema'>): UtilityMemory {
  const { config, datasets } = plan;
  if (config.utility === 'off') return { sources: 0, part: 0 };
  const { combinations, records } = plan.table;
  const rows = keepsRecords(config) ? records : combinations;
  const fitted = Math.min(rows, config.utility.records);
  const variables = schema.variables.length;
  // Pairs of more coefficients are not fitted.
  const isPaired =
    config.utility.propensity.includes('pairs') && designCount(schema, propensityTerms(variables, 'pairs')) <= MOST_PROPENSITY_COEFFICIENTS;
  const pairs = isPaired ? (variables * (variables - 1)) / 2 : 0;
  const numbers = schema.variables.some(({ type }) => type === 'continuous') ? DOUBLE : 0;
  const designs = 2 * fitted * (1 + variables + pairs) * (PLACE + numbers);
  const matrices = 3 * MOST_PROPENSITY_COEFFICIENTS * MOST_PROPENSITY_COEFFICIENTS * DOUBLE;
  const sources = (1 + datasets.count) * rows * (2 * variables + DOUBLE + (numbers / DOUBLE) * recordBytes(schema));
  return { sources, part: designs + Math.min(matrices, 3 * fitted * fitted * DOUBLE) };
}

/** What utility takes while a run is put together, in one thread. */
function utilityAloneBytes(run: RunSizes): number {
  const { sources, part } = utilityBytes(run);
  return sources + part + figureBytes(run);
}

/** A figure of utility while all of them are written: as a row, as text, and what the encoders make of it. */
const FIGURE_BYTES = 2 * 1024;

/** Figures of a coefficient of a regression. */
const COEFFICIENT_FIGURES = 11;

/** What the table of utility takes: two figures of every pair of variables, and those of the coefficients. */
function figureBytes({ plan: { config }, schema: { variables } }: Pick<RunSizes, 'plan' | 'schema'>): number {
  if (config.utility === 'off') return 0;
  const regressions = config.utility.regressions?.length ?? Math.min(MOST_REGRESSIONS, variables.length);
  const coefficients = Math.min(MOST_DEFAULT_COEFFICIENTS, designCount({ variables }, propensityTerms(variables.length, 'main')));
  return FIGURE_BYTES * (variables.length * variables.length + regressions * coefficients * COEFFICIENT_FIGURES);
}

/** A cell of the chart of associations, while it is drawn. */
const ASSOCIATION_BYTES = 4 * 1024;

/** What a file takes while the manifest is written: its key, its entry, and both as text. */
const LISTED_FILE_BYTES = 900;

const MIB = 1024 * 1024;

/**
 * What Node itself takes, as measured with Node 20 on Linux: the program after its start, the packages that draw
 * charts, a worker thread at work on a table of almost no size, and what is left of it when it has ended.
 */
const PROGRAM_BYTES = 88 * MIB;
const CHARTS_BYTES = 60 * MIB;
/** A row of a table that is reported, whatever of it is shown: columns as they are read, and its place in the order of risk. */
const RANKED_ROW_BYTES = 320;
/** A row of the report: its numbers as they are read, as they are put together and as text, of which little is collected. */
const REPORTED_ROW_BYTES = 7 * 1024;
const THREAD_BYTES = 32 * MIB;
const ENDED_THREAD_BYTES = 8 * MIB;

/** Room for new objects in the main thread, which texts of cells fill, and what dead arrays may take beside. */
const YOUNG_BYTES = 48 * MIB;
const DEAD_ARRAY_BYTES = 32 * MIB;
/** Files of draws that were read for the manifest, and the copies of which their digests were found, before they are collected. */
const DEAD_FILE_BYTES = 64 * MIB;

/** Squares and first halves of chains that are added up, and not collected yet, in a thread that scores. */
const DEAD_MEANS_BYTES = 16 * MIB;

/** What batches that have ended leave in a thread at most, as measured of trees: Node clears away before there is more. */
const MOST_LEFT_BYTES = 160 * MIB;

/** A cell while its record is read: its text, and its place in the parser's lists; those of two records at least are not collected yet. */
const CELL_BYTES = 128;

/** A value of a table while its group of rows is written: itself, its text and what the encoders make of them. */
const VALUE_BYTES = 270;

/** A person of a control in an evaluation: as parts have it, twice more while figures are found, and its point of a curve. */
const PERSON_EVALUATION_BYTES = 3 * DOUBLE + 40;

/** The columns of a table; those of the variables come on top. */
const columnsOf = ({ columns }: ResultTable<never>) => Object.keys(columns).filter((name) => name !== VARIABLES).length;

/** About how long the columns of `attribute-risk.csv` beside the variables are as text. */
const FIGURES_TEXT_BYTES = 320;

/** About how long a row of `variable-risk.csv` is as text. */
const VALUE_TEXT_BYTES = 190;

/** About how long a row of `marginals.csv` is as text, and one of `guesses.csv` beside its values. */
const CELL_TEXT_BYTES = 40;

/** The rows of a run's attribute risk. */
const riskRows = ({ config, table }: Plan) => (keepsRecords(config) ? table.records : table.combinations);

/** What reading the input takes: its bytes, the codes of every column as they grow, combinations, and texts. */
function readingBytes({ plan, combinations, inputBytes }: RunSizes): number {
  const { records, variables } = plan.table;
  const codes = 2 * variables * records + 4 * records;
  const texts = Math.min(YOUNG_BYTES, CELL_BYTES * variables * records);
  const table = combinations ? indexBytes(combinations.count, variables) : 0;
  if (plan.purpose !== 'calibrate') return inputBytes + codes + table + texts;
  // The records of the table, those of a replicate, and the combinations of all replicates.
  const replicates = calibrationSettings(plan.config).replicates * rowsBytes(plan.table.combinations, variables);
  return inputBytes + codes + table + texts + 2 * 2 * variables * records + replicates;
}

/** What the batch takes that takes most, of any scenario, with what those before it have left in its thread, one of so many. */
function largestBatch(plan: Plan, schema: TableSchema, jobs: number): number {
  const before = Math.max(0, Math.ceil(plan.batches.length / jobs) - 1);
  const parts = openScenarios(plan).map((scenario) => {
    const { fixed, perRow, left = 0 } = methodOf(plan.config, scenario).batchBytes(plan, schema, scenario);
    const rows = scenario.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0);
    return fixed + rows * perRow + Math.min(MOST_LEFT_BYTES, before * left);
  });
  return Math.max(...parts);
}

/** What one task of each phase takes in its thread, beside what every thread does; `stored` is on disk. */
function taskBytes(run: RunSizes, jobs: number) {
  const { plan, schema } = run;
  const { held, ...tasks } = synthesizerOf(plan.config).bytes(run);
  if (run.combinations === null) return { ...tasks, assess: held + largestBatch(plan, schema, jobs) };
  // However small the batches are: what is dead is that of several.
  const ofAllRows = openScenarios(plan).map((own) => riskRows(plan) * methodOf(plan.config, own).batchBytes(plan, schema, own).perRow);
  const dead = Math.min(DEAD_MEANS_BYTES, Math.max(...ofAllRows));
  return { ...tasks, assess: held + largestBatch(plan, schema, jobs) + dead };
}

/** What writing a table takes, which is stored piece by piece: a group of its rows as values and as text. */
function tableBytes(rows: number, columns: number, rowTextBytes: number): number {
  return Math.min(rows, GROUP_ROWS) * (columns * VALUE_BYTES + 2 * rowTextBytes);
}

/** The table of a run as its steps read it. */
const storedTableBytes = ({ plan, combinations }: RunSizes) => (combinations ? rowsBytes(combinations.count, plan.table.variables) : 0);

/** What putting the results together takes: figures of all combinations, and the largest table as it is written. */
function aggregateBytes(run: RunSizes): number {
  const { plan, schema, combinations } = run;
  if (plan.purpose === 'synthesize') return utilityAloneBytes(run);
  const text = combinations ? combinationTextBytes(schema, combinations) : recordTextBytes(schema);
  const isAssessed = combinations !== null || hasAttributeRisk(plan);
  const risks = openScenarios(plan).map((scenario) => (isAssessed ? riskBytes(plan, schema, scenario, text) : 0));
  const besides = [identificationBytes(run), reconstructionBytes(run)];
  if (plan.purpose === 'calibrate') return Math.max(...besides, ...risks);
  return storedTableBytes(run) + Math.max(...besides, utilityAloneBytes(run), copiesBytes(run), ...risks);
}

/** What ranking the records takes that somebody would name who knows nothing: of every candidate its evaluations and products of classes. */
function reconstructionBytes({ plan, schema }: RunSizes): number {
  if (!hasReconstruction(plan.config)) return 0;
  // Densities, confidences and baseline, of which those of the chains under way as well.
  const ofCandidate = 3 * 2 * keptEvaluations(plan.datasets.count) + 2 * plan.classes;
  return candidatesAtMost(categorySizes(schema)) * DOUBLE * ofCandidate + DRAWN_RECORDS * recordBytes(schema);
}

/** Of a row, what figures of values need while their parts are gone through: what is claimed, and whether there is anything to guess. */
const totalsBytes = (plan: Plan, scenario: Scenario) => DOUBLE + valueSets(plan, scenario);

/** Of a row, what ordering a column takes, and a curve over it. */
const ORDERED_ROW_BYTES = 80;

/** What is held of rows while they are put together: their figures, and some columns of what they are in other evaluations. */
function rowFigureBytes(plan: Plan): number {
  const rows = riskRows(plan);
  const widest = Math.max(keptEvaluations(plan.datasets.count), plan.datasets.count * WITHOUT_FIGURES.length, 2 * WHOLE_SPLITS);
  return rows * (DOUBLE * (RISK_FIGURES.length + Math.min(widest, columnsAtOnce(rows))) + ORDERED_ROW_BYTES);
}

/** What parts take that are read at once. */
function partBytes(plan: Plan, { batches }: Scenario): number {
  const largest = batches.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const widest = Math.max(keptEvaluations(plan.datasets.count), RISK_FIGURES.length + plan.datasets.count * WITHOUT_FIGURES.length);
  return Math.min(PARTS_AT_ONCE * largest, riskRows(plan)) * widest * DOUBLE;
}

/** What counting copies takes: the table and its datasets as combinations, and of the table where each is. */
function copiesBytes({ plan, combinations }: RunSizes): number {
  if (combinations === null) return 0;
  const { records, variables } = plan.table;
  return (
    plan.datasets.count * (rowsBytes(Math.min(records, 2 * combinations.count), variables) + PLACE * combinations.count) +
    indexBytes(combinations.count, variables)
  );
}

/**
 * What is held of values: some parts, those of so many rows that are shown, all of continuous variables, and what trees know beside.
 */
function valuesBytes(plan: Plan, schema: TableSchema, scenario: Scenario, shown: number): number {
  const sets = valueSets(plan, scenario);
  const { config } = plan;
  const largest = scenario.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const inParts = VALUE_PARTS_AT_ONCE * Math.min(largest, riskRows(plan)) * sets * VALUE_NUMBERS;
  const continuous = factsOf(config.model).offers.includes('densities')
    ? askedOfRecords(config, schema, scenario.candidates).guessed.length * (VALUE_NUMBERS + INTERVALS.length)
    : 0;
  const beside = methodOf(config, scenario).readBeside === undefined ? 0 : besideNumbers(sets);
  // Those that are shown are put into one array in the end.
  return DOUBLE * (inParts + 2 * shown * sets * VALUE_NUMBERS + riskRows(plan) * (continuous + beside));
}

/**
 * What putting the attribute risk together takes.
 *
 * @param text about how long a record is as CSV text
 */
function riskBytes(plan: Plan, schema: TableSchema, scenario: Scenario, text: number): number {
  const { variables, combinations: count } = plan.table;
  if (plan.purpose === 'calibrate') {
    const { replicates, targets } = calibrationSettings(plan.config);
    return replicates * targets * scenario.candidatesPerCombination * DOUBLE;
  }
  const rows = riskRows(plan);
  const values = rows * valueSets(plan, scenario);
  const risk =
    recordsBytes(plan) +
    partBytes(plan, scenario) +
    (plan.controlRecords ?? 0) * keptEvaluations(plan.datasets.count) * PERSON_EVALUATION_BYTES +
    valuesBytes(plan, schema, scenario, 0) +
    Math.max(
      rows * (totalsBytes(plan, scenario) + ORDERED_ROW_BYTES) + tableBytes(values, columnsOf(VARIABLE_RISK), VALUE_TEXT_BYTES),
      rowFigureBytes(plan),
      tableBytes(rows, variables + columnsOf(ATTRIBUTE_RISK), text + FIGURES_TEXT_BYTES),
    );
  if (!scoresCells(scenario.candidates)) return risk;
  const marginals = count * marginalNumbers(plan, schema);
  const guesses = count * GUESSES;
  const cells =
    (marginals + 2 * guesses) * DOUBLE +
    Math.max(tableBytes(guesses, variables + 3, text + CELL_TEXT_BYTES), tableBytes(marginals, 4, CELL_TEXT_BYTES));
  return Math.max(risk, cells);
}

/**
 * What the report takes: its charts, the rows that are found in it with their figures, what parts say of rows and values, and
 * distributions of continuous variables.
 */
function reportBytes(run: RunSizes): number {
  const { plan, schema } = run;
  if (plan.purpose === 'synthesize') return 0;
  if (plan.purpose === 'calibrate') return CHARTS_BYTES;
  const rows = riskRows(plan);
  const shown = Math.min(rows, ROWS_HELD);
  const detailed = Math.min(rows, MOST_DETAILED);
  const parts = openScenarios(plan).map((scenario) => Math.max(valuesBytes(plan, schema, scenario, detailed), partBytes(plan, scenario)));
  const held = shown * REPORTED_ROW_BYTES + detailed * LIKELIEST_NUMBERS * DOUBLE;
  const ofRow = RANKED_ROW_BYTES + DOUBLE * RISK_FIGURES.length + densityBytes(guessedEntries(plan, schema));
  const associations = plan.config.utility === 'off' ? 0 : ASSOCIATION_BYTES * schema.variables.length * schema.variables.length;
  return CHARTS_BYTES + storedTableBytes(run) + held + Math.max(0, ...parts) + rows * ofRow + associations;
}

/** What listing the files of a run takes, of which batches have the most. */
const manifestBytes = ({ batches, runId }: Plan) => LISTED_FILE_BYTES * batches.length * Object.keys(runKeys(runId).part(1, 1)).length;

/** What each step of a run takes in AWS at most (bytes), where it is a process of its own; one that runs chains, in each of its threads. */
export interface StepMemory {
  readonly plan: number;
  readonly fit: { readonly process: number; readonly thread: number };
  /** Of a batch, beside what the process takes. */
  readonly assess: number;
  readonly aggregate: number;
  readonly report: number;
}

/** Predicts what the steps of a run take in AWS, from what phases of a single process take. */
export function predictStepMemory(run: RunSizes): StepMemory {
  const { fit, synthesize, augment, assess, stored } = taskBytes(run, 1);
  return {
    plan: PROGRAM_BYTES + readingBytes(run),
    fit: { process: PROGRAM_BYTES, thread: THREAD_BYTES + Math.max(fit, synthesize, augment) },
    assess: THREAD_BYTES + assess,
    aggregate: PROGRAM_BYTES + DEAD_ARRAY_BYTES + aggregateBytes(run),
    report: PROGRAM_BYTES + reportBytes(run) + Math.min(DEAD_FILE_BYTES, stored),
  };
}

/**
 * Memory of a run at most, from the sizes of what it holds: an instant, since nothing is run. Phases follow each other, and Node gives back
 * little of what reading took; the threads' memory is given back before the results are put together.
 */
export function predictMemory(run: RunSizes, jobs: number) {
  const { plan } = run;
  const tasks = roundTasks(plan, firstRound(plan));
  const task = taskBytes(run, jobs);
  const main = PROGRAM_BYTES + readingBytes(run);
  const threads = main + jobs * THREAD_BYTES;
  const busy = (phase: keyof typeof tasks) =>
    tasks[phase].length === 0 ? main : threads + Math.min(jobs, tasks[phase].length) * task[phase];
  const { sources, part } = utilityBytes(run);
  const batches = Math.min(jobs, tasks.assess.length);
  // Utility is measured while batches are assessed, or by itself: at some moment a thread has a batch of these, or a part of it.
  const measuring =
    plan.config.utility === 'off' || plan.purpose === 'calibrate'
      ? busy('assess')
      : threads + sources + batches * Math.max(task.assess, part) + (jobs - batches) * part;
  const closing = main + jobs * ENDED_THREAD_BYTES;
  const aggregated = aggregateBytes(run);
  const left = plan.purpose === 'synthesize' ? 0 : DEAD_ARRAY_BYTES + Math.min(YOUNG_BYTES, aggregated);
  const phases = {
    plan: main,
    fit: busy('fit'),
    synthesize: busy('synthesize'),
    augment: busy('augment'),
    assess: batches === 0 ? main : measuring,
    measure: measuring,
    aggregate: closing + aggregated,
    // The report, then the manifest, for which every file is read. Of putting results together dead objects are left.
    report: closing + left + reportBytes(run) + manifestBytes(plan) + Math.min(DEAD_FILE_BYTES, task.stored),
  };
  return { peak: Math.max(...Object.values(phases)), phases };
}
