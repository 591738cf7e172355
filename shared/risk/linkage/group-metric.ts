import type { Stepwise } from '../../contracts/stepwise.ts';
import { lowerBound } from '../../numeric/bound-search.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { Comparison } from './comparison.ts';

/** Records between steps. */
const RECORDS_A_STEP = 1000;

/**
 * The metric for several variables that were aggregated at once (002 section 4): a record agrees with the rows of the
 * group whose values are nearest to it, each variable in units of its deviation in the release; of equally near groups
 * with the first. Both files are columns.
 *
 * @returns stepwise: records of the file
 */
export function* groupComparison(release: readonly Float64Array[], file: readonly Float64Array[]): Stepwise<Comparison> {
  const scales = release.map((values) => {
    const deviation = standardDeviation(values);
    return deviation > 0 ? 1 / deviation : 0;
  });
  const { groupOf, centres } = releasedGroups(release, scales);
  const nearest = nearestCentre(centres, scales.length);
  const records = file[0]!.length;
  const values = new Float64Array(records);
  const point = new Float64Array(scales.length);
  for (let record = 0; record < records; record++) {
    for (let v = 0; v < point.length; v++) point[v] = file[v]![record]! * scales[v]!;
    values[record] = nearest(point);
    if (record % RECORDS_A_STEP === 0) yield record;
  }
  return { name: 'group', values, bands: [{ low: groupOf, high: groupOf }], tells: null };
}

/** Distinct points of the release, in the order in which they come, and which one each row has. */
function releasedGroups(release: readonly Float64Array[], scales: readonly number[]): { groupOf: Float64Array; centres: Float64Array } {
  const rows = release[0]!.length;
  const groupOf = new Float64Array(rows);
  const numberOf = new Map<string, number>();
  const centres: number[] = [];
  for (let row = 0; row < rows; row++) {
    const point = release.map((values, v) => values[row]! * scales[v]!);
    const key = point.join(' ');
    let group = numberOf.get(key);
    if (group === undefined) {
      group = numberOf.size;
      numberOf.set(key, group);
      centres.push(...point);
    }
    groupOf[row] = group;
  }
  return { groupOf, centres: Float64Array.from(centres) };
}

/** Finds the nearest centre of a point, looking outwards from its place in the order of the first variable. */
function nearestCentre(centres: Float64Array, variables: number): (point: Float64Array) => number {
  const count = centres.length / variables;
  const first = Float64Array.from({ length: count }, (_, group) => centres[group * variables]!);
  const order = sortedOrder(first);
  const sorted = Float64Array.from(order, (group) => first[group]!);
  return (point) => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    const look = (place: number): boolean => {
      const along = sorted[place]! - point[0]!;
      if (along * along > least) return false;
      const group = order[place]!;
      let distance = 0;
      for (let v = 0; v < variables && distance <= least; v++) {
        const difference = centres[group * variables + v]! - point[v]!;
        distance += difference * difference;
      }
      if (distance < least || (distance === least && group < best)) {
        least = distance;
        best = group;
      }
      return true;
    };
    let up = lowerBound(sorted, point[0]!);
    let down = up - 1;
    let [goesUp, goesDown] = [true, true];
    while (goesUp || goesDown) {
      goesUp = goesUp && up < count && look(up++);
      goesDown = goesDown && down >= 0 && look(down--);
    }
    return best;
  };
}
