import type { IdentificationScenario, Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { inCommand } from '../../contracts/in-command.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { didYouMean, unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { type RadiusGrid, radiusGrid } from '../matching/radius-grid.ts';
import type { Matching } from '../matching/record-matches.ts';

/** Points of a sweep at most: each costs a count for every record. */
const MAX_POINTS = 10_000;

/** What a scenario is called: its name, or else what is known. */
export function scenarioName({ name, known }: IdentificationScenario): string {
  return name ?? `known: ${known.length > 0 ? known.join(', ') : 'none'}`;
}

/** Refuses scenarios of one run that are called alike: InvalidConfigError `repeated-scenario`. */
export function refuseRepeatedScenarios(scenarios: readonly IdentificationScenario[]): void {
  const names = scenarios.map(scenarioName);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return;
  throw new InvalidConfigError(
    'repeated-scenario',
    `Two scenarios of identification are called "${repeated}": give each a \`name\` of its own.`,
  );
}

function refusal(scenario: string, code: string, message: string): InvalidConfigError {
  return new InvalidConfigError(code, `Scenario "${scenario}": ${message}`);
}

function indicesOf({ variables }: TableSchema, scenario: IdentificationScenario, role: 'known' | 'synthesized' | 'radius'): number[] {
  const named = scenario[role] ?? [];
  const names = Array.isArray(named) ? named : Object.keys(named);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    throw refusal(scenarioName(scenario), 'repeated-variable', `${role} names variable ${repeated} twice.`);
  }
  const tableNames = variables.map((variable) => variable.name);
  return names.map((name) => {
    const index = tableNames.indexOf(name);
    if (index < 0) throw unknownVariable(`Scenario "${scenarioName(scenario)}", ${role}`, name, tableNames);
    return index;
  });
}

/** How records are matched under a scenario: at which radii, and which of its variables are swept. */
export interface ScenarioMatching {
  readonly matching: Matching;
  readonly grid: RadiusGrid;
  /** Names of the continuous variables, in the order of the radii. */
  readonly continuous: readonly string[];
  readonly swept: readonly string[];
}

/** A scenario that has been checked against a table: variables are indices into its schema. */
export interface OpenedScenario extends Pick<IdentificationScenario, 'radius' | 'shape' | 'sweep'> {
  readonly name: string;
  readonly known: readonly number[];
  /** Undefined where the scenario leaves it to the data. */
  readonly synthesized: readonly number[] | undefined;
  /** Absent while it rests on what the datasets change, and where there is nothing to match by. */
  readonly matching?: ScenarioMatching;
}

/** A scenario of which everything is known before there is a dataset. */
export interface MatchedScenario extends OpenedScenario {
  readonly synthesized: readonly number[];
  readonly matching: ScenarioMatching;
}

/**
 * Checks the names of a scenario against the variables of a table.
 *
 * @throws InvalidConfigError `unknown-variable`, `repeated-variable`, `known-and-synthesized`
 */
export function openScenario(schema: TableSchema, scenario: IdentificationScenario): OpenedScenario {
  const known = indicesOf(schema, scenario, 'known');
  const synthesized = scenario.synthesized && indicesOf(schema, scenario, 'synthesized');
  const both = scenario.synthesized?.find((name) => scenario.known.includes(name));
  const name = scenarioName(scenario);
  if (both !== undefined) {
    throw refusal(
      name,
      'known-and-synthesized',
      `variable ${both} is named as known and as synthesized: a known variable is one that the release keeps.`,
    );
  }
  indicesOf(schema, scenario, 'radius');
  const { radius, shape, sweep } = scenario;
  return { name, known, synthesized, radius, shape, sweep };
}

/**
 * How records are matched under a scenario.
 *
 * @param synthesized indices of the variables of which the intruder knows the true values
 * @throws InvalidConfigError `nothing-to-match`, `radius-of-categorical`, `unused-radius`, `no-radius`,
 * `nothing-to-sweep`, `too-many-radii`
 */
export function matchingOf(
  schema: TableSchema,
  { name: scenario, known, radius, shape, sweep }: OpenedScenario,
  synthesized: readonly number[],
): ScenarioMatching {
  const matched = [...known, ...synthesized];
  if (matched.length === 0) {
    throw refusal(scenario, 'nothing-to-match', 'there is nothing to match by, since no variable is known, and none is synthesized.');
  }
  const ascending = matched.toSorted((a, b) => a - b);
  const named = (index: number) => schema.variables[index]!.name;
  const ofType = (type: 'categorical' | 'continuous') => ascending.filter((index) => schema.variables[index]!.type === type);
  const categorical = ofType('categorical');
  const continuous = ofType('continuous').map(named);
  for (const name of Object.keys(radius)) {
    if (continuous.includes(name)) continue;
    const isCategorical = schema.variables.some((one) => one.name === name && one.type === 'categorical');
    throw isCategorical
      ? refusal(
          scenario,
          'radius-of-categorical',
          `variable ${name} is categorical and matches when it is equal: it has no radius. Declare it with "type: continuous" in the config if it holds amounts.`,
        )
      : refusal(
          scenario,
          'unused-radius',
          `variable ${name} has a radius but is neither known nor synthesized${didYouMean(name, continuous)}.`,
        );
  }
  const radii = continuous.map((name): Radius | null => radius[name] ?? null);
  const swept = continuous.filter((_, v) => radii[v] === null);
  if (sweep === undefined && swept.length > 0) {
    const [name] = swept;
    throw refusal(
      scenario,
      'no-radius',
      `variable ${name} is continuous and has no radius: give one, --radius ${inCommand(`${name}=0.1`)} (a share of the value) or --radius ${inCommand(`${name}=abs:500`)} (in its units), or try several with --sweep of \`identify\`.`,
    );
  }
  if (sweep !== undefined && swept.length === 0) {
    throw refusal(
      scenario,
      'nothing-to-sweep',
      'a sweep tries radii for continuous variables without a radius of their own, and there is none.',
    );
  }
  // Counted before they are made: a few variables jointly make millions.
  const shares = new Set(sweep?.radii).size;
  const points = sweep?.jointly ? swept.reduce((product) => product * shares, 1) : shares;
  if (points > MAX_POINTS) {
    throw new InvalidConfigError(
      'too-many-radii',
      `The sweep has ${points} combinations of radii: expected ${MAX_POINTS} at most. Sweep fewer radii, or not jointly.`,
    );
  }
  return { matching: { categorical, continuous: ofType('continuous'), shape }, grid: radiusGrid(radii, sweep), continuous, swept };
}

/**
 * Opens a scenario of a release that replaces some variables: it is matched by all of them, unless the scenario names
 * some.
 *
 * @throws InvalidConfigError `not-synthesized`, `known-and-synthesized`, and what `openScenario` and `matchingOf` throw
 */
export function openReleaseScenario(schema: TableSchema, given: IdentificationScenario, synthesized: readonly number[]): MatchedScenario {
  const opened = openScenario(schema, given);
  const nameOf = (variable: number) => schema.variables[variable]!.name;
  const guessed = opened.synthesized ?? synthesized;
  const kept = guessed.find((variable) => !synthesized.includes(variable));
  if (kept !== undefined) {
    throw new InvalidConfigError(
      'not-synthesized',
      `Scenario "${opened.name}": variable ${nameOf(kept)} is named as synthesized and kept by the release; expected some of ${synthesized.map(nameOf).join(', ')}.`,
    );
  }
  const replaced = opened.known.find((variable) => synthesized.includes(variable));
  if (replaced !== undefined) {
    throw new InvalidConfigError(
      'known-and-synthesized',
      `Scenario "${opened.name}": variable ${nameOf(replaced)} is named as known and is synthesized; a known variable is one that the release keeps.`,
    );
  }
  return { ...opened, synthesized: guessed, matching: matchingOf(schema, opened, guessed) };
}
