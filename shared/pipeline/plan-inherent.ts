import type { Config } from '../contracts/config.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../contracts/errors.ts';
import {
  type IdentificationScenario,
  identificationScenarioSchema,
  type Radius,
} from '../contracts/identification.ts';
import type { Warning } from '../contracts/results.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { sha256 } from '../contracts/sha256.ts';
import { VERSION } from '../contracts/version.ts';
import { refuseRepeatedScenarios } from '../risk/identification-scenario.ts';
import { keptPatterns } from '../risk/kept-patterns.ts';
import { changedRows, holdSameValues } from '../risk/kept-rows.ts';
import { planResampling } from '../risk/resample-synthesized.ts';
import { readTable, readTableAs } from '../table/read-table.ts';
import type { Table } from '../table/table.ts';
import type { BoundsRequest } from './bound-disclosure.ts';
import { disclosureRadii, openBoundedScenario, withRadii } from './bounded-scenario.ts';
import { encodeJson } from './stored-json.ts';

/** What `inherent` is asked to do. */
export interface InherentRequest {
  readonly config: Config;
  /** Names of the variables that a release replaces. */
  readonly synthesized: readonly string[];
  /** What intruders know; none for one who knows every kept variable. */
  readonly scenarios: readonly IdentificationScenario[];
  /** Radii of variables, which go before those of the scenarios. */
  readonly radius: Readonly<Record<string, Radius>>;
  /** Resamples of each bound. */
  readonly resamples: number;
  /** Quantile bands of a kept continuous variable in the patterns. */
  readonly bands: number;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Bytes of the datasets of a release; may be none. */
  readonly datasets: readonly Uint8Array[];
}

/** The bounds decided but not yet found. */
export interface PlannedInherent {
  /** Hash of whatever can change a result: table, datasets, settings and version. */
  readonly runId: string;
  readonly bounds: BoundsRequest;
  /** What was noticed in the files. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads and checks everything that the bounds need. Nothing is written.
 *
 * @throws InvalidConfigError `unknown-variable`, `repeated-variable`, and what `openBoundedScenario` and `disclosureRadii` throw
 * @throws InvalidTableError `other-record-count`, `kept-variables-differ`, and what reading throws
 * @throws UnsupportedOptionError `nothing-kept`
 */
export async function planInherent(request: InherentRequest): Promise<PlannedInherent> {
  const { config, bands, resamples } = request;
  const { missing } = config.synthesis;
  const { table, notices } = await readTable(request.table, { variables: config.variables, missing });
  const { schema } = table;
  const synthesized = synthesizedIndices(schema, request.synthesized);
  const kept = schema.variables.map((_, variable) => variable).filter((v) => !synthesized.includes(v));
  const datasets: Table[] = [];
  for (const [index, bytes] of request.datasets.entries()) {
    const dataset = await readTableAs(bytes, schema, { missing });
    requireKept(table, dataset.table, kept, index + 1);
    notices.push(...dataset.notices);
    datasets.push(dataset.table);
  }
  const known = kept.map((variable) => schema.variables[variable]!.name);
  const given =
    request.scenarios.length > 0 ? request.scenarios : [identificationScenarioSchema.parse({ known })];
  refuseRepeatedScenarios(given);
  const scenarios = withRadii(given, request.radius, request.synthesized);
  const opened = scenarios.map((scenario) => openBoundedScenario(table, scenario, request.synthesized));
  const bounded = opened.map(({ scenario }) => scenario);
  const hashes = await Promise.all([request.table, ...request.datasets].map(sha256));
  const { seed, variables } = config;
  const identity = {
    seed,
    variables,
    missing,
    synthesized: request.synthesized,
    scenarios,
    resamples,
    bands,
  };
  const id = await sha256(encodeJson({ version: VERSION, purpose: 'inherent', hashes, identity }));
  return {
    runId: id.slice(0, 16),
    bounds: {
      resampling: planResampling(table, synthesized, keptPatterns(table, kept, bands)),
      bands,
      rule: {
        radii: disclosureRadii(schema, bounded, request.synthesized),
        matchers: opened.map(({ match }) => match),
      },
      scenarios: bounded,
      resamples,
      seed,
      datasets,
    },
    warnings: [...new Set(notices)].map((message) => ({ code: 'table-notice', message })),
  };
}

/** Indices of the synthesized variables, in the order of the table. */
function synthesizedIndices({ variables }: TableSchema, names: readonly string[]): number[] {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    throw new InvalidConfigError('repeated-variable', `synthesized names variable ${repeated} twice.`);
  }
  const unknown = names.find((name) => !variables.some((variable) => variable.name === name));
  if (unknown !== undefined) {
    throw new InvalidConfigError('unknown-variable', `synthesized: the table has no variable ${unknown}.`);
  }
  if (names.length === variables.length) {
    throw new UnsupportedOptionError(
      'nothing-kept',
      'Every variable is synthesized, so that no row of a release belongs to a record: bounds need a variable that is kept.',
    );
  }
  return variables.map((_, index) => index).filter((index) => names.includes(variables[index]!.name));
}

/** Refuses a dataset whose rows are not the table's records, as far as the kept variables can tell. */
function requireKept(table: Table, dataset: Table, kept: readonly number[], number: number): void {
  if (dataset.records !== table.records) {
    throw new InvalidTableError(
      'other-record-count',
      `dataset ${number} has ${dataset.records} rows and the table ${table.records}: expected one for each record, in the same order`,
    );
  }
  const changed = changedRows(table, dataset);
  const variables = kept.filter((variable) => changed[variable]! > 0);
  if (variables.length === 0) return;
  const names = variables.map((variable) => table.schema.variables[variable]!.name).join(', ');
  if (holdSameValues(table, dataset, kept)) {
    throw new InvalidTableError(
      'rows-in-another-order',
      `dataset ${number} holds the same values of ${names} as the table, but in other rows: expected row i to be record i`,
    );
  }
  const rows = Math.max(...variables.map((variable) => changed[variable]!));
  throw new InvalidTableError(
    'kept-variables-differ',
    `dataset ${number} has other values of ${names} than the table, in up to ${rows} of ${table.records} rows: expected variables that are not named as synthesized to be kept, row by row`,
  );
}
