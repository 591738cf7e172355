import type { ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import type { ValueRows } from '../../contracts/results/variable-risk-table.ts';
import { shareResolved } from '../../risk/attribute/release-error.ts';
import { VALUE_COLUMNS, type ValueRisk, valueAt } from '../../risk/attribute/value-risk.ts';
import { isGivenAway } from '../../risk/attribute/value-summary.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { SEPARATOR } from './separator.ts';
import { tableRows } from './table-rows.ts';

/**
 * The rows of a scenario, from what its parts tell of values.
 *
 * @param beside where the model is of trees, what is known beside
 */
export async function variableRiskRows(
  store: Store,
  context: ScenarioModel,
  values: Pick<ValueRisk, 'columns'>,
  beside: RowsBeside | null,
): Promise<ValueRows> {
  const { scenario, table, numbers, space } = context;
  const { schema } = table;
  const { ofRecords, countOf, codesOf } = await tableRows(store, context);
  const { variables: asked } = askedVariables(space);
  const places = Uint32Array.from({ length: values.columns.length / VALUE_COLUMNS.length }, (_, place) => place).filter(
    (place) => valueAt(values, place, 'values') > 0,
  );
  const figure = (row: number, name: (typeof VALUE_COLUMNS)[number]) => valueAt(values, places[row]!, name);
  const recordOf = (row: number) => Math.floor(places[row]! / asked.length);
  const variablesOf = (row: number) => asked[places[row]! % asked.length]!;
  const text = (variables: readonly number[], codes: ArrayLike<number>) =>
    variables.map((k) => categoryText(schema, k, codes[k]!) ?? 'NA').join(SEPARATOR);
  const givenAway = Uint32Array.from(places.keys())
    .filter(
      (row) =>
        variablesOf(row).length === 1 && isGivenAway(figure(row, 'rankBefore'), figure(row, 'rankAfter'), figure(row, 'probabilityAfter')),
    )
    .sort((a, b) => figure(b, 'gainBits') - figure(a, 'gainBits') || a - b);
  return {
    ...{ rows: places.length, ofRecords, scenario: scenario.name, figure, givenAway },
    numberOf: (row) => (numbers?.[recordOf(row)] ?? recordOf(row)) + 1,
    countOf: (row) => countOf(recordOf(row)),
    variableOf: (row) =>
      variablesOf(row)
        .map((k) => schema.variables[k]!.name)
        .join(SEPARATOR),
    valueOf: (row) => text(variablesOf(row), codesOf(recordOf(row))),
    resolvedOf: (row) => {
      const se = figure(row, 'resolvedSe');
      return { share: shareResolved(figure(row, 'gainBits'), figure(row, 'lackedBits')), se: Number.isNaN(se) ? null : se };
    },
    guessOf: (row, when) => {
      // A code of the one variable, or a candidate that has values of all of them.
      const own = codesOf(recordOf(row));
      const variables = variablesOf(row);
      const codes = own.slice();
      const guess = figure(row, when);
      if (variables.length === 1) codes[variables[0]!] = guess;
      else for (const { variable, code } of candidateChanges(space, own, guess)) codes[variable] = code;
      return text(variables, codes);
    },
    beside:
      beside &&
      ((row) => ({ probabilityFixed: beside.values.probabilityFixed[places[row]!]!, proven: beside.values.proven[places[row]!] === 1 })),
  };
}
