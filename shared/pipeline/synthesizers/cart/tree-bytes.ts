import { cartSettings } from '../../../model/cart/cart-settings.ts';
import { recordBytes } from '../../../table/record-bytes.ts';
import { type RunSizes, recordTextBytes, type TaskBytes } from '../run-sizes.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which orders and groups of them hold. */
const PLACE = 4;

/** What growing a tree takes, and drawing a dataset, which is written as text twice over for a moment. */
export function treeBytes({ plan, schema }: RunSizes): TaskBytes {
  const { records } = plan.table;
  const { synthesized } = cartSettings(plan.config, schema);
  const continuous = schema.variables.filter(({ type }) => type === 'continuous').length;
  const table = records * recordBytes(schema);
  // Orders of the records by each continuous predictor, and by the response as it is sorted; sides; donors.
  const growing = records * ((4 + continuous) * PLACE + 2 * DOUBLE);
  const dropping = records * (2 * PLACE + 1);
  const dataset = records * (recordBytes(schema) + 2 * recordTextBytes(schema));
  return {
    fit: table + growing,
    synthesize: table + records * recordBytes(schema, synthesized) + dropping + dataset,
    augment: 0,
    held: 0,
    stored: 0,
  };
}
