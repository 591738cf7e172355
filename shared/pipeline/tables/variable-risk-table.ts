import type { RunModel } from '../../artifacts/run-context.ts';
import { readRecordTable } from '../../artifacts/stored-columns.ts';
import {
  VARIABLE_RISK_COLUMNS,
  type VariableRiskRow,
  type VariableRiskTable,
} from '../../contracts/results/variable-risk-table.ts';
import { VALUE_COLUMNS, type ValueRisk } from '../../risk/attribute/value-risk.ts';
import { isGivenAway } from '../../risk/attribute/value-summary.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/** Between the variables, and the values, of a set of several: `A; B`. */
const SEPARATOR = '; ';

/** The table of a run of one scenario, from what its parts tell of values. */
export async function variableRiskTable(
  store: Store,
  { plan, table, numbers, space, synthesized }: RunModel,
  { columns }: Pick<ValueRisk, 'columns'>,
): Promise<VariableRiskTable> {
  const { schema, combinations } = table;
  const combinationOfRecord =
    synthesized && uniqueCombinations(await readRecordTable(store, plan)).combinationOfRecord;
  const { variables: asked } = askedVariables(space);
  const figure = (place: number, name: (typeof VALUE_COLUMNS)[number]) =>
    columns[place * VALUE_COLUMNS.length + VALUE_COLUMNS.indexOf(name)]!;
  const places = Uint32Array.from(
    { length: columns.length / VALUE_COLUMNS.length },
    (_, place) => place,
  ).filter((place) => figure(place, 'values') > 0);
  const codesOf = (of: number) => {
    const from = (combinationOfRecord?.[of] ?? of) * combinations.variables;
    return combinations.codes.subarray(from, from + combinations.variables);
  };
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
      count: combinationOfRecord ? 1 : combinations.counts[of]!,
      variable: variables.map((k) => schema.variables[k]!.name).join(SEPARATOR),
      value: text(variables, own),
      categories: figure(place, 'values'),
      probability_before: figure(place, 'probabilityBefore'),
      probability_after: figure(place, 'probabilityAfter'),
      probability_se: figure(place, 'probabilitySe'),
      rank_before: figure(place, 'rankBefore'),
      rank_after: figure(place, 'rankAfter'),
      gain_bits: figure(place, 'gainBits'),
      first_guess_before: guess(variables, own, figure(place, 'guessBefore')),
      first_guess_after: guess(variables, own, figure(place, 'guessAfter')),
      scenario: plan.config.attributeRisk.scenarios[0]!.name,
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
  return { rows: places.length, ofRecords: combinationOfRecord !== null, row, givenAway };
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
  return [{ name: number, type: 'int32', values: rows.map((row) => row.number) }, ...own];
}
