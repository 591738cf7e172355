import type { ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import type { RiskFigures, RiskRows } from '../../contracts/results/attribute-risk-table.ts';
import { isDistinguishable } from '../../risk/attribute/attribute-summary.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { considerCandidates } from '../../risk/intruder/considered-candidates.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { SEPARATOR } from './separator.ts';
import { tableRows } from './table-rows.ts';

/** The number of candidates of each combination, or null where all have as many. */
export function candidateNumbers({ table, space, support, synthesized }: ScenarioModel): Uint32Array | null {
  if (space.kind === 'all-cells' || synthesized !== null) return null;
  const considered = considerCandidates(space, table.combinations.codes, support);
  return considered ? Uint32Array.from(considered, ({ length }) => length) : null;
}

/**
 * The rows of a scenario, from the figures of all of them.
 *
 * @param paretoKThreshold above which a tail is too heavy
 * @param beside where the model is of trees, what is known beside
 */
export async function attributeRiskRows(
  store: Store,
  context: ScenarioModel,
  figures: RiskFigures,
  paretoKThreshold: number,
  beside: RowsBeside | null,
): Promise<RiskRows> {
  const { scenario, table, space, numbers } = context;
  const { schema } = table;
  const { codesOf, combinationOf, ...rows } = await tableRows(store, context);
  const own = candidateNumbers(context);
  const candidatesOf = (row: number) => own?.[row] ?? space.perCombination;
  const nameOf = (variable: number) => schema.variables[variable]!.name;
  return {
    ...rows,
    ...{ rows: figures.rank.length, scenario: scenario.name, figures, paretoKThreshold, beside, candidatesOf },
    combinationOf: (row) => (numbers?.[row] ?? combinationOf(row)) + 1,
    guessOf: (row, what) => {
      const changes = candidateChanges(space, codesOf(row), figures.firstGuess[row]!).map(({ variable, code }) =>
        what === 'variable' ? nameOf(variable) : (categoryText(schema, variable, code) ?? 'NA'),
      );
      return changes.length === 0 ? null : changes.join(SEPARATOR);
    },
    isDistinguishable: (row) => isDistinguishable(figures.rankLow[row]!, figures.rankHigh[row]!, candidatesOf(row)),
  };
}
