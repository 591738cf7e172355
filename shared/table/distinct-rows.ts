import { UnsupportedOptionError } from '../contracts/errors.ts';
import { inCommand, inList } from '../contracts/in-command.ts';
import { CombinationIndex } from './combination-index.ts';
import type { Combinations, CombinationsOfRecords } from './combinations.ts';
import { namesInText } from './names-in-text.ts';
import { chosenRecords, type Table } from './table.ts';

/** The combinations of a table without continuous variables (UnsupportedOptionError `continuous-variable`). */
export function uniqueCombinations(table: Table): CombinationsOfRecords {
  refuseContinuous(table);
  const columns = table.columns.map((column) => (column.type === 'categorical' ? column.codes : new Uint16Array(0)));
  const variables = columns.length;
  const index = new CombinationIndex(variables);
  const combinationOfRecord = new Uint32Array(table.records);
  const row = new Uint16Array(variables);
  for (let record = 0; record < table.records; record++) {
    for (let variable = 0; variable < variables; variable++) row[variable] = columns[variable]![record]!;
    combinationOfRecord[record] = index.add(row, 0, 1);
  }
  return { combinations: index.combinations(), combinationOfRecord };
}

/** Continuous variables that are described one by one. */
const MOST_DESCRIBED = 3;

/** Refuses a table with continuous variables, each of which has to become one of categories, or not to be there. */
function refuseContinuous({ schema, columns }: Table): void {
  const continuous = columns.flatMap((column, v) =>
    column.type === 'continuous' ? [{ name: schema.variables[v]!.name, values: column.values }] : [],
  );
  if (continuous.length === 0) return;
  const names = continuous.map(({ name }) => name);
  const first = names[0]!;
  const described =
    names.length > MOST_DESCRIBED
      ? [`Columns ${namesInText(names)} are numeric with many distinct values.`]
      : continuous.map(({ name, values }) => `Column \`${name}\` is numeric with ${new Set(values).size} distinct values.`);
  const each = names.length === 1 ? 'it' : 'each';
  throw new UnsupportedOptionError(
    'continuous-variable',
    `${described.join(' ')} Band ${each} (--breaks ${inCommand(`${first}=0,10,100`)}, where each band begins), declare ${each} categorical (--categorical ${inList(first)}), drop ${each} (--drop ${inList(first)}), or keep numbers as they are: --model mixed with --range ${inCommand(`${first}=0,100`)} (the lowest and the highest that can be), or --model cart. \`synthrisk plan TABLE --write-config run.yaml\` writes a config with bands to edit.`,
  );
}

/** A value as four codes, which are the same for equal numbers. */
export function codesOfValues(values: Float64Array): Uint16Array {
  // Zero has two signs, which make no difference.
  return new Uint16Array(values.map((value) => value + 0).buffer);
}

/**
 * Which distinct row each record has, numbered from 0 as they appear, how many records have each, and the rows themselves:
 * a continuous value is four codes, so that rows of tables of one schema can be compared code by code.
 */
export function distinctRows({ columns, records }: Table): { rowOfRecord: Uint32Array; counts: Uint32Array; rows: Combinations } {
  const parts = columns.map((column) =>
    column.type === 'categorical' ? { codes: column.codes, width: 1 } : { codes: codesOfValues(column.values), width: 4 },
  );
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  const index = new CombinationIndex(width);
  const row = new Uint16Array(width);
  const rowOfRecord = new Uint32Array(records);
  for (let record = 0; record < records; record++) {
    let at = 0;
    for (const part of parts) {
      for (let c = 0; c < part.width; c++) row[at++] = part.codes[record * part.width + c]!;
    }
    rowOfRecord[record] = index.add(row, 0, 1);
  }
  const rows = index.combinations();
  return { rowOfRecord, counts: rows.counts, rows };
}

/** Each distinct row of a table once, in the order in which they appear; the rest as {@link distinctRows} has it. */
export function distinctRecords(table: Table): { distinct: Table; rowOfRecord: Uint32Array; counts: Uint32Array } {
  const { rowOfRecord, counts } = distinctRows(table);
  const places = new Uint32Array(counts.length);
  for (let record = table.records - 1; record >= 0; record--) places[rowOfRecord[record]!] = record;
  return { distinct: chosenRecords(table, places), rowOfRecord, counts };
}

/** How many distinct rows a table has, continuous variables or not, and how many of these one record alone has. */
export function countDistinctRows(table: Table): { rows: number; sampleUniques: number } {
  const { counts } = distinctRows(table);
  return { rows: counts.length, sampleUniques: counts.filter((count) => count === 1).length };
}

/** The combinations of rows of codes: `codes` is `records` x `variables`, row-major (RangeError for another length). */
export function combinationsFromCodes(codes: Uint16Array, records: number, variables: number): CombinationsOfRecords {
  if (codes.length !== records * variables) {
    throw new RangeError(`expected ${records} x ${variables} codes, found ${codes.length}`);
  }
  const index = new CombinationIndex(variables);
  const combinationOfRecord = new Uint32Array(records);
  for (let record = 0; record < records; record++) {
    combinationOfRecord[record] = index.add(codes, record * variables, 1);
  }
  return { combinations: index.combinations(), combinationOfRecord };
}

/**
 * The combinations of two sets of records of as many variables put under each other, counts added: those of `a` in their
 * order, then those that only `b` has, in theirs.
 */
export function stackCombinations(a: Combinations, b: Combinations): Combinations {
  if (a.variables !== b.variables) {
    throw new RangeError(`cannot stack combinations of ${a.variables} and of ${b.variables} variables`);
  }
  const index = new CombinationIndex(a.variables);
  for (const { codes, counts, count } of [a, b]) {
    for (let combination = 0; combination < count; combination++) {
      index.add(codes, combination * a.variables, counts[combination]!);
    }
  }
  return index.combinations();
}

/** Which of some combinations rows of codes (rows x variables) are. Throws RangeError for a row that is none of them. */
export function findCombinations({ variables, codes, count }: Combinations, rows: Uint16Array): Uint32Array {
  const index = new CombinationIndex(variables);
  for (let combination = 0; combination < count; combination++) index.add(codes, combination * variables, 0);
  return Uint32Array.from({ length: rows.length / variables }, (_, row) => {
    const combination = index.add(rows, row * variables, 0);
    if (combination >= count) throw new RangeError(`row ${row + 1} is none of the combinations`);
    return combination;
  });
}

/** How many records have each of some rows of codes (rows x variables). */
export function countsOfRows({ variables, codes, count, counts }: Combinations, rows: Uint16Array): Uint32Array {
  const index = new CombinationIndex(variables);
  for (let combination = 0; combination < count; combination++) index.add(codes, combination * variables, 0);
  return Uint32Array.from({ length: rows.length / variables }, (_, row) => counts[index.find(rows, row * variables)] ?? 0);
}
