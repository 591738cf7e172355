import { InvalidConfigError, InvalidTableError } from '../contracts/errors.ts';
import {
  type IdentificationScenario,
  identificationScenarioSchema,
  type Radius,
} from '../contracts/identification.ts';
import { refuseRepeatedScenarios, scenarioName } from '../risk/identification-scenario.ts';
import { keptPatterns } from '../risk/kept-patterns.ts';
import { changedRows, holdSameValues } from '../risk/kept-rows.ts';
import { planResampling } from '../risk/resample-synthesized.ts';
import type { Table } from '../table/table.ts';
import { variablesByPlace } from '../table/variables-by-place.ts';
import type { BoundsRequest } from './bound-disclosure.ts';
import {
  disclosureRadii,
  type OpenedBoundedScenario,
  openBoundedScenario,
  withRadii,
} from './bounded-scenario.ts';
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
 * @throws InvalidConfigError `invalid-bands`, `no-radius`, and what `synthesizedVariables`, `openBoundedScenario` and
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
  refuseRepeatedScenarios(identification);
  const opened =
    identification.length > 0
      ? withRadii(identification, radius, synthesized).map((scenario) =>
          openBoundedScenario(table, scenario, synthesized),
        )
      : [openEveryKept(table, kept, radius, synthesized)];
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

/**
 * The intruder who knows every kept variable. Nobody has named these: where he is refused, messages do not either.
 *
 * @throws InvalidConfigError `no-radius`, and what `openBoundedScenario` throws
 */
function openEveryKept(
  table: Table,
  kept: readonly number[],
  radius: Readonly<Record<string, Radius>>,
  synthesized: readonly string[],
): OpenedBoundedScenario {
  const { variables } = table.schema;
  const lacking = kept.filter((v) => variables[v]!.type === 'continuous' && !radius[variables[v]!.name]);
  if (lacking.length > 0) {
    throw new InvalidConfigError(
      'no-radius',
      `The intruder knows every variable that is kept, and without a radius is continuous ${variablesByPlace(lacking)}: give one, --radius NAME=0.1 (a share of the value) or --radius NAME=abs:500 (in its units), or say what he knows (--known, or \`identification\` in the config).`,
    );
  }
  const every = identificationScenarioSchema.parse({ known: kept.map((v) => variables[v]!.name) });
  const [named] = withRadii([{ ...every, name: 'every kept variable' }], radius, synthesized);
  const { scenario, match } = openBoundedScenario(table, named!, synthesized);
  return { scenario: { ...scenario, scenario: scenarioName(every) }, match };
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
  const places = variablesByPlace(variables);
  if (holdSameValues(table, dataset, kept)) {
    throw new InvalidTableError(
      'rows-in-another-order',
      `dataset ${number} holds the same values of ${places} as the table, but in other rows: expected row i to be record i`,
    );
  }
  const rows = Math.max(...variables.map((variable) => changed[variable]!));
  throw new InvalidTableError(
    'kept-variables-differ',
    `dataset ${number} has other values of ${places} than the table, in up to ${rows} of ${table.records} rows: expected variables that are not named as synthesized to be kept, row by row`,
  );
}
