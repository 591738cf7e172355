import { log1p } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Support } from '../../table/support/support.ts';

/** Parameters of a mixture of products: weights by class, probabilities categories x classes. */
interface Mixture {
  readonly weights: Float64Array;
  readonly probabilities: Float64Array;
}

/** Log of the probability that something does not happen, of which the probability is known up to rounding. */
const logAbsence = (probability: number) => (probability < 1 ? log1p(-probability) : -Infinity);

const uniqueRows = ({ counts }: Combinations) => [...counts.keys()].filter((c) => counts[c] === 1);

/**
 * Logs of the probability that one row of a fully synthetic dataset is not a combination that one record alone has, for
 * each of these in the order of the table.
 *
 * @param sizes number of categories of each variable; a code beyond is missing, and is never drawn
 * @param support the possible cells, when some are not: the mixture is truncated to them
 */
export function rowAbsences(table: Combinations, sizes: readonly number[], support?: Support): (draw: Mixture) => Float64Array {
  const offsets = categoryOffsets(sizes);
  const rows = uniqueRows(table);
  const all = [...sizes.keys()];
  return (draw) => {
    const possible = support ? possibleMass(draw, support, offsets) : 1;
    return Float64Array.from(rows, (row) => {
      const products = Float64Array.from(draw.weights);
      const isWhole = multiply(products, draw, { table, row, offsets }, all);
      return isWhole ? logAbsence(total(products) / possible) : 0;
    });
  };
}

/**
 * Logs of the probability that a partially synthetic dataset does not hold a combination that one record alone has. A row
 * has the class of its record, given all its values, and synthesized values from this class; the combination comes from
 * its own row or from those that share its kept values, each with the mean probability of these rows.
 *
 * @param synthesized indices of the synthesized variables
 */
export function datasetAbsences(
  table: Combinations,
  sizes: readonly number[],
  synthesized: readonly number[],
): (draw: Mixture) => Float64Array {
  const offsets = categoryOffsets(sizes);
  const all = [...sizes.keys()];
  const kept = all.filter((v) => !synthesized.includes(v));
  const rows = uniqueRows(table);
  const groups = new CombinationIndex(kept.length);
  const groupOf = Uint32Array.from({ length: table.count }, (_, row) =>
    groups.add(
      Uint16Array.from(kept, (v) => table.codes[row * table.variables + v]!),
      0,
      table.counts[row]!,
    ),
  );
  const { counts: groupSizes } = groups.combinations();
  return (draw) => {
    const classes = draw.weights.length;
    const classShares = new Float64Array(table.count * classes);
    const groupShares = new Float64Array(groupSizes.length * classes);
    for (let row = 0; row < table.count; row++) {
      const shares = classShares.subarray(row * classes, (row + 1) * classes);
      shares.set(draw.weights);
      multiply(shares, draw, { table, row, offsets }, all);
      const sum = total(shares);
      const start = groupOf[row]! * classes;
      for (let f = 0; f < classes; f++) {
        shares[f] = sum > 0 ? shares[f]! / sum : draw.weights[f]!;
        groupShares[start + f]! += table.counts[row]! * shares[f]!;
      }
    }
    const products = new Float64Array(classes);
    return Float64Array.from(rows, (row) => {
      const group = groupOf[row]!;
      products.fill(1);
      if (!multiply(products, draw, { table, row, offsets }, synthesized)) return 0;
      let [ownRow, wholeGroup] = [0, 0];
      for (let f = 0; f < classes; f++) {
        ownRow += classShares[row * classes + f]! * products[f]!;
        wholeGroup += groupShares[group * classes + f]! * products[f]!;
      }
      const others = groupSizes[group]! - 1;
      const otherRow = others > 0 ? Math.max(0, wholeGroup - ownRow) / others : 0;
      return logAbsence(ownRow) + (others > 0 ? others * logAbsence(otherRow) : 0);
    });
  };
}

/** A row of a table, with where the categories of each variable begin. */
interface RowOfTable {
  readonly table: Combinations;
  readonly row: number;
  readonly offsets: Uint32Array;
}

/** Multiplies by the probabilities of a row's values in some variables; missing ones are left out. Whether none is. */
function multiply(
  products: Float64Array,
  { probabilities }: Mixture,
  { table, row, offsets }: RowOfTable,
  variables: readonly number[],
): boolean {
  const classes = products.length;
  let isWhole = true;
  for (const v of variables) {
    const category = offsets[v]! + table.codes[row * table.variables + v]!;
    if (category >= offsets[v + 1]!) {
      isWhole = false;
      continue;
    }
    for (let f = 0; f < classes; f++) products[f]! *= probabilities[category * classes + f]!;
  }
  return isWhole;
}

const total = (products: Float64Array) => products.reduce((sum, product) => sum + product, 0);

function possibleMass({ weights, probabilities }: Mixture, support: Support, offsets: Uint32Array): number {
  const classes = weights.length;
  let mass = 0;
  for (const box of support.possible) {
    for (let f = 0; f < classes; f++) {
      const sums = box.map(({ variable, categories }) =>
        categories.reduce((sum, code) => sum + probabilities[(offsets[variable]! + code) * classes + f]!, 0),
      );
      mass += sums.reduce((product, sum) => product * sum, weights[f]!);
    }
  }
  return mass;
}
