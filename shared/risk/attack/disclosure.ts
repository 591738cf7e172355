import type { DisclosureFigures } from '../../contracts/results/attack.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Column, Table } from '../../table/table.ts';

/** Counts of a target's values among the records that share their keys, in a table and in a dataset of it. */
export interface KeyTargetPairs {
  /** Of each pair of keys and target that either has. */
  readonly keysOfPair: Uint32Array;
  readonly targetOfPair: Uint32Array;
  readonly table: Uint32Array;
  readonly dataset: Uint32Array;
  /** Of each combination of keys that either has: all records with it. */
  readonly tableKeys: Uint32Array;
  readonly datasetKeys: Uint32Array;
  readonly pairOfRecord: Uint32Array;
}

const codesOf = (column: Column) => {
  if (column.type !== 'categorical') throw new RangeError('a key or target is continuous');
  return column.codes;
};

/** Counts keys and target in a table and in a dataset, in time proportional to their cells; RangeError for a continuous one. */
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
    return { ofKeys, ofPair, ofTarget: codes.at(-1)! };
  };
  const [ofTable, ofDataset] = [number(table), number(dataset)];
  const keyCount = combinations.combinations().count;
  const pairCount = pairs.combinations().count;
  const tally = (numbers: Uint32Array, length: number) => {
    const counts = new Uint32Array(length);
    for (const one of numbers) counts[one]!++;
    return counts;
  };
  const keysOfPair = new Uint32Array(pairCount);
  const targetOfPair = new Uint32Array(pairCount);
  for (const { ofKeys, ofPair, ofTarget } of [ofTable, ofDataset]) {
    for (let record = 0; record < ofPair.length; record++) {
      keysOfPair[ofPair[record]!] = ofKeys[record]!;
      targetOfPair[ofPair[record]!] = ofTarget[record]!;
    }
  }
  return {
    keysOfPair,
    targetOfPair,
    table: tally(ofTable.ofPair, pairCount),
    dataset: tally(ofDataset.ofPair, pairCount),
    tableKeys: tally(ofTable.ofKeys, keyCount),
    datasetKeys: tally(ofDataset.ofKeys, keyCount),
    pairOfRecord: ofTable.ofPair,
  };
}

/** synthpop's measures of one target in one dataset, and what they say of each record of the table. */
export interface Disclosure {
  readonly figures: DisclosureFigures;
  /** Share of the dataset's rows with the record's keys that have its value; 0 where there are none (CAP). */
  readonly cap: Float64Array;
  /** 1 for a record whose keys the dataset has with its value alone. */
  readonly disclosed: Uint8Array;
  /** 1 for a record that is alone with its keys in the table, where one row of the dataset has them. */
  readonly replicated: Uint8Array;
}

/**
 * The disclosure measures of synthpop's `disclosure` (Raab, Nowok and Dibben 2024), as shares of records, nothing
 * excluded, by the names of the vignette of 1.9-3: TCAP is that of Little et al. (2022), and what earlier versions
 * printed as TCAP is TCAP_alt. UiO, UiS, UiOiS and repU depend on the keys alone.
 *
 * @param table, dataset with at least one record each
 * @param keys indices of categorical variables; those of a continuous one in bands
 */
export function discloseTarget(table: Table, dataset: Table, keys: readonly number[], target: number): Disclosure {
  const pairs = countPairs(table, dataset, keys, target);
  const { pairOfRecord, keysOfPair, dataset: inDataset, tableKeys, datasetKeys } = pairs;
  const cap = new Float64Array(table.records);
  const disclosed = new Uint8Array(table.records);
  const replicated = new Uint8Array(table.records);
  for (let record = 0; record < table.records; record++) {
    const pair = pairOfRecord[record]!;
    const key = keysOfPair[pair]!;
    const rows = datasetKeys[key]!;
    cap[record] = rows === 0 ? 0 : inDataset[pair]! / rows;
    disclosed[record] = Number(rows > 0 && inDataset[pair] === rows);
    replicated[record] = Number(rows === 1 && tableKeys[key] === 1);
  }
  const figures = { ...identityFigures(pairs, table, dataset), ...attributeFigures(pairs, table, dataset) };
  return { figures: { ...figures, baseCAPd: baseCap(table, target) }, cap, disclosed, replicated };
}

function identityFigures({ tableKeys, datasetKeys }: KeyTargetPairs, { records }: Table, { records: rows }: Table) {
  let [uniques, datasetUniques, foundUniques, replicated] = [0, 0, 0, 0];
  for (let key = 0; key < tableKeys.length; key++) {
    if (datasetKeys[key] === 1) datasetUniques++;
    if (tableKeys[key] !== 1) continue;
    uniques++;
    if (datasetKeys[key]! > 0) foundUniques++;
    if (datasetKeys[key] === 1) replicated++;
  }
  return { UiO: uniques / records, UiS: datasetUniques / rows, UiOiS: foundUniques / records, repU: replicated / records };
}

function attributeFigures(pairs: KeyTargetPairs, { records: tableRecords }: Table, { records: datasetRows }: Table) {
  const { keysOfPair, tableKeys, datasetKeys } = pairs;
  // Keys with a single value of the target in the dataset, or that it does not have.
  const single = new Uint8Array(tableKeys.length);
  const sums = { Dorig: 0, Dsyn: 0, DiS: 0, DiSCO: 0, DiSDiO: 0, CAPd: 0, CAPs: 0, DCAP: 0 };
  for (let pair = 0; pair < keysOfPair.length; pair++) {
    const key = keysOfPair[pair]!;
    if (pairs.dataset[pair] === datasetKeys[key]) single[key] = 1;
  }
  let [inDataset, maxDenom, disclosingPairs] = [0, 0, 0];
  for (let pair = 0; pair < keysOfPair.length; pair++) {
    const key = keysOfPair[pair]!;
    const [records, rows] = [pairs.table[pair]!, pairs.dataset[pair]!];
    const [recordsWithKeys, rowsWithKeys] = [tableKeys[key]!, datasetKeys[key]!];
    const inOneValue = records > 0 && records === recordsWithKeys;
    if (inOneValue) sums.Dorig += records;
    if (records > 0) sums.CAPd += (records * records) / recordsWithKeys;
    if (rowsWithKeys === 0) continue;
    inDataset += records;
    sums.CAPs += (rows * rows) / rowsWithKeys;
    sums.DCAP += (records * rows) / rowsWithKeys;
    if (single[key] === 0) continue;
    sums.Dsyn += rows;
    sums.DiS += records;
    if (rows === 0 || records === 0) continue;
    sums.DiSCO += records;
    disclosingPairs++;
    if (records > maxDenom) maxDenom = records;
    if (inOneValue) sums.DiSDiO += records;
  }
  return {
    Dorig: sums.Dorig / tableRecords,
    Dsyn: sums.Dsyn / datasetRows,
    iS: inDataset / tableRecords,
    DiS: sums.DiS / tableRecords,
    DiSCO: sums.DiSCO / tableRecords,
    DiSDiO: sums.DiSDiO / tableRecords,
    maxDenom,
    meanDenom: disclosingPairs === 0 ? null : sums.DiSCO / disclosingPairs,
    CAPd: sums.CAPd / tableRecords,
    CAPs: sums.CAPs / datasetRows,
    DCAP: sums.DCAP / tableRecords,
    TCAP_alt: inDataset === 0 ? null : sums.DiSCO / inDataset,
    TCAP: sums.DiS === 0 ? null : sums.DiSCO / sums.DiS,
  };
}

/** How often a guess is right that is drawn from the table's own distribution of the target, nothing else known. */
function baseCap({ schema, columns, records }: Table, target: number): number {
  const variable = schema.variables[target]!;
  const column = columns[target]!;
  if (variable.type !== 'categorical' || column.type !== 'categorical') throw new RangeError('continuous target');
  const counts = new Float64Array(variable.categories.length);
  for (const code of column.codes) counts[code]!++;
  return counts.reduce((sum, count) => sum + (count / records) * (count / records), 0);
}
