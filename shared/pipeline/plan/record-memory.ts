import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { cartSettings } from '../../model/cart/cart-settings.ts';
import { recordBytes } from '../../table/record-bytes.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import { MOST_PROPENSITY_COEFFICIENTS } from '../../utility/propensity.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which orders and groups of them hold. */
const PLACE = 4;

/** What matching holds of a record: its group, its place in the index, and its values in order. */
const MATCHED_RECORD_BYTES = 64;

/** A row of `identification-risk.csv` beside the scenario's name, and its share of a group of rows in the making. */
const MATCH_TEXT_BYTES = 24;

/** What a run's records take when they are in memory in their order. */
interface RecordSizes {
  readonly plan: Plan;
  readonly schema: TableSchema;
}

/** The table in the order of its records. */
function recordTableBytes({ plan, schema }: RecordSizes): number {
  return plan.table.records * recordBytes(schema);
}

/**
 * About what an answer to a question about a record takes while it is remembered, with its text, and how many there are;
 * and what a question leaves of trees that were grown again, in all and by dataset, as measured on tables of 7,014 and 5,571
 * records, until so much has come together in a tree that it is cleared away.
 */
const ANSWER_BYTES = 1000;
const MOST_ANSWERS = 131_072;
const GROWN_AGAIN_BYTES = { all: 2000, dataset: 800 };
const MOST_GROWN_BYTES = 336 * 1024 * 1024;

/** What a task holds while the largest batch is assessed: the table, the datasets and their trees. */
export function assessedTreeBytes(sizes: RecordSizes): number {
  const { plan, schema } = sizes;
  const { synthesized } = cartSettings(plan.config, schema);
  const ofDatasets = plan.datasets.count * plan.table.records * recordBytes(schema, synthesized);
  return recordTableBytes(sizes) + ofDatasets + assessedTrees(sizes);
}

/**
 * What the trees of a release take beside its columns while the largest batch is assessed: of each, the rows of table and
 * datasets in it, and answers.
 */
function assessedTrees({ plan, schema }: RecordSizes): number {
  const { records, variables } = plan.table;
  const trees = cartSettings(plan.config, schema).synthesized.length;
  const { count } = plan.datasets;
  // Of each distinct row how often it is in every dataset; and of each answer what it is without every dataset, both ways.
  const rows = records * (1 + count) * (variables * DOUBLE + 4 * PLACE) + records * count * count * PLACE;
  const batch = plan.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0) || records;
  // What the batch before has left is there until it is cleared away.
  const asked = Math.min(records, 2 * batch) * Math.max(1, plan.candidatesPerCombination);
  const answers = Math.min(MOST_ANSWERS, asked) * (ANSWER_BYTES + 2 * count * DOUBLE);
  const grown = asked * (GROWN_AGAIN_BYTES.all + count * GROWN_AGAIN_BYTES.dataset);
  return trees * (rows + answers) + Math.min(trees * MOST_GROWN_BYTES, grown);
}

/** What identification risk and disclosures take while a run is put together: every match of every record. */
export function identificationBytes(sizes: RecordSizes): number {
  const { plan } = sizes;
  const { config, datasets, purpose } = plan;
  if (purpose === 'synthesize' || config.synthesis.synthesized === 'all') return 0;
  const { records } = plan.table;
  const rows = records * datasets.count * config.identification.length;
  const { schema } = sizes;
  const synthesized = synthesizedVariables(config.synthesis.synthesized, schema);
  const ofDatasets = datasets.count * records * recordBytes(schema, synthesized);
  return (
    recordTableBytes(sizes) + ofDatasets + records * MATCHED_RECORD_BYTES + rows * (5 + 2 * MATCH_TEXT_BYTES)
  );
}

/**
 * What utility takes while a run is put together: the table and its datasets, the rows of the largest design with their
 * products of pairs, of table and dataset, and a few matrices of its coefficients.
 */
export function utilityBytes({ plan, schema }: RecordSizes): number {
  const { config, datasets } = plan;
  if (config.utility === 'off') return 0;
  const { combinations, records } = plan.table;
  const rows = config.synthesis.synthesized === 'all' ? combinations : records;
  const fitted = Math.min(rows, config.utility.records);
  const variables = schema.variables.length;
  const pairs = config.utility.propensity.includes('pairs') ? (variables * (variables - 1)) / 2 : 0;
  const numbers = schema.variables.some(({ type }) => type === 'continuous') ? DOUBLE : 0;
  const designs = 2 * fitted * (1 + variables + pairs) * (PLACE + numbers);
  const matrices = 3 * MOST_PROPENSITY_COEFFICIENTS * MOST_PROPENSITY_COEFFICIENTS * DOUBLE;
  const sources =
    (1 + datasets.count) * rows * (2 * variables + DOUBLE + (numbers / DOUBLE) * recordBytes(schema));
  return sources + designs + Math.min(matrices, 3 * fitted * fitted * DOUBLE);
}
