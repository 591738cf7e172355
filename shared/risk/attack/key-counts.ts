import type { KeyCounts } from '../../contracts/results/attack.ts';
import { LN2, log } from '../../numeric/portable-math.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import { chosenRecords, chosenVariables, type Table } from '../../table/table.ts';
import { dataIntrusionSimulation, disScores, minimalUniques, populationUniqueness } from './minimal-uniques.ts';

/** Numbers of records for which k-anonymity is judged, as sdcMicro prints it. */
const ANONYMITY = [2, 3, 5];

/** What sdcMicro counts of the keys of a file, and what it says of each record. */
export interface CountedKeys {
  readonly figures: Omit<KeyCounts, 'diversity'>;
  /** Records that share the keys of each, itself included. */
  readonly counts: Uint32Array;
  readonly risks: Float64Array;
  readonly sudaScores: Float64Array;
  readonly disSudaScores: Float64Array;
}

/** How records are weighed, and how far minimal sample uniques are sought. */
export interface KeySettings {
  /** For individual risk; null where the table stands for the population. */
  readonly samplingFraction: number | null;
  readonly disFraction: number;
  readonly subsetSize: number;
}

/**
 * Sample uniques, k-anonymity, individual risk and SUDA scores of the keys of a file.
 *
 * @param keys indices of categorical variables, at most 30
 */
export function countKeys(table: Table, keys: readonly number[], settings: KeySettings): CountedKeys {
  const { samplingFraction, disFraction, subsetSize } = settings;
  const keyColumns = chosenVariables(table, keys);
  const { rowOfRecord, counts: rowCounts } = distinctRows(keyColumns);
  const counts = rowOfRecord.map((row) => rowCounts[row]!);
  const risks = Float64Array.from(counts, (count) => individualRisk(count, samplingFraction));

  const places = new Uint32Array(rowCounts.length);
  for (let record = 0; record < table.records; record++) places[rowOfRecord[record]!] = record;
  const uniquesByRow = minimalUniques(chosenRecords(keyColumns, places), rowCounts, subsetSize);
  const sudaScores = Float64Array.from(rowOfRecord, (row) => uniquesByRow.scores[row]!);
  const uniques = tally(counts, (count) => count === 1);
  const fraction = { uniques, inPairs: tally(counts, (count) => count === 2), fraction: disFraction };
  const disSudaScores = disScores(sudaScores, keys.length, fraction);
  const dis = dataIntrusionSimulation(uniques, fraction.inPairs, disFraction);
  const expected = sum(risks);
  const figures: CountedKeys['figures'] = {
    sampleUniques: uniques,
    k: rowCounts.reduce((least, count) => Math.min(least, count), table.records),
    violations: ANONYMITY.map((k) => {
      const records = tally(counts, (count) => count < k);
      return { k, records, share: records / table.records };
    }),
    surprisal: surprisalOf(rowCounts, table.records),
    populationUniqueness: populationUniqueness(rowCounts, disFraction),
    individualRisk: { mean: expected / table.records, max: maximum(risks), expected },
    suda: {
      subsetSize,
      minimalSampleUniques: uniquesByRow.bySize,
      records: tally(sudaScores, (score) => score > 0),
      scoreMean: sum(sudaScores) / table.records,
      scoreMax: maximum(sudaScores),
      dis,
      ...(dis === null ? { reason: 'No record is alone with its keys, and none shares them with one other.' } : {}),
      disScoreMean: sum(disSudaScores) / table.records,
      disScoreMax: maximum(disSudaScores),
    },
  };
  return { figures, counts, risks, sudaScores, disSudaScores };
}

/** -log2 of the share of the records that share a record's keys (riskutility's `information_surprisal`). */
function surprisalOf(rowCounts: Uint32Array, records: number): { mean: number; max: number } {
  const bits = Float64Array.from(rowCounts, (count) => log(records / count) / LN2);
  return { mean: sum(bits.map((one, row) => (one * rowCounts[row]!) / records)), max: maximum(bits) };
}

function tally(values: Uint32Array | Float64Array, holds: (value: number) => boolean): number {
  let records = 0;
  for (const value of values) if (holds(value)) records++;
  return records;
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
const maximum = (values: Float64Array) => values.reduce((most, value) => Math.max(most, value), 0);

/**
 * The probability that a link to a record is right, for an intruder who knows its keys and that the person is in the
 * sample: Benedetti and Franconi (1998), as approximated by Franconi and Polettini (2004), the default of sdcMicro's
 * `indivRisk`.
 *
 * @param count of the table's records that share the keys, from 1
 * @param fraction of the population in the table; null where the table is the population
 */
export function individualRisk(count: number, fraction: number | null): number {
  if (fraction === null) return 1 / count;
  if (count > 2) return fraction / (count - (1 - fraction));
  const odds = fraction / (1 - fraction);
  const bits = -log(fraction);
  return count === 1 ? odds * bits : odds - odds * odds * bits;
}
