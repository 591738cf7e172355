import type { TargetDiversity } from '../../contracts/results/attack.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import { chosenVariables, type Table } from '../../table/table.ts';

/** Records that share their keys: how many have each value of the target. */
type ValueCounts = { readonly records: number; readonly counts: Float64Array };

/**
 * How different the values of a target are among records of a file that share their keys: l-diversity, by distinct values and by
 * entropy (Machanavajjhala et al. 2007, section 4), and t-closeness (Li et al. 2007): the largest distance
 * to the distribution in the whole file. That is half of the sum of differences between categories; between bands of a number, which
 * are in order, the mean difference of cumulative shares.
 *
 * @param table with at least one record
 * @param keys indices of categorical variables, those of a continuous one in bands
 * @param target index of one as well
 * @param isOrdered true for a target in bands
 */
export function targetDiversity(
  table: Table,
  keys: readonly number[],
  target: number,
  isOrdered: boolean,
): Omit<TargetDiversity, 'target'> {
  const { classes, file } = valueCounts(table, keys, target);
  const distance = isOrdered ? orderedDistance : categoricalDistance;
  return {
    distinctL: classes.reduce((least, { counts }) => Math.min(least, counts.filter((count) => count > 0).length), table.records),
    entropyL: classes.reduce((least, one) => Math.min(least, exp(entropy(one))), table.records),
    t: classes.reduce((most, one) => Math.max(most, distance(sharesOf(one), sharesOf(file))), 0),
  };
}

/** Counts of the target's values that the file has, in their order, of each combination of keys and of all records. */
function valueCounts(table: Table, keys: readonly number[], target: number): { classes: ValueCounts[]; file: ValueCounts } {
  const column = table.columns[target]!;
  if (column.type === 'continuous') throw new RangeError('a target is continuous');
  const values = [...new Set(column.codes)].sort((a, b) => a - b);
  const placeOf = new Map(values.map((code, place) => [code, place]));
  const { rowOfRecord, counts: records } = distinctRows(chosenVariables(table, keys));
  const classes = Array.from(records, (own) => ({ records: own, counts: new Float64Array(values.length) }));
  const file = { records: table.records, counts: new Float64Array(values.length) };
  for (const [record, code] of column.codes.entries()) {
    for (const { counts } of [classes[rowOfRecord[record]!]!, file]) counts[placeOf.get(code)!]!++;
  }
  return { classes, file };
}

const sharesOf = ({ counts, records }: ValueCounts): Float64Array => counts.map((count) => count / records);

function entropy(one: ValueCounts): number {
  return sharesOf(one).reduce((sum, share) => (share === 0 ? sum : sum - share * log(share)), 0);
}

function categoricalDistance(own: Float64Array, file: Float64Array): number {
  return own.reduce((sum, share, value) => sum + Math.abs(share - file[value]!), 0) / 2;
}

function orderedDistance(own: Float64Array, file: Float64Array): number {
  if (file.length === 1) return 0;
  let [ahead, distance] = [0, 0];
  for (let value = 0; value < file.length - 1; value++) {
    ahead += own[value]! - file[value]!;
    distance += Math.abs(ahead);
  }
  return distance / (file.length - 1);
}
