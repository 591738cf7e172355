import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { priorFiles } from '../contracts/config/config.ts';
import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/run/plan.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import { type TableSchema, tableSchema, type Variable } from '../contracts/schema.ts';
import type { CalibrationTargets } from '../risk/calibration/calibration-targets.ts';
import type { PriorWeights } from '../risk/prior/prior-weights.ts';
import type { Store } from '../storage/store.ts';
import { categorySizes } from '../table/category-sizes.ts';
import type { Combinations } from '../table/combinations.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import { type Column, incompleteColumns, type Table } from '../table/table.ts';
import { readCheckedJson } from './stored-json.ts';

/** Keys of a set of combinations and their counts. */
interface CombinationKeys {
  readonly combinations: string;
  readonly counts: string;
}

/** The files of a set of combinations: codes (combinations x variables) and counts. */
export function encodeCombinations(keys: CombinationKeys, value: Combinations): Map<string, Uint8Array> {
  return new Map([
    [keys.combinations, encodeCheckedNpy(value.codes, [value.count, value.variables])],
    [keys.counts, encodeCheckedNpy(value.counts, [value.count])],
  ]);
}

/** Reads what {@link encodeCombinations} wrote. */
export async function readCombinations(store: Store, keys: CombinationKeys): Promise<Combinations> {
  const { data: codes, shape } = decodeCheckedNpy(await store.get(keys.combinations), keys.combinations);
  const { data: counts } = decodeCheckedNpy(await store.get(keys.counts), keys.counts);
  const [count, variables] = shape as [number, number];
  return { count, variables, codes: codes as Uint16Array, counts: counts as Uint32Array };
}

/** The table of a run as its steps need it: schema, numbers of categories, combinations with counts. */
export interface StoredTable {
  readonly schema: TableSchema;
  readonly sizes: readonly number[];
  readonly combinations: Combinations;
}

/** Reads the table of a run. */
export async function readStoredTable(store: Store, runId: string): Promise<StoredTable> {
  const keys = runKeys(runId).table;
  const schema = await readCheckedJson(store, keys.schema, tableSchema);
  return { schema, sizes: categorySizes(schema), combinations: await readCombinations(store, keys) };
}

/**
 * The files of columns in the order of the table's records, one a column: 8 or 16 bits a code, or doubles.
 *
 * @param key of the column of a variable, numbered from 1 as in the schema
 * @param columns by index of their variable in the schema, from 0
 */
export function encodeColumns(key: (variable: number) => string, columns: Iterable<readonly [number, Column]>): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [index, column] of columns) {
    const elements = column.type === 'categorical' ? column.codes : column.values;
    files.set(key(index + 1), encodeCheckedNpy(elements, [elements.length]));
  }
  return files;
}

async function readColumn(store: Store, key: string, { type }: Variable): Promise<Column> {
  const { data } = decodeCheckedNpy(await store.get(key), key);
  if (type === 'continuous' && data instanceof Float64Array) return { type, values: data };
  if (type === 'categorical' && (data instanceof Uint8Array || data instanceof Uint16Array)) {
    return { type, codes: data };
  }
  throw new ArtifactError('malformed-artifact', `${key} does not hold what a ${type} variable has`);
}

/**
 * Reads the confidential table of a run that keeps records as they are, in the order of its file. Other runs keep no order of
 * records.
 *
 * @throws ArtifactError when a column is missing, or malformed
 */
export const readRecordTable = (store: Store, { runId, table }: Plan): Promise<Table> =>
  readColumns(store, runId, runKeys(runId).table.records, table.records);

/** Reads the control of such a run, in the order of its file. Throws as {@link readRecordTable} does. */
export const readControlTable = (store: Store, { runId, controlRecords = 0 }: Plan): Promise<Table> =>
  readColumns(store, runId, runKeys(runId).table.controlRecords, controlRecords);

async function readColumns(store: Store, runId: string, key: (variable: number) => string, records: number): Promise<Table> {
  const schema = await readCheckedJson(store, runKeys(runId).table.schema, tableSchema);
  const columns: Column[] = [];
  for (const [v, variable] of schema.variables.entries()) columns.push(await readColumn(store, key(v + 1), variable));
  return { schema, records, columns };
}

/** The variables (from 0) of which a dataset has columns of its own: the synthesized ones, and those that had missing values to impute. */
const variablesOf = ({ config: { synthesis } }: Plan, table: Table) =>
  new Set([...synthesizedVariables(synthesis.synthesized, table.schema), ...incompleteColumns(table)]);

/** The same variables of a run that keeps records as they are, of whose table as little is read as tells them. */
export async function ownVariables(store: Store, plan: Plan): Promise<readonly number[]> {
  const { synthesized, missing } = plan.config.synthesis;
  if (missing === 'impute') return [...variablesOf(plan, await readRecordTable(store, plan))];
  return synthesizedVariables(synthesized, await readCheckedJson(store, runKeys(plan.runId).table.schema, tableSchema));
}

/**
 * Reads a dataset (numbered from 1) whole, of a run that keeps records as they are: the kept columns of the table, and its own where they
 * were synthesized, or had missing values to impute. Where variables are kept, row i belongs to record i of the table; else a dataset made
 * elsewhere may have other numbers of rows than the table.
 *
 * @param table as {@link readRecordTable} gives it; read if it is left out
 * @throws ArtifactError when a column is missing, or malformed
 */
export async function readRecordDataset(store: Store, plan: Plan, dataset: number, table?: Table): Promise<Table> {
  const keys = runKeys(plan.runId).dataset(dataset);
  const own = table ?? (await readRecordTable(store, plan));
  const { schema } = own;
  const columns = [...own.columns];
  for (const v of variablesOf(plan, own)) {
    columns[v] = await readColumn(store, keys.records(v + 1), schema.variables[v]!);
  }
  const first = columns[0]!;
  return { schema, records: first.type === 'continuous' ? first.values.length : first.codes.length, columns };
}

/** The files of a prior's weights. Of each the first row of the codes names the variables (from 0), the others are cells x variables. */
export function encodePrior(runId: string, files: readonly PriorWeights[]): Map<string, Uint8Array> {
  return new Map(
    files.flatMap(({ variables, codes, weights }, f): [string, Uint8Array][] => {
      const keys = runKeys(runId).table.prior(f + 1);
      const rows = new Uint16Array(variables.length + codes.length);
      rows.set(variables);
      rows.set(codes, variables.length);
      return [
        [keys.codes, encodeCheckedNpy(rows, [1 + weights.length, variables.length])],
        [keys.weights, encodeCheckedNpy(weights, [weights.length])],
      ];
    }),
  );
}

/** Reads what {@link encodePrior} wrote for a scenario; nothing where its prior is from no files. */
export function readPrior(store: Store, { runId, prior, priorFilesBefore }: Scenario): Promise<PriorWeights[]> {
  return Promise.all(
    priorFiles(prior).map(async (_, f) => {
      const keys = runKeys(runId).table.prior(priorFilesBefore + f + 1);
      const { data, shape } = decodeCheckedNpy(await store.get(keys.codes), keys.codes);
      const rows = data as Uint16Array;
      return {
        variables: rows.slice(0, shape[1]),
        codes: rows.slice(shape[1]),
        weights: decodeCheckedNpy(await store.get(keys.weights), keys.weights).data as Float64Array,
      };
    }),
  );
}

/** The files of a replicate's targets: truths, records (from 0), which are unique, and their centres (targets x variables) where they have some. */
export function encodeTargets(runId: string, { truths, records, unique, centres }: CalibrationTargets): Map<string, Uint8Array> {
  const keys = runKeys(runId).targets;
  return new Map([
    [keys.truths, encodeCheckedNpy(truths, [truths.length])],
    [keys.records, encodeCheckedNpy(records, [records.length])],
    [keys.unique, encodeCheckedNpy(unique, [unique.length])],
    ...(centres ? [[keys.centres, encodeCheckedNpy(centres, [truths.length, centres.length / truths.length])] as const] : []),
  ]);
}

/** Reads what {@link encodeTargets} wrote, but for centres. */
export async function readTargets(store: Store, runId: string): Promise<Omit<CalibrationTargets, 'centres'>> {
  const keys = runKeys(runId).targets;
  return {
    truths: decodeCheckedNpy(await store.get(keys.truths), keys.truths).data as Uint32Array,
    records: decodeCheckedNpy(await store.get(keys.records), keys.records).data as Uint32Array,
    unique: decodeCheckedNpy(await store.get(keys.unique), keys.unique).data as Uint8Array,
  };
}

/** Reads the centres of a replicate's targets. */
export async function readCentres(store: Store, runId: string): Promise<Uint16Array> {
  const { centres } = runKeys(runId).targets;
  return decodeCheckedNpy(await store.get(centres), centres).data as Uint16Array;
}
