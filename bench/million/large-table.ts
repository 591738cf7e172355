import { RandomStream } from '../../shared/random/random-stream.ts';
import { CombinationIndex } from '../../shared/table/combination-index.ts';
import { encodeRepeatedCsv } from '../../shared/table/files/write-csv.ts';

/** Numbers of categories of the twelve variables. */
const SIZES = [2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10];

/** Latent classes on which the variables depend. */
const CLASSES = 6;

/** With these sizes about 90,000 of a million records are distinct. */
const FALL_OFF = 5;

/** How large a table is, and how many times as probable as the next a category is. */
export interface LargeTable {
  readonly records: number;
  readonly combinations: number;
  /** Numbers of categories. */
  readonly sizes?: readonly number[];
  readonly fallOff?: number;
}

/** For each class and variable, running sums of probabilities that fall off from the likeliest category on. */
function classSums(random: RandomStream, sizes: readonly number[], fallOff: number): number[][][] {
  return Array.from({ length: CLASSES }, () =>
    sizes.map((size) => {
      const likeliest = random.below(size);
      const weights = Array.from({ length: size }, () => 1);
      for (let steps = 1; steps < size; steps++) {
        weights[(likeliest + steps) % size] = weights[(likeliest + steps - 1) % size]! / fallOff;
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      let sum = 0;
      return weights.map((weight) => {
        sum += weight / total;
        return sum;
      });
    }),
  );
}

/**
 * CSV bytes of a table of variables that depend on a few latent classes: by default twelve with 2 to 10 categories. Its first
 * records are all distinct, as many as asked for; the others are drawn like them, but are never new. So tables of
 * one seed with more records have the same combinations in the same order.
 */
export function largeTable(seed: number, { records, combinations, sizes = SIZES, fallOff = FALL_OFF }: LargeTable): Uint8Array {
  if (combinations > records) throw new RangeError('a table has no more combinations than records');
  const random = new RandomStream(seed, 'large-table');
  const sums = classSums(random, sizes, fallOff);
  const index = new CombinationIndex(sizes.length);
  const row = new Uint16Array(sizes.length);
  const draw = () => {
    const ofClass = sums[random.below(CLASSES)]!;
    for (const [k, size] of sizes.entries()) {
      const uniform = random.uniform();
      let code = 0;
      while (code < size - 1 && uniform >= ofClass[k]![code]!) code++;
      row[k] = code;
    }
    return index.add(row, 0, 1);
  };
  for (let distinct = 0; distinct < combinations; ) distinct = Math.max(distinct, draw() + 1);
  const combinationOfRecord = Uint32Array.from({ length: records }, (_, record) => record);
  for (let record = combinations; record < records; ) {
    const combination = draw();
    if (combination < combinations) combinationOfRecord[record++] = combination;
  }
  const { codes } = index.combinations();
  const rows = Array.from({ length: combinations }, (_, c) =>
    Array.from(codes.subarray(c * sizes.length, (c + 1) * sizes.length), (code) => code + 1),
  );
  return encodeRepeatedCsv(
    sizes.map((size, k) => `V${k + 1}_${size}`),
    rows,
    combinationOfRecord,
  );
}
