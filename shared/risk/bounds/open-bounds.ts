import type { Config } from '../../contracts/config/config.ts';
import { type IdentificationScenario, identificationScenarioSchema, type Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { inCommand } from '../../contracts/in-command.ts';
import type { MatchFigures } from '../../contracts/results/identification.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { variableNames } from '../../table/names-in-text.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { Table } from '../../table/table.ts';
import { disclosureRadii } from '../identification/attribute-disclosures.ts';
import { changedRows, holdSameValues, reorderedRows, requireSameRecords } from '../identification/kept-rows.ts';
import { MatchSums } from '../identification/match-figures.ts';
import {
  type MatchedScenario,
  type OpenedScenario,
  openReleaseScenario,
  openScenario,
  refuseRepeatedScenarios,
  scenarioName,
} from '../identification/opened-scenario.ts';
import { createRecordMatcher } from '../matching/record-matches.ts';
import type { BoundedScenario, BoundsRequest } from './bound-disclosure.ts';
import { keptPatterns, planResampling } from './resample-synthesized.ts';

/**
 * Gives radii named beside the scenarios to those that match by their variables. One that none matches by goes to the
 * first, where it is refused with the reason.
 *
 * @param synthesized names of the synthesized variables, which a scenario matches by unless it names some of them
 */
export function withRadii(
  scenarios: readonly IdentificationScenario[],
  radius: Readonly<Record<string, Radius>>,
  synthesized: readonly string[],
): IdentificationScenario[] {
  const matches = (scenario: IdentificationScenario, name: string) =>
    scenario.known.includes(name) || (scenario.synthesized ?? synthesized).includes(name);
  return scenarios.map((scenario, index) => {
    const own = Object.entries(radius).filter(
      ([name]) => matches(scenario, name) || (index === 0 && !scenarios.some((other) => matches(other, name))),
    );
    return { ...scenario, radius: { ...scenario.radius, ...Object.fromEntries(own) } };
  });
}

/** Refuses a scenario that tries radii: UnsupportedOptionError `sweep-of-bounds`. */
function refuseSweep(scenario: string, { sweep }: Pick<IdentificationScenario, 'sweep'>): void {
  if (sweep === undefined) return;
  throw new UnsupportedOptionError(
    'sweep-of-bounds',
    `The scenario ${scenario} sweeps radii: bounds are found at one radius for each variable. Name those that the sweep found.`,
  );
}

/** What the bounds' document says of a scenario, which has one radius for each variable. */
function describeScenario(
  { variables }: TableSchema,
  { name, known, synthesized, shape, matching: { continuous, grid } }: MatchedScenario,
): BoundedScenario {
  const radii = grid.points[0]!;
  return {
    scenario: name,
    known: known.map((variable) => variables[variable]!.name),
    synthesized: synthesized.map((variable) => variables[variable]!.name),
    radii: Object.fromEntries(continuous.map((variable, v) => [variable, radii[v]!])),
    shape,
  };
}

/** Prepares the matching of a scenario: identification risk of a dataset whose row i belongs to record i. */
function figuresByMatching(table: Table, { matching: { matching, grid } }: MatchedScenario): (dataset: Table) => MatchFigures {
  const matcher = createRecordMatcher(table, matching);
  return (dataset) => {
    const sums = new MatchSums(1);
    matcher.match(dataset, grid, (_, counts, own) => sums.add(counts, own));
    return sums.figures(0, table.records);
  };
}

/** Most bands of a variable: their numbers are kept in 16 bits. */
const MAX_BANDS = 65_535;

/** Most resamples of each bound: a mean then has an error of a third of a percent of their deviation. */
const MAX_RESAMPLES = 100_000;

/** What bounds are asked for. */
export interface BoundsSettings {
  readonly seed: number;
  readonly synthesized: readonly string[];
  /** The intruders; none for one who knows every kept variable. */
  readonly identification: readonly IdentificationScenario[];
  /** Radii of variables, which go before those of the intruders. */
  readonly radius: Readonly<Record<string, Radius>>;
  readonly resamples: number;
  /** Quantile bands of a kept continuous variable in the patterns. */
  readonly bands: number;
}

/** Bounds whose settings fit a table, before there is anything to measure. */
export interface OpenedBounds extends Pick<BoundsSettings, 'seed' | 'resamples' | 'bands'> {
  /** Indices of the variables that a release replaces, and of those that it keeps. */
  readonly synthesized: readonly number[];
  readonly kept: readonly number[];
  readonly scenarios: readonly MatchedScenario[];
  /** By variable of the table, as `disclosureRadii` finds them. */
  readonly radii: readonly (Radius | undefined)[];
}

/**
 * Checks settings of bounds against a table.
 *
 * @throws InvalidConfigError what `synthesizedVariables`, `openReleaseScenario` and {@link openBoundsUnder} throw
 * @throws UnsupportedOptionError `sweep-of-bounds`
 */
export function openBounds(schema: TableSchema, settings: BoundsSettings): OpenedBounds {
  const { synthesized, identification, radius } = settings;
  const replaced = synthesizedVariables(synthesized, schema);
  refuseRepeatedScenarios(identification);
  const scenarios = withRadii(identification, radius, synthesized).map((scenario) => {
    refuseSweep(scenarioName(scenario), scenario);
    return openReleaseScenario(schema, scenario, replaced);
  });
  return openBoundsUnder(schema, replaced, scenarios, settings);
}

/**
 * Bounds under scenarios that have been opened; without any, under the intruder who knows every kept variable.
 *
 * @param synthesized indices of the variables that a release replaces
 * @throws InvalidConfigError `invalid-bands`, `invalid-resamples`, `no-radius`, and what `disclosureRadii` throws
 * @throws UnsupportedOptionError `sweep-of-bounds`
 */
function openBoundsUnder(
  schema: TableSchema,
  synthesized: readonly number[],
  scenarios: readonly MatchedScenario[],
  { seed, resamples, bands, radius }: Pick<BoundsSettings, 'seed' | 'resamples' | 'bands' | 'radius'>,
): OpenedBounds {
  requireWhole('bands', bands, MAX_BANDS);
  requireWhole('resamples', resamples, MAX_RESAMPLES);
  const kept = [...schema.variables.keys()].filter((variable) => !synthesized.includes(variable));
  for (const scenario of scenarios) refuseSweep(scenario.name, scenario);
  const opened = scenarios.length > 0 ? scenarios : [openEveryKept(schema, kept, radius, synthesized)];
  const radii = disclosureRadii(schema, opened, synthesized, 'refused');
  return { seed, resamples, bands, synthesized, kept, scenarios: opened, radii };
}

/**
 * Prepares what bounds are found from.
 *
 * @param datasets of a release, in the codes of the table; may be none
 * @throws InvalidTableError `other-record-count`, `rows-in-another-order`, `kept-variables-differ`
 */
export function prepareBounds(
  table: Table,
  datasets: readonly Table[],
  { seed, resamples, bands, synthesized, kept, scenarios, radii }: OpenedBounds,
): BoundsRequest {
  for (const [index, dataset] of datasets.entries()) requireKept(table, dataset, kept, index + 1);
  return {
    resampling: planResampling(table, synthesized, keptPatterns(table, kept, bands)),
    bands,
    rule: { radii, matchers: scenarios.map((scenario) => figuresByMatching(table, scenario)) },
    scenarios: scenarios.map((scenario) => describeScenario(table.schema, scenario)),
    resamples,
    seed,
    datasets,
  };
}

/** The intruder who knows every kept variable. Nobody has named these, so that a refusal says which they are. */
function openEveryKept(
  { variables }: TableSchema,
  kept: readonly number[],
  radius: Readonly<Record<string, Radius>>,
  synthesized: readonly number[],
): MatchedScenario {
  const namesOf = (indices: readonly number[]) => indices.map((v) => variables[v]!.name);
  const lacking = kept.filter((v) => variables[v]!.type === 'continuous' && !radius[variables[v]!.name]);
  if (lacking.length > 0) {
    throw new InvalidConfigError(
      'no-radius',
      `The intruder knows every variable that is kept, and these are continuous without a radius: ${variableNames({ variables }, lacking)}. Give one, --radius ${inCommand(`${namesOf(lacking)[0]}=0.1`)} (a share of the value) or --radius ${inCommand(`${namesOf(lacking)[0]}=abs:500`)} (in its units), or say what they know (--known, or \`identification\` in the config).`,
    );
  }
  const every = identificationScenarioSchema.parse({ known: namesOf(kept) });
  const [named] = withRadii([{ ...every, name: 'every kept variable' }], radius, namesOf(synthesized));
  return { ...openReleaseScenario({ variables }, named!, synthesized), name: scenarioName(every) };
}

function requireWhole(name: 'bands' | 'resamples', value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new InvalidConfigError(`invalid-${name}`, `${name}: expected a whole number from 1 to ${most}.`);
}

/** Refuses a dataset whose rows are not the table's records, as far as the kept variables can tell. */
function requireKept(table: Table, dataset: Table, kept: readonly number[], number: number): void {
  requireSameRecords(table, dataset, number);
  const changed = changedRows(table, dataset);
  const variables = kept.filter((variable) => changed[variable]! > 0);
  if (variables.length === 0) return;
  const places = variableNames(table.schema, variables);
  if (holdSameValues(table, dataset, kept)) throw reorderedRows(number, places);
  const rows = Math.max(...variables.map((variable) => changed[variable]!));
  throw new InvalidTableError(
    'kept-variables-differ',
    `dataset ${number} has other values of ${places} than the table, in up to ${rows} of ${table.records} rows: expected variables that are not named as synthesized to be kept, row by row`,
  );
}

/** What a run's datasets replace, and who matches them with what: its settings, checked against its table. */
export interface OpenedRelease {
  readonly synthesized: readonly number[];
  /** The intruders. Where every variable is synthesized they have no matching: no row belongs to a record. */
  readonly scenarios: readonly OpenedScenario[];
  readonly bounds: OpenedBounds | null;
}

/**
 * Opens the settings of a run that speak of variables.
 *
 * @throws InvalidConfigError `repeated-scenario`, and what `synthesizedVariables`, `openScenario`, `openReleaseScenario`
 * and `openBoundsUnder` throw
 * @throws UnsupportedOptionError what `openBoundsUnder` throws
 */
export function openRelease({ seed, synthesis, identification, inherent }: Config, schema: TableSchema): OpenedRelease {
  const synthesized = synthesizedVariables(synthesis.synthesized, schema);
  refuseRepeatedScenarios(identification);
  if (synthesis.synthesized === 'all') {
    const scenarios = identification.map((given) => {
      const opened = openScenario(schema, given);
      return { ...opened, synthesized: opened.synthesized ?? synthesized };
    });
    return { synthesized, scenarios, bounds: null };
  }
  const scenarios = identification.map((given) => openReleaseScenario(schema, given, synthesized));
  const bounds = inherent ? openBoundsUnder(schema, synthesized, scenarios, { seed, radius: {}, ...inherent }) : null;
  return { synthesized, scenarios, bounds };
}
