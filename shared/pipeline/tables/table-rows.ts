import type { RunModel } from '../../artifacts/run-context.ts';
import { readRecordTable } from '../../artifacts/stored-columns.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { RiskRows } from '../../contracts/results/attribute-risk-table.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { distinctRows, uniqueCombinations } from '../../table/distinct-rows.ts';
import { guessedColumns } from '../../table/guessed-columns.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';

/** The rows of the risk tables of a run, numbered from 0. */
export interface TableRows {
  /** Whether they are records, and else combinations. */
  readonly ofRecords: boolean;
  readonly combinationOf: (row: number) => number;
  /** Records of a row. */
  readonly countOf: (row: number) => number;
  /** Codes of the variables that candidates are of. */
  readonly codesOf: (row: number) => Uint16Array;
  /** All variables of the confidential table. */
  readonly variables: RiskRows['variables'];
}

/** The rows of a run of one scenario. */
export async function tableRows(store: Store, { plan, table, synthesized }: RunModel): Promise<TableRows> {
  const records = synthesized && (await readRecordTable(store, plan));
  if (records && factsOf(plan.config.model).fits === 'records') {
    return treeRows(records, guessedColumns(plan.config, records));
  }
  const { schema, combinations } = table;
  const combinationOfRecord = records && uniqueCombinations(records).combinationOfRecord;
  const combinationOf = (row: number) => combinationOfRecord?.[row] ?? row;
  const codesOf = (row: number) => {
    const from = combinationOf(row) * combinations.variables;
    return combinations.codes.subarray(from, from + combinations.variables);
  };
  return {
    ofRecords: combinationOfRecord !== null,
    combinationOf,
    countOf: (row) => (combinationOfRecord ? 1 : combinations.counts[row]!),
    codesOf,
    variables: schema.variables.map(({ name }, k) => ({ name, text: (row) => categoryText(schema, k, codesOf(row)[k]!) })),
  };
}

/** Records some of whose kept variables may be continuous. */
function treeRows(records: Table, guessed: Table): TableRows {
  const { rowOfRecord } = distinctRows(records);
  const codes = recordCodes(guessed.columns, 0, guessed.records);
  const width = guessed.columns.length;
  return {
    ofRecords: true,
    combinationOf: (row) => rowOfRecord[row]!,
    countOf: () => 1,
    codesOf: (row) => codes.subarray(row * width, (row + 1) * width),
    variables: recordVariables(records),
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
