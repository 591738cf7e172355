import { exp } from '../../numeric/portable-math.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';

/** People with the bits of their likelihood ratios, and how much each counts. */
export interface WeighedBits {
  readonly bits: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** The points of a curve, one after the other: shares of others and of members that are taken for members. */
export interface RocCurve {
  readonly falseAlarms: Float64Array;
  readonly found: Float64Array;
}

const totalOf = ({ weights }: WeighedBits): number => {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  return sum;
};

/**
 * The ROC of the test that takes for members who have the largest ratios: from nobody to everybody, a point after all people
 * of equal bits.
 */
export function rocCurve(members: WeighedBits, others: WeighedBits): RocCurve {
  const [membersTotal, othersTotal] = [totalOf(members), totalOf(others)];
  const first = members.bits.length;
  const people = first + others.bits.length;
  const bits = new Float64Array(people);
  bits.set(members.bits);
  bits.set(others.bits, first);
  const order = sortedOrder(bits).reverse();
  const falseAlarms = new Float64Array(people + 1);
  const found = new Float64Array(people + 1);
  let points = 1;
  let [ofOthers, ofMembers] = [0, 0];
  for (let i = 0; i < people; i++) {
    const person = order[i]!;
    if (person < first) ofMembers += members.weights[person]!;
    else ofOthers += others.weights[person - first]!;
    if (i + 1 < people && bits[order[i + 1]!] === bits[person]) continue;
    falseAlarms[points] = ofOthers / othersTotal;
    found[points++] = ofMembers / membersTotal;
  }
  return { falseAlarms: falseAlarms.subarray(0, points), found: found.subarray(0, points) };
}

/** The area below a curve: how probably a member has the larger ratio than another person, ties counting half. */
export function areaBelow({ falseAlarms, found }: RocCurve): number {
  let area = 0;
  for (let i = 1; i < found.length; i++) area += ((falseAlarms[i]! - falseAlarms[i - 1]!) * (found[i]! + found[i - 1]!)) / 2;
  return area;
}

/** What a sum of shares may be off by rounding. */
const ROUNDING = 1e-9;

/** Share of members that are found at so many false alarms: between two points by taking people of equal bits at random. */
export function foundAt({ falseAlarms, found }: RocCurve, allowed: number): number {
  // They never fall from one point to the next.
  let [after, end] = [0, falseAlarms.length];
  while (after < end) {
    const middle = (after + end) >>> 1;
    if (falseAlarms[middle]! > allowed + ROUNDING) end = middle;
    else after = middle + 1;
  }
  if (after === falseAlarms.length) return 1;
  const part = Math.max(0, allowed - falseAlarms[after - 1]!) / (falseAlarms[after]! - falseAlarms[after - 1]!);
  return found[after - 1]! + part * (found[after]! - found[after - 1]!);
}

/** Balanced accuracy of the best rule: the mean of members found and others left alone. */
export const bestAccuracy = ({ falseAlarms, found }: RocCurve): number =>
  found.reduce((best, share, i) => Math.max(best, (share + 1 - falseAlarms[i]!) / 2), 0);

/** Steps of Newton's method; a few suffice. */
const STEPS = 50;

/** Where neither changes by more than this, the regression has converged. */
const CONVERGED = 1e-10;

/**
 * The power of the ratio: slope of the logistic regression of membership on its natural logarithm, members and others having the
 * same weight as a whole. 1 where ratios are what they claim to be; below it, they claim too much.
 *
 * @returns null where the ratios do not vary, or separate members from others completely
 */
export function powerOf(members: WeighedBits, others: WeighedBits): number | null {
  let [intercept, slope] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const [isMember, { bits, weights }] of [others, members].entries()) {
      const total = totalOf({ bits, weights });
      for (let i = 0; i < bits.length; i++) {
        const x = bits[i]! * Math.LN2;
        const weight = weights[i]! / total;
        const p = 1 / (1 + exp(-(intercept + slope * x)));
        const [residual, spread] = [weight * (isMember - p), weight * p * (1 - p)];
        g0 += residual;
        g1 += residual * x;
        h00 += spread;
        h01 += spread * x;
        h11 += spread * x * x;
      }
    }
    const determinant = h00 * h11 - h01 * h01;
    if (!(determinant > Number.EPSILON * h00 * h11)) return null;
    const [d0, d1] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    intercept += d0;
    slope += d1;
    if (Math.abs(d0) + Math.abs(d1) < CONVERGED) return slope;
  }
  return null;
}
