import type { Config } from '../contracts/config.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../contracts/errors.ts';
import { identificationScenarioSchema, type Radius } from '../contracts/identification.ts';
import type { Warning } from '../contracts/results.ts';
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
import { synthesizedVariables } from './synthesized-variables.ts';

/** Most bands of a variable: their numbers are kept in 16 bits. */
const MAX_BANDS = 65_535;

const ZEROS_IGNORED: Warning = {
  code: 'structural-zeros-ignored',
  message: 'Structural zeros play no part in the bounds: the minimum may draw impossible combinations.',
};

/** What `inherent` is asked to do. */
export interface InherentRequest {
  /** Its scenarios are the intruders; none for one who knows every kept variable. */
  readonly config: Config;
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
 * @throws InvalidConfigError `nothing-kept`, `invalid-bands`, and what `synthesizedVariables`, `openBoundedScenario` and
 * `disclosureRadii` throw
 * @throws InvalidTableError `other-record-count`, `rows-in-another-order`, `kept-variables-differ`, and what reading throws
 * @throws UnsupportedOptionError `impute-without-model`
 */
export async function planInherent(request: InherentRequest): Promise<PlannedInherent> {
  const { config, bands, resamples } = request;
  const { synthesized: replaced, missing } = requireBounded(config);
  requireBands(bands);
  const { table, notices } = await readTable(request.table, { variables: config.variables, missing });
  const { schema } = table;
  const synthesized = synthesizedVariables(replaced, schema);
  const kept = schema.variables.map((_, variable) => variable).filter((v) => !synthesized.includes(v));
  const datasets: Table[] = [];
  for (const [index, bytes] of request.datasets.entries()) {
    const dataset = await readTableAs(bytes, schema, { missing }).catch((error) => {
      throw error instanceof InvalidTableError
        ? new InvalidTableError(error.code, `dataset ${index + 1}: ${error.message}`, error.where)
        : error;
    });
    requireKept(table, dataset.table, kept, index + 1);
    notices.push(...dataset.notices);
    datasets.push(dataset.table);
  }
  const known = kept.map((variable) => schema.variables[variable]!.name);
  const { identification } = config;
  const given = identification.length > 0 ? identification : [identificationScenarioSchema.parse({ known })];
  refuseRepeatedScenarios(given);
  const scenarios = withRadii(given, request.radius, replaced);
  const opened = scenarios.map((scenario) => openBoundedScenario(table, scenario, replaced));
  const bounded = opened.map(({ scenario }) => scenario);
  const hashes = await Promise.all([request.table, ...request.datasets].map(sha256));
  const { seed, variables } = config;
  const identity = { seed, variables, missing, synthesized: replaced, scenarios, resamples, bands };
  const id = await sha256(encodeJson({ version: VERSION, purpose: 'inherent', hashes, identity }));
  return {
    runId: id.slice(0, 16),
    bounds: {
      resampling: planResampling(table, synthesized, keptPatterns(table, kept, bands)),
      bands,
      rule: {
        radii: disclosureRadii(schema, bounded, replaced),
        matchers: opened.map(({ match }) => match),
      },
      scenarios: bounded,
      resamples,
      seed,
      datasets,
    },
    warnings: [
      ...[...new Set(notices)].map((message) => ({ code: 'table-notice', message })),
      ...(config.synthesis.structuralZeros === undefined ? [] : [ZEROS_IGNORED]),
    ],
  };
}

/** The settings of a config that bounds can be found under, as far as they matter to them. */
function requireBounded({ synthesis }: Config): { synthesized: string[]; missing: 'refuse' | 'category' } {
  const { synthesized, missing } = synthesis;
  if (synthesized === 'all') {
    throw new InvalidConfigError(
      'nothing-kept',
      'Name the variables that the release replaces (--synthesized, synthesis.synthesized). With every variable synthesized no row of a release belongs to a record, and there are no such bounds.',
    );
  }
  if (missing === 'impute') {
    throw new UnsupportedOptionError(
      'impute-without-model',
      'Missing values are imputed by a model, and bounds are found without one: use "missing: category".',
    );
  }
  return { synthesized, missing };
}

function requireBands(bands: number): void {
  if (Number.isInteger(bands) && bands >= 1 && bands <= MAX_BANDS) return;
  throw new InvalidConfigError('invalid-bands', `bands: expected a whole number from 1 to ${MAX_BANDS}.`);
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
