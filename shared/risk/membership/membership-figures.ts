import { withErrors } from '../../contracts/figure-errors.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { Streams } from '../../random/streams.ts';
import type { AttributeRisk } from '../attribute/attribute-risk.ts';
import { type Columns, columnsOf } from '../attribute/attribute-summary.ts';
import { KEPT_HALF, keptErrors, keptEvaluations } from '../attribute/kept-evaluations.ts';
import { membershipRatios, membershipWidth } from './membership-ratios.ts';
import type { MembershipTerms } from './membership-terms.ts';
import { areaBelow, bestAccuracy, foundAt, powerOf, rocCurve, type WeighedBits } from './roc.ts';

/** Likelihood ratios of members and of others in bits, each persons x the evaluations that are kept. */
export interface MembershipPart {
  readonly members: Float64Array;
  readonly others: Float64Array;
  /** Evaluations of each person. */
  readonly width: number;
}

/** The ratios of a batch, from the terms of its rows and of other people. */
export const membershipPart = (terms: MembershipTerms, streams: Streams): MembershipPart => ({
  members: membershipRatios(terms.members, streams),
  others: membershipRatios(terms.others, streams),
  width: membershipWidth(terms.members),
});

/** How much more probable what was released is with a person in the table, in nats, and the same without each dataset. */
export interface ExactRatio {
  readonly logRatio: number;
  readonly logRatiosWithout: ArrayLike<number>;
}

/** Ratios that are known without error, which all evaluations have but those without a dataset. */
export function exactPart(members: readonly ExactRatio[], others: readonly ExactRatio[], datasets: number): MembershipPart {
  const leftOut = datasets < 2 ? 0 : datasets;
  const width = keptEvaluations(leftOut);
  const bitsOf = (people: readonly ExactRatio[]) => {
    const bits = new Float64Array(people.length * width);
    for (const [person, { logRatio, logRatiosWithout }] of people.entries()) {
      const own = bits.subarray(person * width, (person + 1) * width);
      own.fill(logRatio / Math.LN2);
      for (let l = 0; l < leftOut; l++) own[KEPT_HALF + 1 + l] = logRatiosWithout[l]! / Math.LN2;
    }
    return bits;
  };
  return { members: bitsOf(members), others: bitsOf(others), width };
}

/** Fills in the likelihood ratios of rows, with their errors of simulation, and the probabilities that follow from one half. */
export function setMembership(
  risk: Pick<AttributeRisk, 'membershipBits' | 'membershipBitsSe' | 'membershipProbability'>,
  { members, width }: MembershipPart,
): void {
  for (let row = 0; row < risk.membershipBits.length; row++) {
    const bits = members.subarray(row * width, (row + 1) * width);
    risk.membershipBits[row] = bits[0]!;
    risk.membershipBitsSe[row] = keptErrors(bits).simulationSe;
    risk.membershipProbability[row] = 1 / (1 + exp(-bits[0]! * Math.LN2));
  }
}

/** Shares of false alarms at which the curve is given. */
const TOLD_FALSE_ALARMS = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/** The mean of ratios, or of 1 by them. */
const meanPower = ({ bits, weights }: WeighedBits, sign: 1 | -1): number => {
  let [sum, total] = [0, 0];
  for (let i = 0; i < bits.length; i++) {
    sum += weights[i]! * exp(sign * bits[i]! * Math.LN2);
    total += weights[i]!;
  }
  return sum / total;
};

/** Likelihood ratios of a file in bits: of its rows one evaluation that is kept after the other, and of others as parts have them. */
export interface FileMembership extends Pick<MembershipPart, 'others' | 'width'> {
  readonly members: () => Columns;
}

/**
 * How well the release shows who is in the table, over its records and over people who are not. In every resample of the chains
 * the others are resampled as well, since they are a sample of all who could be asked about.
 *
 * @param counts records of each row of the members
 * @param kind where the others are from
 */
export async function membershipFigures(
  { members, others, width }: FileMembership,
  counts: ArrayLike<number>,
  streams: Streams,
  kind: MembershipSummary['others'],
): Promise<MembershipSummary> {
  const people = others.length / width;
  const random = streams.open('membership/others-resampled');
  const columns = columnsOf(others, width);
  const evaluate = (e: number, bits: Float64Array) => {
    const weights = new Uint32Array(people);
    if (e === 0 || e >= KEPT_HALF) weights.fill(1);
    else for (let i = 0; i < people; i++) weights[random.below(people)]!++;
    const ofMembers = { bits, weights: counts };
    const ofOthers = { bits: columns.next().value as Float64Array, weights };
    const curve = rocCurve(ofMembers, ofOthers);
    return {
      auc: areaBelow(curve),
      foundAt01Percent: foundAt(curve, 0.001),
      foundAt1Percent: foundAt(curve, 0.01),
      foundAt10Percent: foundAt(curve, 0.1),
      balancedAccuracy: bestAccuracy(curve),
      bitsMax: bits.reduce((most, value) => Math.max(most, value), -Infinity),
      meanInverseRatioMembers: meanPower(ofMembers, -1),
      meanRatioOthers: meanPower(ofOthers, 1),
      power: powerOf(ofMembers, ofOthers),
      told: TOLD_FALSE_ALARMS.map((falseAlarms) => foundAt(curve, falseAlarms)),
    };
  };
  // One evaluation after the other, since a curve has a point for every person.
  const evaluations: ReturnType<typeof evaluate>[] = [];
  for await (const bits of members()) evaluations.push(evaluate(evaluations.length, bits));
  type Evaluation = (typeof evaluations)[number];
  const told = <Name extends Exclude<keyof Evaluation, 'power' | 'told'>>(name: Name) => {
    const values = Float64Array.from(evaluations, (of) => of[name]);
    return withErrors(name, values[0]!, keptErrors(values));
  };
  const powers = evaluations.map((of) => of.power);
  const power = powers.every((value) => value !== null) ? Float64Array.from(powers) : null;
  const unknown = { se: null, simulationSe: null, releaseSe: null };
  return {
    others: kind,
    othersCount: people,
    ...told('auc'),
    ...told('foundAt01Percent'),
    ...told('foundAt1Percent'),
    ...told('foundAt10Percent'),
    ...told('balancedAccuracy'),
    ...told('bitsMax'),
    ...told('meanInverseRatioMembers'),
    ...told('meanRatioOthers'),
    ...withErrors('power', power && power[0]!, power ? keptErrors(power) : unknown),
    ...(power ? {} : { powerReason: 'the ratios do not vary, or separate members from others completely' }),
    roc: TOLD_FALSE_ALARMS.map((falseAlarms, at) => {
      const found = Float64Array.from(evaluations, (of) => of.told[at]!);
      return { falseAlarms, ...withErrors('found', found[0]!, keptErrors(found)) };
    }),
  };
}
