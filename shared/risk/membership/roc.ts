import { exp } from '../../numeric/portable-math.ts';

/** People with the bits of their likelihood ratios, and how much each counts. */
export interface WeighedBits {
  readonly bits: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** A point of a curve: shares of others and of members that are taken for members. */
export interface RocPoint {
  readonly falseAlarms: number;
  readonly found: number;
}

/**
 * The ROC of the test that takes for members who have the largest ratios: from nobody to everybody, a point after all people
 * of equal bits.
 */
export function rocCurve(members: WeighedBits, others: WeighedBits): RocPoint[] {
  const total = ({ weights }: WeighedBits) => Array.from(weights).reduce((sum, weight) => sum + weight, 0);
  const [membersTotal, othersTotal] = [total(members), total(others)];
  const people = [
    ...Array.from(members.bits, (bits, i) => ({ bits, member: members.weights[i]! / membersTotal, other: 0 })),
    ...Array.from(others.bits, (bits, i) => ({ bits, member: 0, other: others.weights[i]! / othersTotal })),
  ].sort((a, b) => b.bits - a.bits);
  const curve: RocPoint[] = [{ falseAlarms: 0, found: 0 }];
  let [falseAlarms, found] = [0, 0];
  for (const [i, { bits, member, other }] of people.entries()) {
    falseAlarms += other;
    found += member;
    if (people[i + 1]?.bits !== bits) curve.push({ falseAlarms: Math.min(1, falseAlarms), found: Math.min(1, found) });
  }
  return curve;
}

/** The area below a curve: how probably a member has the larger ratio than another person, ties counting half. */
export function areaBelow(curve: readonly RocPoint[]): number {
  let area = 0;
  for (let i = 1; i < curve.length; i++) {
    area += ((curve[i]!.falseAlarms - curve[i - 1]!.falseAlarms) * (curve[i]!.found + curve[i - 1]!.found)) / 2;
  }
  return area;
}

/** What a sum of shares may be off by rounding. */
const ROUNDING = 1e-9;

/** Share of members that are found at so many false alarms: between two points by taking people of equal bits at random. */
export function foundAt(curve: readonly RocPoint[], falseAlarms: number): number {
  const after = curve.findIndex((point) => point.falseAlarms > falseAlarms + ROUNDING);
  if (after < 0) return 1;
  const [from, to] = [curve[after - 1]!, curve[after]!];
  const part = Math.max(0, falseAlarms - from.falseAlarms) / (to.falseAlarms - from.falseAlarms);
  return from.found + part * (to.found - from.found);
}

/** Balanced accuracy of the best rule: the mean of members found and others left alone. */
export const bestAccuracy = (curve: readonly RocPoint[]): number =>
  curve.reduce((best, { falseAlarms, found }) => Math.max(best, (found + 1 - falseAlarms) / 2), 0);

/** Steps of Newton's method; a few suffice. */
const STEPS = 50;

/** Where neither changes by more than this, the regression has converged. */
const CONVERGED = 1e-10;

/**
 * The power of the ratio: slope of the logistic regression of membership on its natural logarithm, members and others having the
 * same weight as a whole. 1 where ratios are what they claim to be; below it, they claim too much.
 *
 * @returns null where the ratios do not vary, or set members and others apart
 */
export function powerOf(members: WeighedBits, others: WeighedBits): number | null {
  const nats = ({ bits, weights }: WeighedBits, isMember: number) => {
    const total = Array.from(weights).reduce((sum, weight) => sum + weight, 0);
    return Array.from(bits, (value, i) => ({ x: value * Math.LN2, weight: weights[i]! / total, isMember }));
  };
  const people = [...nats(members, 1), ...nats(others, 0)].filter(({ weight }) => weight > 0);
  let [intercept, slope] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const { x, weight, isMember } of people) {
      const p = 1 / (1 + exp(-(intercept + slope * x)));
      const [residual, spread] = [weight * (isMember - p), weight * p * (1 - p)];
      g0 += residual;
      g1 += residual * x;
      h00 += spread;
      h01 += spread * x;
      h11 += spread * x * x;
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
