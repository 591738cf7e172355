import type { GrowthSettings } from '../../shared/model/cart/growth.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** A node of the plain program: its records, and its children where it has any. */
export interface PlainNode {
  readonly records: readonly number[];
  readonly children: readonly [PlainNode, PlainNode] | null;
}

/** A division of records with what it reduces the impurity by. */
interface PlainDivision {
  readonly gain: number;
  readonly left: number[];
  readonly right: number[];
}

function classCounts(codes: ArrayLike<number>, records: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const record of records) counts.set(codes[record]!, (counts.get(codes[record]!) ?? 0) + 1);
  return [...counts.values()];
}

/** The sum of squares about the mean, or Gini's index times the records, by its definition. */
export function impurityOf(response: Column, records: readonly number[]): number {
  const n = records.length;
  if (response.type === 'continuous') {
    const mean = records.reduce((sum, record) => sum + response.values[record]!, 0) / n;
    return records.reduce((sum, record) => sum + (response.values[record]! - mean) ** 2, 0);
  }
  return n * classCounts(response.codes, records).reduce((sum, count) => sum - (count / n) ** 2, 1);
}

/** What pruning weighs: the sum of squares, or the records that are not of the commonest class. */
export function riskOf(response: Column, records: readonly number[]): number {
  if (response.type === 'continuous') return impurityOf(response, records);
  return records.length - Math.max(...classCounts(response.codes, records));
}

/** Every way in which a predictor can divide records, as tests that are true of those on the left. */
function waysToDivide(predictor: Column, records: readonly number[]): ((record: number) => boolean)[] {
  const elements = predictor.type === 'continuous' ? predictor.values : predictor.codes;
  const distinct = [...new Set(records.map((record) => elements[record]!))].sort((a, b) => a - b);
  if (predictor.type === 'continuous') {
    return distinct.slice(1).map((threshold) => (record) => elements[record]! < threshold);
  }
  return Array.from({ length: 2 ** (distinct.length - 1) - 1 }, (_, i) => {
    const onLeft = new Set(distinct.filter((_, k) => ((i + 1) >> k) & 1));
    return (record) => onLeft.has(elements[record]!);
  });
}

/** The best of all divisions of some records, if any gains something; the first of equals. */
export function bestPlainDivision(
  table: Table,
  response: number,
  predictors: readonly number[],
  records: readonly number[],
  minimumLeaf: number,
): PlainDivision | null {
  const column = table.columns[response]!;
  const impurity = impurityOf(column, records);
  let best: PlainDivision | null = null;
  for (const variable of predictors) {
    for (const isLeft of waysToDivide(table.columns[variable]!, records)) {
      const left = records.filter(isLeft);
      const right = records.filter((record) => !isLeft(record));
      if (Math.min(left.length, right.length) < minimumLeaf) continue;
      const gain = impurity - impurityOf(column, left) - impurityOf(column, right);
      if (gain > Math.max(best?.gain ?? 0, impurity * 1e-9) * (1 + 1e-9)) best = { gain, left, right };
    }
  }
  return best;
}

/** A tree by the obvious program: the impurity of both sides is formed anew for every division of every node. */
export function growPlainTree(
  table: Table,
  response: number,
  predictors: readonly number[],
  { minimumLeaf, complexity }: GrowthSettings,
): PlainNode {
  const column = table.columns[response]!;
  const everyRecord = Array.from({ length: table.records }, (_, record) => record);
  const leafCost = complexity * riskOf(column, everyRecord);
  const grow = (records: readonly number[], depth: number): { node: PlainNode; risk: number; splits: number } => {
    const leaf = { node: { records, children: null }, risk: riskOf(column, records), splits: 0 };
    const isSmall = records.length < 3 * minimumLeaf || depth === 30;
    const division = isSmall ? null : bestPlainDivision(table, response, predictors, records, minimumLeaf);
    if (division === null) return leaf;
    const left = grow(division.left, depth + 1);
    const right = grow(division.right, depth + 1);
    const splits = left.splits + right.splits + 1;
    if (leaf.risk - left.risk - right.risk <= leafCost * splits) return leaf;
    return { node: { records, children: [left.node, right.node] }, risk: left.risk + right.risk, splits };
  };
  return grow(everyRecord, 0).node;
}
