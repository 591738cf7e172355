import type { RandomSource } from '../random/random-source.ts';
import type { Column } from '../table/table.ts';

/**
 * For each record, the one whose values it gets: pairs drawn by chance among the records of a stratum trade places. Of an
 * odd number the last one trades with one that has already; one that is alone keeps what it has.
 *
 * @param strata columns on which the records of a stratum agree; none for a single stratum
 */
export function swapsWithinStrata(random: RandomSource, records: number, strata: readonly Column[]): Uint32Array {
  const members = new Map<string, number[]>();
  for (let record = 0; record < records; record++) {
    const key = strata.map((column) => valueAt(column, record)).join(' ');
    const stratum = members.get(key);
    if (stratum) stratum.push(record);
    else members.set(key, [record]);
  }
  const donor = Uint32Array.from({ length: records }, (_, record) => record);
  for (const stratum of members.values()) swapPairs(random, stratum, donor);
  return donor;
}

function swapPairs(random: RandomSource, stratum: number[], donor: Uint32Array): void {
  for (let place = stratum.length - 1; place > 0; place--) {
    const other = random.below(place + 1);
    [stratum[place], stratum[other]] = [stratum[other]!, stratum[place]!];
  }
  for (let place = 0; place < stratum.length; place += 2) {
    if (stratum.length === 1) return;
    const first = stratum[place]!;
    const second = stratum[place + 1] ?? stratum[random.below(place)]!;
    [donor[first], donor[second]] = [donor[second]!, donor[first]!];
  }
}

const valueAt = (column: Column, record: number) => (column.type === 'continuous' ? column.values[record]! : column.codes[record]!);
