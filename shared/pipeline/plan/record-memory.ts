import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
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
  return recordTableBytes(sizes) + ofDatasets + records * MATCHED_RECORD_BYTES + rows * (5 + 2 * MATCH_TEXT_BYTES);
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
  const sources = (1 + datasets.count) * rows * (2 * variables + DOUBLE + (numbers / DOUBLE) * recordBytes(schema));
  return sources + designs + Math.min(matrices, 3 * fitted * fitted * DOUBLE);
}
