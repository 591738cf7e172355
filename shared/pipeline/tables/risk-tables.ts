import type { OfScenario, RunModel, ScenarioModel } from '../../artifacts/run-context.ts';
import type { FigurePart, RowsBeside } from '../../artifacts/stored-part.ts';
import { readRecordTable } from '../../artifacts/stored-table.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { RiskRows } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { ValueRows } from '../../contracts/results/tables/variable-risk-table.ts';
import { isDistinguishable } from '../../risk/attribute/attribute-summary.ts';
import { shareResolved } from '../../risk/attribute/release-error.ts';
import { isGivenAway, VALUE_COLUMNS, type ValueRisk, valueAt } from '../../risk/attribute/value-risk.ts';
import { candidateChanges, considerCandidates, ranksCandidates } from '../../risk/intruder/candidate-space.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { distinctRows, uniqueCombinations } from '../../table/distinct-rows.ts';
import { guessedColumns } from '../../table/guessed-columns.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import { askedSets } from './continuous-rows.ts';

/** Between the variables, or values, of what is about several: `A; B`. */
export const SEPARATOR = '; ';

/** The rows of the risk tables of a run, numbered from 0. */
export interface TableRows {
  /** Whether they are records, and else combinations. */
  readonly ofRecords: boolean;
  /** Number (from 0) of its combination in the table of the run. */
  readonly combinationOf: (row: number) => number;
  /** Records of a row. */
  readonly countOf: (row: number) => number;
  /** Codes of the variables that candidates are of. */
  readonly codesOf: (row: number) => Uint16Array;
  /** All variables of the confidential table. */
  readonly variables: RiskRows['variables'];
}

/** The rows of a run of one scenario. */
export async function tableRows(store: Store, context: RunModel & Partial<Pick<OfScenario, 'numbers'>>): Promise<TableRows> {
  const { plan, table, synthesized, numbers } = context;
  const records = synthesized && (await readRecordTable(store, plan));
  if (records && factsOf(plan.config.model).fits === 'records') {
    return treeRows(records, guessedColumns(plan.config, records), numbers);
  }
  const { schema, combinations } = table;
  const combinationOfRecord = records && uniqueCombinations(records).combinationOfRecord;
  const placeOf = (row: number) => combinationOfRecord?.[row] ?? row;
  const codesOf = (row: number) => {
    const from = placeOf(row) * combinations.variables;
    return combinations.codes.subarray(from, from + combinations.variables);
  };
  return {
    ofRecords: combinationOfRecord !== null,
    combinationOf: (row) => numbers?.[row] ?? placeOf(row),
    countOf: (row) => (combinationOfRecord ? 1 : combinations.counts[row]!),
    codesOf,
    variables: schema.variables.map(({ name }, k) => ({ name, text: (row) => categoryText(schema, k, codesOf(row)[k]!) })),
  };
}

/**
 * Records some of whose variables may be continuous.
 *
 * @param numbers of the records (from 0) that are rows; all if left out
 */
function treeRows(records: Table, guessed: Table, numbers?: Uint32Array): TableRows {
  const recordOf = (row: number) => numbers?.[row] ?? row;
  const { rowOfRecord } = distinctRows(records);
  const codes = recordCodes(guessed.columns, 0, guessed.records);
  const width = guessed.columns.length;
  return {
    ofRecords: true,
    combinationOf: (row) => rowOfRecord[recordOf(row)]!,
    countOf: () => 1,
    codesOf: (row) => codes.subarray(recordOf(row) * width, (recordOf(row) + 1) * width),
    variables: recordVariables(records).map(({ name, text }) => ({ name, text: (row) => text(recordOf(row)) })),
  };
}

/** The variables of records, some of which may be continuous. */
export function recordVariables({ schema, columns }: Table): RiskRows['variables'] {
  return schema.variables.map(({ name }, v) => {
    const column = columns[v]!;
    return {
      name,
      text: (row) => (column.type === 'categorical' ? categoryText(schema, v, column.codes[row]!) : numberText(column.values[row]!)),
    };
  });
}

/** A number as a cell; a missing one is empty. */
const numberText = (value: number) => (Number.isNaN(value) ? null : String(value));

/** The number of candidates of each combination, or null where all have as many. */
export function candidateNumbers({ plan, table, space, support, synthesized, densities }: ScenarioModel): Uint32Array | null {
  if (space.kind === 'all-cells' || (synthesized !== null && densities === undefined)) return null;
  const codes = densities
    ? recordCodes(guessedColumns(plan.config, densities.records).columns, 0, densities.records.records)
    : table.combinations.codes;
  const considered = considerCandidates(space, codes, support);
  return considered ? Uint32Array.from(considered, ({ length }) => length) : null;
}

/** What makes rows of a scenario from the figures of some of them, which follow each other from `from` (from 0) on. */
export async function attributeRiskRows(
  store: Store,
  context: ScenarioModel,
  paretoKThreshold: number,
  beside: RowsBeside | null,
): Promise<(part: Pick<FigurePart, 'from' | 'figures'>) => RiskRows> {
  const { scenario, table, space, numbers } = context;
  const { schema } = table;
  const { ofRecords, codesOf, combinationOf, countOf, variables } = await tableRows(store, context);
  const own = candidateNumbers(context);
  const nameOf = (variable: number) => schema.variables[variable]!.name;
  const isRanked = ranksCandidates(space);
  return ({ from, figures }) => {
    const rows = figures.rank.length;
    const candidatesOf = (row: number) => own?.[from + row] ?? space.perCombination;
    return {
      rows,
      ofRecords,
      scenario: scenario.name,
      figures,
      paretoKThreshold,
      beside: beside && {
        probabilityFixed: beside.probabilityFixed.subarray(from, from + rows),
        proven: beside.proven.subarray(from, from + rows),
      },
      candidatesOf,
      isRanked,
      countOf: (row) => countOf(from + row),
      combinationOf: (row) => combinationOf(from + row) + 1,
      recordOf: (row) => (numbers?.[from + row] ?? from + row) + 1,
      variables: variables.map(({ name, text }) => ({ name, text: (row) => text(from + row) })),
      guessOf: (row, what) => {
        const changes = candidateChanges(space, codesOf(from + row), figures.firstGuess[row]!).map(({ variable, code }) =>
          what === 'variable' ? nameOf(variable) : (categoryText(schema, variable, code) ?? 'NA'),
        );
        return changes.length === 0 ? null : changes.join(SEPARATOR);
      },
      isDistinguishable: (row) => isDistinguishable(figures.rankLow[row]!, figures.rankHigh[row]!, candidatesOf(row)),
    };
  };
}

/** What is known of the values of some rows: their columns as `ValueRisk` has them, and which rows they are. */
export interface SomeValues extends Pick<ValueRisk, 'columns'> {
  readonly rowAt: (place: number) => number;
}

/** What makes rows of the values of a scenario from those of some of its own rows. */
export async function variableRiskRows(
  store: Store,
  context: ScenarioModel,
  beside: RowsBeside | null,
): Promise<(values: SomeValues) => ValueRows> {
  const { scenario, table, numbers, space } = context;
  const { schema } = table;
  const { ofRecords, countOf, codesOf } = await tableRows(store, context);
  const { variables: asked, count: width } = askedSets(context);
  const valueText = (variable: number, code: number) => categoryText(schema, variable, code) ?? 'NA';
  const text = (variables: readonly number[], codes: ArrayLike<number>) => variables.map((k) => valueText(k, codes[k]!)).join(SEPARATOR);
  const names = asked.map((variables) => variables.map((k) => schema.variables[k]!.name).join(SEPARATOR));
  return (values) => {
    const places = Uint32Array.from({ length: values.columns.length / VALUE_COLUMNS.length }, (_, place) => place).filter(
      (place) => place % width < asked.length && valueAt(values, place, 'values') > 0,
    );
    const figure = (row: number, name: (typeof VALUE_COLUMNS)[number]) => valueAt(values, places[row]!, name);
    const recordOf = (row: number) => values.rowAt(Math.floor(places[row]! / width));
    const variablesOf = (row: number) => asked[places[row]! % width]!;
    return {
      rows: places.length,
      ofRecords,
      scenario: scenario.name,
      figure,
      givenAway: () =>
        Uint32Array.from(places.keys())
          .filter(
            (row) =>
              variablesOf(row).length === 1 &&
              isGivenAway(figure(row, 'rankBefore'), figure(row, 'rankAfter'), figure(row, 'probabilityAfter')),
          )
          .sort((a, b) => figure(b, 'gainBits') - figure(a, 'gainBits') || a - b),
      numberOf: (row) => (numbers?.[recordOf(row)] ?? recordOf(row)) + 1,
      countOf: (row) => countOf(recordOf(row)),
      variableOf: (row) => names[places[row]! % width]!,
      valueOf: (row) => text(variablesOf(row), codesOf(recordOf(row))),
      resolvedOf: (row) => {
        const se = figure(row, 'resolvedSe');
        return { share: shareResolved(figure(row, 'gainBits'), figure(row, 'lackedBits')), se: Number.isNaN(se) ? null : se };
      },
      guessOf: (row, when) => {
        // A code of the one variable, or a candidate that has values of all of them.
        const variables = variablesOf(row);
        const guess = figure(row, when);
        if (variables.length === 1) return valueText(variables[0]!, guess);
        const own = codesOf(recordOf(row));
        const codes = own.slice();
        for (const { variable, code } of candidateChanges(space, own, guess)) codes[variable] = code;
        return text(variables, codes);
      },
      beside:
        beside &&
        ((row) => {
          const place = recordOf(row) * width + (places[row]! % width);
          return { probabilityFixed: beside.values.probabilityFixed[place]!, proven: beside.values.proven[place] === 1 };
        }),
    };
  };
}
