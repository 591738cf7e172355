import { CombinationIndex } from '../../table/combination-index.ts';
import type { Column, Table } from '../../table/table.ts';

/** Counts of a target's values among the records that share their keys, in a table and in a dataset of it. */
export interface KeyTargetPairs {
  /** Of each pair of keys and target that either has. */
  readonly keysOfPair: Uint32Array;
  readonly table: Uint32Array;
  readonly dataset: Uint32Array;
  /** Of each combination of keys that either has: all records with it. */
  readonly tableKeys: Uint32Array;
  readonly datasetKeys: Uint32Array;
  /** The pair of each record of the table. */
  readonly pairOfRecord: Uint32Array;
}

const codesOf = (column: Column) => {
  if (column.type !== 'categorical') throw new RangeError('a key or target is continuous');
  return column.codes;
};

/**
 * Counts keys and target in a table and in a dataset, in time proportional to their cells.
 *
 * @param keys indices of categorical variables
 * @param target index of another categorical variable
 * @throws RangeError for a continuous variable
 */
export function countPairs(table: Table, dataset: Table, keys: readonly number[], target: number): KeyTargetPairs {
  const combinations = new CombinationIndex(keys.length);
  const pairs = new CombinationIndex(keys.length + 1);
  const row = new Uint16Array(keys.length + 1);
  const number = ({ columns, records }: Table) => {
    const codes = [...keys, target].map((v) => codesOf(columns[v]!));
    const ofKeys = new Uint32Array(records);
    const ofPair = new Uint32Array(records);
    for (let record = 0; record < records; record++) {
      for (let j = 0; j < codes.length; j++) row[j] = codes[j]![record]!;
      ofKeys[record] = combinations.add(row, 0, 1);
      ofPair[record] = pairs.add(row, 0, 1);
    }
    return { ofKeys, ofPair };
  };
  const [own, other] = [number(table), number(dataset)];
  const keyCount = combinations.combinations().count;
  const pairCount = pairs.combinations().count;
  const tally = (numbers: Uint32Array, length: number) => {
    const counts = new Uint32Array(length);
    for (const one of numbers) counts[one]!++;
    return counts;
  };
  const keysOfPair = new Uint32Array(pairCount);
  for (const { ofKeys, ofPair } of [own, other]) {
    for (let record = 0; record < ofPair.length; record++) keysOfPair[ofPair[record]!] = ofKeys[record]!;
  }
  return {
    keysOfPair,
    table: tally(own.ofPair, pairCount),
    dataset: tally(other.ofPair, pairCount),
    tableKeys: tally(own.ofKeys, keyCount),
    datasetKeys: tally(other.ofKeys, keyCount),
    pairOfRecord: own.ofPair,
  };
}
