import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** Categories of the kept variables. */
const KEPT = [2, 3, 4, 5, 6, 8];

/**
 * A table of categorical variables for trees: six that are kept, of 2 to 8 categories, and then one of so many
 * categories, equally frequent, that depends on all of them and on chance.
 */
export function treeTable(records: number, categories: number): Table {
  const random = new RandomStream(1, `tree-table/${records}/${categories}`);
  const kept = KEPT.map((size) => Uint8Array.from({ length: records }, () => random.below(size)));
  const score = Float64Array.from({ length: records }, (_, record) => {
    const sum = KEPT.reduce((all, size, v) => all + ((kept[v]![record]! * (v + 2)) % size) / size, 0);
    return sum + 0.5 * normal(random);
  });
  const sorted = score.toSorted();
  const limits = Array.from({ length: categories - 1 }, (_, c) => sorted[Math.floor(((c + 1) * records) / categories)]!);
  const response = Uint16Array.from(score, (one) => limits.filter((limit) => one >= limit).length);
  const columns = [...kept, response].map((codes): Column => ({ type: 'categorical', codes }));
  const variables = [...KEPT, categories].map((size, v) => ({
    name: `V${v + 1}`,
    type: 'categorical' as const,
    categories: Array.from({ length: size }, (_, category) => `${category}`),
  }));
  return { schema: { variables }, records, columns };
}
