import type { Masking } from '../contracts/config/masking.ts';
import type { Stepwise } from '../contracts/stepwise.ts';
import { sortedOrder } from '../numeric/sorted-order.ts';
import { drawDistinct } from '../random/draw-distinct.ts';
import type { RandomSource } from '../random/random-source.ts';
import { normal } from '../random/ziggurat.ts';
import { type Column, chosenRecords, type Table } from '../table/table.ts';
import { mixtureNoise, withNoise } from './add-noise.ts';
import { withErrors } from './inject-errors.ts';
import { mdavGroups } from './mdav.ts';
import { aggregated, countGroups, rankingGroups } from './microaggregate.ts';
import { rankSwapped } from './rank-swap.ts';
import { standardizedPoints } from './standardized-points.ts';

/** What is masked of a table, by the places of variables. */
export interface MaskedVariables {
  /** Continuous variables that the method changes. */
  readonly variables: readonly number[];
  /** Categorical ones that are swapped, and the variables that make strata. */
  readonly swap: readonly number[];
  readonly strata: readonly number[];
}

/** A masked table, and what it was made from. */
export interface MaskedTable {
  /** The records that were drawn, as they are: what the masked table is held against. */
  readonly original: Table;
  /** Row i is record i of `original`. */
  readonly masked: Table;
  /** Of the confidential table, from 0: row i is record `rows[i]`. */
  readonly rows: Uint32Array;
  /** Of microaggregation: groups, of individual ranking those of every variable together. */
  readonly groups: number | null;
  /** Records that are alone in their stratum: with nobody to trade places with, they keep their categories. */
  readonly alone: number;
}

/**
 * Masks a table: draws the records that are released, masks their continuous variables and swaps categorical ones. What
 * is named in neither list stays as it is. Every number drawn is for a release, from streams that its key alone opens.
 *
 * @param open of the streams `mask/records`, `mask/values` and `mask/strata`
 * @returns stepwise: records that have been grouped, which MDAV alone takes time for
 */
export function* maskTable(
  table: Table,
  masking: Pick<Masking, 'how' | 'sample'>,
  { variables, swap, strata }: MaskedVariables,
  open: (name: string) => RandomSource,
): Stepwise<MaskedTable> {
  const { sample, how } = masking;
  const everyRow = () => Uint32Array.from({ length: table.records }, (_, record) => record);
  const rows = sample === null ? everyRow() : sampleRecords(open('mask/records'), table.records, sample);
  const original = sample === null ? table : chosenRecords(table, rows);
  const columns = [...original.columns];
  const values = variables.map((v) => continuousValues(columns[v]!));
  const { columns: changed, groups } = yield* maskColumns(how, values, open('mask/values'));
  for (const [place, v] of variables.entries()) columns[v] = { type: 'continuous', values: changed[place]! };
  let alone = 0;
  if (swap.length > 0) {
    const within = strata.map((v) => original.columns[v]!);
    const donors = swapsWithinStrata(open('mask/strata'), original.records, within);
    const donated = chosenRecords(original, donors);
    for (const v of swap) columns[v] = donated.columns[v]!;
    alone = donors.filter((donor, record) => donor === record).length;
  }
  return { original, masked: { ...original, columns }, rows, groups, alone };
}

function continuousValues(column: Column): Float64Array {
  if (column.type !== 'continuous') throw new RangeError('a categorical variable has no values to mask');
  return column.values;
}

type MaskedColumns = { readonly columns: readonly Float64Array[]; readonly groups: number | null };

function* maskColumns(how: Masking['how'], columns: readonly Float64Array[], random: RandomSource): Stepwise<MaskedColumns> {
  if (columns.length === 0) return { columns, groups: null };
  const each = (mask: (values: Float64Array) => Float64Array): MaskedColumns => ({ columns: columns.map(mask), groups: null });
  switch (how.method) {
    case 'individual-ranking': {
      const groups = columns.map((values) => rankingGroups(values, how.k));
      return {
        columns: columns.map((values, v) => aggregated(values, groups[v]!, how.aggregate)),
        groups: groups.reduce((sum, ofVariable) => sum + countGroups(ofVariable), 0),
      };
    }
    case 'mdav': {
      const groups = yield* mdavGroups(standardizedPoints(columns), columns.length, how.k);
      return { columns: columns.map((values) => aggregated(values, groups, 'mean')), groups: countGroups(groups) };
    }
    case 'rank-swap':
      return each((values) => rankSwapped(random, values, how.p));
    case 'noise':
      return { columns: withNoise(random, columns, how.noise, normal), groups: null };
    case 'noise-mixture':
      return { columns: withNoise(random, columns, how.noise, mixtureNoise(how.separation)), groups: null };
    case 'errors': {
      const right = columns.map((values): Column => ({ type: 'continuous', values }));
      return { columns: withErrors(random, right, how.errors).map(continuousValues), groups: null };
    }
    case 'top-code':
      return each((values) => topCoded(values, how.top));
    case 'sample':
      return { columns, groups: null };
  }
}

/** A share of the records, at least one, drawn without replacement, in the order of the table. */
export const sampleRecords = (random: RandomSource, records: number, share: number): Uint32Array =>
  drawDistinct(random, records, Math.max(1, Math.round(share * records))).sort();

/**
 * For each record, the one whose values it gets: pairs drawn by chance among the records of a stratum trade places. Of an
 * odd number the last one trades with one that has already; one that is alone keeps what it has.
 *
 * @param strata columns on which the records of a stratum agree; none for a single stratum
 */
function swapsWithinStrata(random: RandomSource, records: number, strata: readonly Column[]): Uint32Array {
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

/** Values of which those of the largest `top` percent of the records, at least one, are cut to the largest value below them. */
function topCoded(values: Float64Array, top: number): Float64Array {
  const { length } = values;
  const order = sortedOrder(values);
  const cut = Math.min(length - 1, Math.max(1, Math.round((top * length) / 100)));
  const threshold = values[order[length - cut - 1]!]!;
  return values.map((value) => Math.min(value, threshold));
}
