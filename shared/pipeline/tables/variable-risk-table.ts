import type { ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import {
  TREE_VARIABLE_COLUMNS,
  VARIABLE_RISK_COLUMNS,
  type VariableRiskRow,
  type VariableRiskTable,
} from '../../contracts/results/variable-risk-table.ts';
import { shareResolved } from '../../risk/attribute/release-error.ts';
import { VALUE_COLUMNS, type ValueRisk, valueAt } from '../../risk/attribute/value-risk.ts';
import { isGivenAway } from '../../risk/attribute/value-summary.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';
import { tableRows } from './table-rows.ts';

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);

/** Between the variables, and the values, of a set of several: `A; B`. */
const SEPARATOR = '; ';

/**
 * The table of a scenario, from what its parts tell of values.
 *
 * @param beside where the model is of trees, what is known beside
 */
export async function variableRiskTable(
  store: Store,
  context: ScenarioModel,
  values: Pick<ValueRisk, 'columns'>,
  beside: RowsBeside | null,
): Promise<VariableRiskTable> {
  const { scenario, table, numbers, space } = context;
  const { schema } = table;
  const { ofRecords, countOf, codesOf } = await tableRows(store, context);
  const { variables: asked } = askedVariables(space);
  const figure = (place: number, name: (typeof VALUE_COLUMNS)[number]) => valueAt(values, place, name);
  const places = Uint32Array.from(
    { length: values.columns.length / VALUE_COLUMNS.length },
    (_, place) => place,
  ).filter((place) => figure(place, 'values') > 0);
  const text = (variables: readonly number[], codes: ArrayLike<number>) =>
    variables.map((k) => categoryText(schema, k, codes[k]!) ?? 'NA').join(SEPARATOR);
  /** What a guess is: a code of the one variable, or a candidate that has values of all of them. */
  const guess = (variables: readonly number[], own: Uint16Array, code: number) => {
    const codes = own.slice();
    if (variables.length === 1) codes[variables[0]!] = code;
    else for (const change of candidateChanges(space, own, code)) codes[change.variable] = change.code;
    return text(variables, codes);
  };
  const row = (at: number): VariableRiskRow => {
    const place = places[at]!;
    const of = Math.floor(place / asked.length);
    const variables = asked[place % asked.length]!;
    const own = codesOf(of);
    return {
      number: (numbers?.[of] ?? of) + 1,
      count: countOf(of),
      variable: variables.map((k) => schema.variables[k]!.name).join(SEPARATOR),
      value: text(variables, own),
      categories: figure(place, 'values'),
      probability_before: figure(place, 'probabilityBefore'),
      probability_after: figure(place, 'probabilityAfter'),
      probability_se: figure(place, 'probabilitySe'),
      rank_before: figure(place, 'rankBefore'),
      rank_after: figure(place, 'rankAfter'),
      gain_bits: figure(place, 'gainBits'),
      uncertainty_resolved: shareResolved(figure(place, 'gainBits'), figure(place, 'lackedBits')),
      uncertainty_resolved_se: numberOrNull(figure(place, 'resolvedSe')),
      first_guess_before: guess(variables, own, figure(place, 'guessBefore')),
      first_guess_after: guess(variables, own, figure(place, 'guessAfter')),
      scenario: scenario.name,
      ofTrees: beside && {
        probability_fixed: beside.values.probabilityFixed[place]!,
        proven: beside.values.proven[place] === 1,
      },
    };
  };
  const gain = (at: number) => figure(places[at]!, 'gainBits');
  const givenAway = Uint32Array.from(places.keys())
    .filter((at) => {
      const place = places[at]!;
      return (
        asked[place % asked.length]!.length === 1 &&
        isGivenAway(
          figure(place, 'rankBefore'),
          figure(place, 'rankAfter'),
          figure(place, 'probabilityAfter'),
        )
      );
    })
    .sort((a, b) => gain(b) - gain(a) || a - b);
  return { rows: places.length, ofRecords, ofTrees: beside !== null, row, givenAway };
}

/**
 * The columns of `variable-risk.csv` and `.parquet`, named and ordered by the contract.
 *
 * @param from first row; `to` is past the last
 */
export function variableRiskColumns(table: VariableRiskTable, from: number, to: number): ParquetColumn[] {
  const rows = Array.from({ length: to - from }, (_, i) => table.row(from + i));
  const own = Object.entries(VARIABLE_RISK_COLUMNS).map(
    ([name, type]) =>
      ({
        name,
        type,
        values: rows.map((row) => row[name as keyof typeof VARIABLE_RISK_COLUMNS]),
      }) as ParquetColumn,
  );
  const number = table.ofRecords ? 'record' : 'combination';
  const ofTrees = Object.entries(table.ofTrees ? TREE_VARIABLE_COLUMNS : {}).map(
    ([name, type]) =>
      ({
        name,
        type,
        values: rows.map((row) => row.ofTrees![name as keyof typeof TREE_VARIABLE_COLUMNS]),
      }) as ParquetColumn,
  );
  return [{ name: number, type: 'int32', values: rows.map((row) => row.number) }, ...own, ...ofTrees];
}
