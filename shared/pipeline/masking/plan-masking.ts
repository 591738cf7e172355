import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { Masking } from '../../contracts/config/masking.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { variablesInError } from '../../masking/inject-errors.ts';
import type { MaskedVariables } from '../../masking/mask-table.ts';
import { swapWindow } from '../../masking/rank-swap.ts';
import { readingWithoutModel, readTable } from '../../table/files/read-table.ts';
import { variableNames } from '../../table/names-in-text.ts';
import type { Table } from '../../table/table.ts';
import { continuousPlaces, namedPlaces, requireModelFree } from '../files/named-variables.ts';

/** What `mask` is asked to do. */
export interface MaskingRequest {
  readonly config: Config;
  readonly masking: Masking;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Key of the place where the results are kept, under which their id is formed. */
  readonly placeKey: Uint8Array;
}

/** Everything decided, and nothing done. */
export interface PlannedMasking {
  readonly runId: string;
  readonly table: Table;
  readonly places: MaskedVariables;
  /** Variables whose parts are looked at one by one. */
  readonly subdomains: readonly number[];
  /** What was noticed in the table. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads and checks everything that masking needs. Nothing is written.
 *
 * @throws InvalidConfigError `unknown-variable`, `repeated-variable`, `not-continuous`, `not-categorical`, `strata-without-swap`,
 * `swap-in-strata`, `flag-of-other-method`, `no-sample-share`, `sample-too-small`, `k-above-records`, `window-too-narrow`, `no-variable-in-error`
 * @throws InvalidTableError `nothing-to-mask`, `constant-variable`, and what `readTable` throws
 * @throws UnsupportedOptionError `impute-without-model`
 */
export async function planMasking(request: MaskingRequest): Promise<PlannedMasking> {
  const { config, masking } = request;
  const missing = requireModelFree(config);
  const { seed, variables, missingCodes, numbers, count } = config;
  const { table, notices } = await readTable(request.table, readingWithoutModel(config));
  const places = placesToMask(table, masking);
  const subdomains = namedPlaces(table.schema, '--subdomains', masking.subdomains);
  requireMaskable(table, masking, places);
  const identity = { masking, seed, variables, missing, missingCodes, numbers, count };
  const hash = await sha256(request.table);
  return {
    runId: await keyedRunId(request.placeKey, encodeJson({ version: VERSION, purpose: 'mask', hash, identity })),
    table,
    places,
    subdomains,
    warnings: notices.map((message) => ({ code: 'table-notice', message })),
  };
}

function placesToMask(table: Table, { how, variables, swap, strata }: Masking): MaskedVariables {
  const { schema } = table;
  const swapped = namedPlaces(schema, '--swap', swap);
  const continuous = swapped.find((v) => schema.variables[v]!.type === 'continuous');
  if (continuous !== undefined) {
    throw new InvalidConfigError(
      'not-categorical',
      `--swap ${schema.variables[continuous]!.name}: the variable is continuous; rank swapping is for such ones (--method rank-swap).`,
    );
  }
  const within = namedPlaces(schema, '--strata', strata);
  if (within.length > 0 && swapped.length === 0) {
    throw new InvalidConfigError('strata-without-swap', '--strata is for categorical variables that --swap names.');
  }
  if (within.some((v) => swapped.includes(v))) {
    throw new InvalidConfigError(
      'swap-in-strata',
      'A variable is both in --swap and in --strata: values that all agree cannot trade places.',
    );
  }
  if (how.method === 'sample' && variables !== null) {
    throw new InvalidConfigError('flag-of-other-method', '--variables: the method sample masks none.');
  }
  const masked = how.method === 'sample' ? [] : continuousPlaces(schema, variables);
  if (masked.length === 0 && swapped.length === 0 && how.method !== 'sample') {
    throw new InvalidTableError(
      'nothing-to-mask',
      'the table has no continuous variable: declare "type: continuous" in the config, or name categorical ones with --swap',
    );
  }
  return { variables: masked, swap: swapped, strata: within };
}

/** Refuses what a method cannot do with a table of this size. */
function requireMaskable(table: Table, { how, sample }: Masking, { variables }: MaskedVariables): void {
  const constant = variables.filter((v) => isConstant(table, v));
  if (constant.length > 0) {
    throw new InvalidTableError(
      'constant-variable',
      `${variableNames(table.schema, constant)}: constant, which leaves nothing to mask; drop the column (--drop), or name others with --variables`,
    );
  }
  if (how.method === 'sample' && sample === null) {
    throw new InvalidConfigError('no-sample-share', 'Say which share of the records is released: --sample 0.1.');
  }
  const records = sample === null ? table.records : Math.round(sample * table.records);
  if (records < 2) {
    throw new InvalidConfigError('sample-too-small', '--sample: fewer than two records would be released.');
  }
  if ('k' in how && how.k > records) {
    throw new InvalidConfigError('k-above-records', `--k: expected at most ${records}, the number of records.`);
  }
  if (how.method === 'rank-swap' && swapWindow(records, how.p) < 1) {
    throw new InvalidConfigError(
      'window-too-narrow',
      `--p: expected at least ${(100 / records).toPrecision(3)}, one of ${records} records; with less nothing would be swapped.`,
    );
  }
  if (how.method === 'errors' && variables.length > 0 && variablesInError(variables.length, how.errors) === 0) {
    throw new InvalidConfigError(
      'no-variable-in-error',
      `--errors: expected at least half of one of the ${variables.length} variables; with less nothing would be wrong.`,
    );
  }
}

function isConstant({ columns }: Table, v: number): boolean {
  const column = columns[v]!;
  return column.type === 'continuous' && column.values.every((value) => value === column.values[0]);
}
