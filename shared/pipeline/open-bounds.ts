import { InvalidConfigError, InvalidTableError } from '../contracts/errors.ts';
import {
  type IdentificationScenario,
  identificationScenarioSchema,
  type Radius,
} from '../contracts/identification.ts';
import { refuseRepeatedScenarios } from '../risk/identification-scenario.ts';
import { keptPatterns } from '../risk/kept-patterns.ts';
import { changedRows, holdSameValues } from '../risk/kept-rows.ts';
import { planResampling } from '../risk/resample-synthesized.ts';
import type { Table } from '../table/table.ts';
import type { BoundsRequest } from './bound-disclosure.ts';
import { disclosureRadii, openBoundedScenario, withRadii } from './bounded-scenario.ts';
import { synthesizedVariables } from './synthesized-variables.ts';

/** Most bands of a variable: their numbers are kept in 16 bits. */
const MAX_BANDS = 65_535;

/** What bounds are asked for. */
export interface BoundsSettings {
  readonly seed: number;
  /** Names of the variables that a release replaces. */
  readonly synthesized: readonly string[];
  /** The intruders; none for one who knows every kept variable. */
  readonly identification: readonly IdentificationScenario[];
  /** Radii of variables, which go before those of the intruders. */
  readonly radius: Readonly<Record<string, Radius>>;
  /** Resamples of each bound. */
  readonly resamples: number;
  /** Quantile bands of a kept continuous variable in the patterns. */
  readonly bands: number;
}

/**
 * Checks settings and datasets against a table, and prepares what the bounds are found from.
 *
 * @param datasets of a release, in the codes of the table; may be none
 * @throws InvalidConfigError `invalid-bands`, and what `synthesizedVariables`, `openBoundedScenario` and
 * `disclosureRadii` throw
 * @throws InvalidTableError `other-record-count`, `rows-in-another-order`, `kept-variables-differ`
 * @throws UnsupportedOptionError what `openBoundedScenario` throws
 */
export function openBounds(
  table: Table,
  datasets: readonly Table[],
  { seed, synthesized, identification, radius, resamples, bands }: BoundsSettings,
): BoundsRequest {
  requireBands(bands);
  const { schema } = table;
  const replaced = synthesizedVariables(synthesized, schema);
  const kept = schema.variables.map((_, variable) => variable).filter((v) => !replaced.includes(v));
  for (const [index, dataset] of datasets.entries()) requireKept(table, dataset, kept, index + 1);
  const known = kept.map((variable) => schema.variables[variable]!.name);
  const given = identification.length > 0 ? identification : [identificationScenarioSchema.parse({ known })];
  refuseRepeatedScenarios(given);
  const opened = withRadii(given, radius, synthesized).map((scenario) =>
    openBoundedScenario(table, scenario, synthesized),
  );
  const scenarios = opened.map(({ scenario }) => scenario);
  return {
    resampling: planResampling(table, replaced, keptPatterns(table, kept, bands)),
    bands,
    rule: {
      radii: disclosureRadii(schema, scenarios, synthesized),
      matchers: opened.map(({ match }) => match),
    },
    scenarios,
    resamples,
    seed,
    datasets,
  };
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
