import type { Aggregate } from '../contracts/config/masking.ts';
import { gathered, sortedOrder } from '../numeric/sorted-order.ts';

/**
 * Groups of k neighbours in the order of one variable, for its individual ranking; what is left over joins the last group,
 * which has up to 2k - 1 records. Equal values are in the order of the table.
 *
 * @param k from 2 to the number of records
 * @returns for each record the number of its group, from 0 upwards with the values
 */
export function rankingGroups(values: Float64Array, k: number): Uint32Array {
  const groups = new Uint32Array(values.length);
  const last = Math.floor(values.length / k) - 1;
  const order = sortedOrder(values);
  for (let rank = 0; rank < order.length; rank++) groups[order[rank]!] = Math.min(last, Math.floor(rank / k));
  return groups;
}

/** Values with the mean, or the median, of a record's group in the place of each; groups are numbered from 0 without gaps. */
export const aggregated = (values: Float64Array, groups: Uint32Array, aggregate: Aggregate): Float64Array =>
  gathered(aggregate === 'mean' ? groupMeans(values, groups) : groupMedians(values, groups), groups);

/** How many groups there are. */
export const countGroups = (groups: Uint32Array): number => groups.reduce((most, group) => Math.max(most, group), -1) + 1;

function groupMeans(values: Float64Array, groups: Uint32Array): Float64Array {
  const means = new Float64Array(countGroups(groups));
  const counts = new Uint32Array(means.length);
  for (let record = 0; record < groups.length; record++) {
    means[groups[record]!]! += values[record]!;
    counts[groups[record]!]!++;
  }
  for (let group = 0; group < means.length; group++) means[group]! /= counts[group]!;
  return means;
}

function groupMedians(values: Float64Array, groups: Uint32Array): Float64Array {
  const members: number[][] = Array.from({ length: countGroups(groups) }, () => []);
  for (const [record, group] of groups.entries()) members[group]!.push(values[record]!);
  return Float64Array.from(members, (group) => {
    group.sort((a, b) => a - b);
    const middle = group.length >>> 1;
    return group.length % 2 === 1 ? group[middle]! : (group[middle - 1]! + group[middle]!) / 2;
  });
}
