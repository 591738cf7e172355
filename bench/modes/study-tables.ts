import { readFileSync } from 'node:fs';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { categoricalCodes } from '../tables/categorical-codes.ts';

/** A table of the study, and what is fitted to it. */
export interface StudyTable {
  /** Records x variables. */
  readonly codes: Uint16Array;
  /** Categories of each variable. */
  readonly sizes: readonly number[];
  /** Classes of the model. */
  readonly classes: number;
}

/**
 * A table of a file, continuous variables cut at their quintiles.
 *
 * @param variables names of those to keep; all if left out
 */
export async function fileTable(file: string, variables?: readonly string[]): Promise<StudyTable> {
  const { table } = await readTable(readFileSync(file), { missing: 'category' });
  const { codes, sizes } = categoricalCodes(table);
  const names = table.schema.variables.map(({ name }) => name);
  const kept = (variables ?? names).map((name) => {
    if (!names.includes(name)) throw new RangeError(`no variable ${name}`);
    return names.indexOf(name);
  });
  return {
    codes: Uint16Array.from({ length: table.records * kept.length }, (_, i) => {
      return codes[Math.floor(i / kept.length) * names.length + kept[i % kept.length]!]!;
    }),
    sizes: kept.map((k) => sizes[k]!),
    classes: 40,
  };
}

/** A table with so many of its records, chosen at random; with all if it has no more. */
export function someRecords(table: StudyTable, most: number): StudyTable {
  const variables = table.sizes.length;
  const records = Array.from({ length: table.codes.length / variables }, (_, i) => i);
  const random = new RandomStream(1, 'modes/records');
  const count = Math.min(most, records.length);
  const codes = new Uint16Array(count * variables);
  for (let i = 0; i < count; i++) {
    const other = i + random.below(records.length - i);
    [records[i], records[other]] = [records[other]!, records[i]!];
    codes.set(table.codes.subarray(records[i]! * variables, (records[i]! + 1) * variables), i * variables);
  }
  return { ...table, codes };
}

/** Tables that are made: their records, variables and clusters, and the classes that are fitted to them. */
const MADE = {
  /**
   * Three clusters, equally large and equally far from each other, for which there are two classes: a mode for each
   * cluster that is not merged with another, between which no chain crosses.
   */
  'three-as-two': { records: 1500, sizes: [4, 4, 4, 3, 3, 3, 3, 3], clusters: 3, share: 0.6, classes: 2 },
  /** Twelve clusters, for which there is room. */
  twelve: { records: 3000, sizes: [3, 5, 4, 2, 6, 4, 8, 3], clusters: 12, share: 0.7, classes: 40 },
} as const;

/** Name of a made table. */
export type MadeTable = keyof typeof MADE;

/**
 * Draws a made table: a record has each of its cluster's own categories with a probability, else any.
 *
 * @throws RangeError naming the tables that there are, for another
 */
export function makeTable(name: MadeTable): StudyTable {
  if (!Object.hasOwn(MADE, name)) {
    throw new RangeError(`no made table ${name}: there are ${Object.keys(MADE).join(' and ')}`);
  }
  const { records, sizes, clusters, share, classes } = MADE[name];
  const random = new RandomStream(1, `modes/table/${name}`);
  const own = Array.from({ length: clusters }, (_, cluster) => sizes.map((size) => (clusters <= 3 ? cluster : random.below(size))));
  const codes = new Uint16Array(records * sizes.length);
  for (let i = 0; i < records; i++) {
    const categories = own[clusters <= 3 ? i % clusters : random.below(clusters)]!;
    for (const [k, size] of sizes.entries()) {
      codes[i * sizes.length + k] = random.uniform() < share ? categories[k]! : random.below(size);
    }
  }
  return { codes, sizes, classes };
}
