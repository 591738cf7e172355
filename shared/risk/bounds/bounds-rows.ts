import type { BoundsRow } from '../../contracts/results/bounds.ts';
import type { BoundedScenario } from './bounded-scenario.ts';
import { BOUNDS, type Bound, type DisclosureMeasures } from './measure-disclosure.ts';

/**
 * The rows of `inherent.csv`: scenario within resample within bound.
 *
 * @param measures of every resample of each bound, in order
 */
export function boundsRows(
  scenarios: readonly BoundedScenario[],
  measures: Readonly<Record<Bound, readonly DisclosureMeasures[]>>,
): BoundsRow[] {
  return BOUNDS.flatMap((bound) =>
    measures[bound].flatMap(({ disclosures, matchFigures }, index) =>
      matchFigures.map((figures, scenario) => ({
        bound,
        resample: index + 1,
        scenario: scenarios[scenario]!.scenario,
        exact_disclosures: disclosures.count,
        expected_match_risk: figures.expectedMatchRisk,
        true_match_rate: figures.trueMatchRate,
        false_match_rate: figures.falseMatchRate,
        unique_matches: figures.uniqueMatches,
      })),
    ),
  );
}
