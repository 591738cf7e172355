import type { IdentificationScenario, Radius } from '../../contracts/config/identification-scenario.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { FoundBounds } from '../../contracts/results/bounds.ts';
import type { MatchFigures } from '../../contracts/results/identification.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { Table } from '../../table/table.ts';
import { MatchSums } from '../identification/match-figures.ts';
import type { MatchedScenario } from '../identification/opened-scenario.ts';
import { createRecordMatcher } from '../matching/record-matches.ts';

/** What an intruder is assumed to know, as the bounds' document has it. */
export type BoundedScenario = Pick<FoundBounds['identificationRisk'][number], 'scenario' | 'known' | 'synthesized' | 'radii' | 'shape'>;

/**
 * Gives radii named beside the scenarios to those that match by their variables. One that no scenario matches by goes to
 * the first, where it is refused with the reason.
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

/**
 * Refuses a scenario that tries radii.
 *
 * @throws UnsupportedOptionError `sweep-of-bounds`
 */
export function refuseSweep(scenario: string, { sweep }: Pick<IdentificationScenario, 'sweep'>): void {
  if (sweep === undefined) return;
  throw new UnsupportedOptionError(
    'sweep-of-bounds',
    `The scenario ${scenario} sweeps radii: bounds are found at one radius for each variable. Name those that the sweep found.`,
  );
}

/** What the bounds' document says of a scenario, which has one radius for each variable. */
export function describeScenario(
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
export function figuresByMatching(table: Table, { matching: { matching, grid } }: MatchedScenario): (dataset: Table) => MatchFigures {
  const matcher = createRecordMatcher(table, matching);
  return (dataset) => {
    const sums = new MatchSums(1);
    matcher.match(dataset, grid, (_, counts, own) => sums.add(counts, own));
    return sums.figures(0, table.records);
  };
}
