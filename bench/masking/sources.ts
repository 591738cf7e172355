import { standardizedPoints } from '../../shared/masking/standardized-points.ts';
import { fitCart } from '../../shared/model/cart/synthesis.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeFromOwnClass } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { sortedOrder } from '../../shared/numeric/sorted-order.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { values } from './attack.ts';

/** Datasets whose rows belong to the records: sequential trees for all variables but the one that is kept. */
export function cartDatasets(table: Table, kept: number, seeds: readonly number[]): Table[] {
  const synthesized = [...table.columns.keys()].filter((v) => v !== kept);
  const settings = { synthesized, predictors: 'kept', minimumLeaf: 5, complexity: 1e-8, smoothing: false };
  const model = fitCart(table, settings as Parameters<typeof fitCart>[1]);
  return seeds.map((seed) => {
    const columns = [...table.columns];
    const drawn = model.synthesize(new RandomStream(seed, 'masking/cart'));
    for (const [place, column] of drawn.entries()) columns[synthesized[place]!] = column;
    return { ...table, columns };
  });
}

/** Iterations of the DPMPM before the first dataset, and between two of them. */
const BURN_IN = 2000;
const SPACING = 500;

/**
 * Datasets of a DPMPM fitted to variables that were cut into bands of equally many records: each record is drawn anew from
 * its own class, and a value uniformly from the least to the largest of its band.
 */
export function dpmpmDatasets(table: Table, bands: number, seeds: readonly number[]): Table[] {
  const variables = table.columns.length;
  const cut = [...table.columns.keys()].map((v) => quantileBands(values(table, v), bands));
  const codes = new Uint16Array(table.records * variables);
  for (const [v, { bandOf }] of cut.entries())
    for (let record = 0; record < table.records; record++) codes[record * variables + v] = bandOf[record]!;
  const ofRecords = combinationsFromCodes(codes, table.records, variables);
  const sizes = cut.map(({ ends }) => ends.length);
  const model = createDpmpm(ofRecords.combinations, sizes, { classes: 40, concentration: { shape: 0.25, rate: 0.25 } });
  const random = new RandomStream(seeds[0]!, 'masking/dpmpm');
  let state = model.step(model.init(random), random, BURN_IN);
  return seeds.map((seed) => {
    state = model.step(state, random, SPACING);
    const stream = new RandomStream(seed, 'masking/dpmpm/dataset');
    const drawn = synthesizeFromOwnClass(state, ofRecords, { sizes, synthesized: [...sizes.keys()] }, stream);
    const columns = drawn.map((bandCodes, v) => ({
      type: 'continuous' as const,
      values: Float64Array.from(bandCodes, (band) => {
        const [low, high] = cut[v]!.ends[band]!;
        return Math.round(low + stream.uniform() * (high - low));
      }),
    }));
    return { ...table, columns };
  });
}

/** Bands of equally many records; equal values are in one band. */
function quantileBands(column: Float64Array, bands: number) {
  const order = sortedOrder(column);
  const bandOf = new Uint16Array(column.length);
  const ends: [number, number][] = [];
  for (const [rank, record] of order.entries()) {
    const value = column[record]!;
    const previous = ends.at(-1);
    const isNew = previous === undefined || (rank >= (ends.length * column.length) / bands && value > previous[1]);
    if (isNew) ends.push([value, value]);
    else previous[1] = value;
    bandOf[record] = ends.length - 1;
  }
  return { bandOf, ends };
}

/** Near records of which one is drawn. */
const NEIGHBOURS = 20;

/**
 * A population of which the table is a sample: its records, and others between a record and one of the 20 nearest to it, in
 * whole numbers as the table has them.
 *
 * @param times how many times as many records
 */
export function populationOf(table: Table, times: number, seed: number): Table {
  const { records } = table;
  const variables = table.columns.length;
  const points = standardizedPoints([...table.columns.keys()].map((v) => values(table, v)));
  const nearest = Array.from({ length: records }, (_, record) => {
    const distances = Float64Array.from({ length: records }, (_, other) => {
      let sum = 0;
      for (let v = 0; v < variables; v++) sum += (points[record * variables + v]! - points[other * variables + v]!) ** 2;
      return sum;
    });
    return sortedOrder(distances).slice(1, NEIGHBOURS + 1);
  });
  const random = new RandomStream(seed, 'masking/population');
  const columns = table.columns.map(() => new Float64Array(times * records));
  for (let i = 0; i < times * records; i++) {
    const record = i % records;
    const other = nearest[record]![random.below(NEIGHBOURS)]!;
    const share = i < records ? 0 : random.uniform();
    for (let v = 0; v < variables; v++) {
      const [from, to] = [values(table, v)[record]!, values(table, v)[other]!];
      columns[v]![i] = Math.round(from + share * (to - from));
    }
  }
  return { schema: table.schema, records: times * records, columns: columns.map((column) => ({ type: 'continuous', values: column })) };
}
