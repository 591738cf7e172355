import type { IdentificationScenario, Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { MatchFigures } from '../../contracts/results/identification.ts';
import type { Inherent } from '../../contracts/results/inherent.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { Table } from '../../table/table.ts';
import { matchingOf, openScenario } from '../identification/identification-scenario.ts';
import { MatchSums } from '../identification/match-figures.ts';
import { scenarioOfRelease } from '../identification/run-scenarios.ts';
import { createRecordMatcher } from '../matching/record-matches.ts';

/** What an intruder is assumed to know, as the bounds' document has it. */
export type BoundedScenario = Pick<
  Inherent['identificationRisk'][number],
  'scenario' | 'known' | 'synthesized' | 'radii' | 'shape'
>;

/** A scenario, and how a dataset is matched under it. */
export interface OpenedBoundedScenario {
  readonly scenario: BoundedScenario;
  /** Identification risk of a dataset whose row i belongs to record i. */
  readonly match: (dataset: Table) => MatchFigures;
}

/** A scenario that has no defaults left: one element of `identification` in the config. */
type Scenario = IdentificationScenario;

/**
 * Gives radii named beside the scenarios to those that match by their variables. One that no scenario matches by goes to
 * the first, where it is refused with the reason.
 *
 * @param synthesized names of the synthesized variables, which a scenario matches by unless it names some of them
 */
export function withRadii(
  scenarios: readonly Scenario[],
  radius: Readonly<Record<string, Radius>>,
  synthesized: readonly string[],
): Scenario[] {
  const matches = (scenario: Scenario, name: string) =>
    scenario.known.includes(name) || (scenario.synthesized ?? synthesized).includes(name);
  return scenarios.map((scenario, index) => {
    const own = Object.entries(radius).filter(
      ([name]) =>
        matches(scenario, name) || (index === 0 && !scenarios.some((other) => matches(other, name))),
    );
    return { ...scenario, radius: { ...scenario.radius, ...Object.fromEntries(own) } };
  });
}

/**
 * Checks a scenario against a table and prepares its matching.
 *
 * @param synthesized names of the variables that the release replaces
 * @throws InvalidConfigError what `scenarioOfRelease` and `matchingOf` throw
 * @throws UnsupportedOptionError `sweep-of-bounds`
 */
export function openBoundedScenario(
  table: Table,
  given: Scenario,
  synthesized: readonly string[],
): OpenedBoundedScenario {
  const { synthesized: guessed, known } = scenarioOfRelease(table.schema, given, synthesized);
  const opened = openScenario(table.schema, { ...given, synthesized: guessed });
  if (given.sweep !== undefined) {
    throw new UnsupportedOptionError(
      'sweep-of-bounds',
      `The scenario ${opened.name} sweeps radii: bounds are found at one radius for each variable. Name those that the sweep found.`,
    );
  }
  const { matching, grid, continuous } = matchingOf(table.schema, given, [
    ...opened.known,
    ...(opened.synthesized ?? []),
  ]);
  const matcher = createRecordMatcher(table, matching);
  const radii = grid.points[0]!;
  return {
    scenario: {
      scenario: opened.name,
      known,
      synthesized: guessed,
      radii: Object.fromEntries(continuous.map((name, v) => [name, radii[v]!])),
      shape: given.shape,
    },
    match: (dataset) => {
      const sums = new MatchSums(1);
      matcher.match(dataset, grid, (_, counts, own) => sums.add(counts, own));
      return sums.figures(0, table.records);
    },
  };
}

/**
 * The radius within which each variable counts as disclosed: the one that it has in the scenarios. Undefined for
 * variables that no scenario gives a radius.
 *
 * @returns one element for each variable of the schema
 * @throws InvalidConfigError `radii-differ` for a synthesized variable that has several
 */
export function disclosureRadii(
  { variables }: TableSchema,
  scenarios: readonly BoundedScenario[],
  synthesized: readonly string[],
): (Radius | undefined)[] {
  return variables.map(({ name }) => {
    if (!synthesized.includes(name)) return undefined;
    const radii = scenarios.flatMap((scenario) => scenario.radii[name] ?? []);
    const texts = new Set(radii.map((radius) => JSON.stringify(radius)));
    if (texts.size > 1) {
      throw new InvalidConfigError(
        'radii-differ',
        `Variable ${name} has several radii in the scenarios: exact attribute disclosures need one, --radius ${name}=0.1.`,
      );
    }
    return radii[0];
  });
}
