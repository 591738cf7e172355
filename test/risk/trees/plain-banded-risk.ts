import { bandOf } from '../../../shared/contracts/config/bands.ts';
import { sideOf } from '../../../shared/model/cart/cut.ts';
import { fitCart } from '../../../shared/model/cart/synthesis.ts';
import type { CartNode, CartTree } from '../../../shared/model/cart/tree.ts';
import { elementAt, type TreeRelease } from '../../../shared/risk/trees/tree-variables.ts';
import type { Column, Table } from '../../../shared/table/table.ts';

/** Likelihoods of bands and of smoothed values by their definition: all trees from nothing, every row dropped. */

/** The nodes that a row passes, down to the one where it comes to rest. */
export function pathOf({ root }: CartTree, columns: readonly Column[], row: number): CartNode[] {
  const path = [root];
  for (let node: CartNode = root; node.split !== null; ) {
    const { cut, left, right } = node.split;
    const next = [left, right][sideOf(cut, elementAt(columns[cut.variable]!, row))];
    if (next === undefined) break;
    node = next;
    path.push(node);
  }
  return path;
}

/** The table with other values of the synthesized variables in one record; without the record for null. */
export function changedTable({ table, settings }: TreeRelease, record: number, values: readonly number[] | null): Table {
  const others = (_: number, i: number) => values !== null || i !== record;
  const columns = table.columns.map((column, v): Column => {
    const place = settings.synthesized.indexOf(v);
    const own = column.type === 'categorical' ? column.codes.slice() : column.values.slice();
    if (values !== null && place >= 0) own[record] = values[place]!;
    const kept = own.filter(others);
    return column.type === 'categorical'
      ? { type: 'categorical', codes: kept as Uint8Array<ArrayBuffer> }
      : { type: 'continuous', values: kept as Float64Array<ArrayBuffer> };
  });
  return { ...table, records: table.records - (values === null ? 1 : 0), columns };
}

/** Quantile of type 7. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  return sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!);
}

/** Silverman's bandwidth, as the docs have it. */
function bandwidth(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const mean = sorted.reduce((a, b) => a + b, 0) / n;
  const s = Math.sqrt(sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1));
  if (sorted[0] === sorted[n - 1]) return 0;
  const range = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  return 0.9 * (range === 0 ? s : Math.min(s, range)) * n ** -0.2;
}

/** Probability that the smoothing of donors, all of the table having `whole`, gives a value that is rounded to `value`. */
export function smoothedProbability(value: number, donors: readonly number[], whole: readonly number[], decimals: number): number {
  if (value === 0) return donors.filter((one) => one === 0).length / donors.length;
  if (Number(value.toFixed(decimals)) !== value) return 0;
  const alike = (one: number) => Math.sign(one) === Math.sign(value);
  const own = donors.filter(alike);
  const [low, high] = [Math.min(...whole.filter(alike)), Math.max(...whole.filter(alike))];
  const h = bandwidth(own);
  if (h === 0) return own.filter((one) => one === value).length / donors.length;
  const [from, to] = [Math.max(low, value - 0.5 / 10 ** decimals), Math.min(high, value + 0.5 / 10 ** decimals)];
  // Simpson's rule on the density of the reflected kernels.
  const density = (x: number) => {
    let sum = 0;
    for (const d of own) {
      for (let k = -3; k <= 3; k++) {
        for (const y of [x + 2 * k * (high - low), 2 * low - x + 2 * k * (high - low)]) {
          sum += Math.exp(-(((y - d) / h) ** 2) / 2) / (h * Math.sqrt(2 * Math.PI));
        }
      }
    }
    return sum / donors.length;
  };
  const steps = 20;
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * density(from + ((to - from) * i) / steps);
  }
  return (sum * (to - from)) / steps / 3;
}

/**
 * log P(Z | a table), with trees that were grown on `grown`, of bands where values are not smoothed.
 *
 * @param decimals most of any value
 */
export function plainBandedLikelihood({ settings, datasets, bands }: TreeRelease, table: Table, grown: Table, decimals: number): number {
  const { trees } = fitCart(grown, settings);
  let result = 0;
  for (const [place, response] of settings.synthesized.entries()) {
    const tree = trees[place]!;
    const own = bands?.get(response);
    const classOf = (value: number) => (own ? bandOf(own.lower, value) : value);
    const all = Array.from({ length: table.records }, (_, i) => elementAt(table.columns[response]!, i));
    const donors = new Map<CartNode, number[]>();
    for (const [i, value] of all.entries()) {
      for (const node of pathOf(tree, table.columns, i)) donors.set(node, [...(donors.get(node) ?? []), value]);
    }
    for (const dataset of datasets) {
      const columns = [...table.columns];
      for (const [k, v] of settings.synthesized.entries()) columns[v] = dataset[k]!;
      for (let row = 0; row < table.records; row++) {
        const here = donors.get(pathOf(tree, columns, row).at(-1)!) ?? [];
        const value = elementAt(dataset[place]!, row);
        const probability =
          own && settings.smoothing
            ? smoothedProbability(value, here, all, decimals)
            : here.filter((one) => classOf(one) === classOf(value)).length / (here.length || 1);
        result += Math.log(probability);
      }
    }
  }
  return result;
}
