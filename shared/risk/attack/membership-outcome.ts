import type { MembershipOutcome } from '../../contracts/results/attack.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { foundAt, rocCurve } from '../membership/roc.ts';

/** Scores of a test of membership, larger for whoever is rather in the table. At least two people on either side. */
export interface MembershipScores {
  readonly members: Float64Array;
  readonly others: Float64Array;
}

/** What a test finds. */
type Found = Omit<MembershipOutcome, 'test' | 'syntheticRows' | 'referenceRecords' | 'ofOptimal'>;

/** Resamples of the people, for errors of shares that are found: their own error is then a twentieth (Efron and Tibshirani 1993). */
const RESAMPLES = 200;

/** How many people of each side have each of the distinct scores, the largest score first. */
interface ScoreCounts {
  readonly members: Float64Array;
  readonly others: Float64Array;
}

/**
 * The area below the ROC with its error over members and others (DeLong, DeLong and Clarke-Pearson 1988), and the share of members
 * that are found at 1 % and 10 % false alarms, with errors of a bootstrap of both samples.
 *
 * @param random draws the resamples
 */
export function membershipOutcome({ members, others }: MembershipScores, random: RandomSource): Found {
  const distinct = Float64Array.from(new Set([...members, ...others]))
    .sort()
    .reverse();
  const places = new Map(Array.from(distinct, (score, place) => [score, place]));
  const [ofMembers, ofOthers] = [members, others].map((scores) => Uint32Array.from(scores, (score) => places.get(score)!));
  const count = (from: Uint32Array): Float64Array => {
    const counts = new Float64Array(distinct.length);
    for (const place of from) counts[place]!++;
    return counts;
  };
  const curve = rocCurve({ bits: members, weights: once(members) }, { bits: others, weights: once(others) });
  const resampled = Array.from({ length: RESAMPLES }, () =>
    rocCurve({ bits: members, weights: drawn(members, random) }, { bits: others, weights: drawn(others, random) }),
  );
  const found = (falseAlarms: number) => ({
    share: foundAt(curve, falseAlarms),
    se: standardDeviation(resampled.map((one) => foundAt(one, falseAlarms))),
  });
  const [at1, at10] = [found(0.01), found(0.1)];
  return {
    ...areaBelow({ members: count(ofMembers!), others: count(ofOthers!) }),
    foundAt1Percent: at1.share,
    foundAt1PercentSe: at1.se,
    foundAt10Percent: at10.share,
    foundAt10PercentSe: at10.se,
    members: members.length,
    others: others.length,
  };
}

/** How probably a member has the larger score, ties counting half, and its error: of the shares of the other side below and above each. */
function areaBelow(counts: ScoreCounts): { auc: number; aucSe: number } {
  const [members, others] = [sum(counts.members), sum(counts.others)];
  const below = new Float64Array(counts.members.length);
  const above = below.slice();
  let [membersAbove, othersAbove] = [0, 0];
  for (let place = 0; place < below.length; place++) {
    above[place] = (membersAbove + counts.members[place]! / 2) / members;
    below[place] = (others - othersAbove - counts.others[place]! / 2) / others;
    membersAbove += counts.members[place]!;
    othersAbove += counts.others[place]!;
  }
  const auc = below.reduce((total, share, place) => total + share * counts.members[place]!, 0) / members;
  const variance = (shares: Float64Array, { length, people }: { length: Float64Array; people: number }) =>
    shares.reduce((total, share, place) => total + length[place]! * (share - auc) * (share - auc), 0) / (people - 1) / people;
  const squared = variance(below, { length: counts.members, people: members }) + variance(above, { length: counts.others, people: others });
  return { auc: Math.min(1, auc), aucSe: Math.sqrt(squared) };
}

const once = (scores: Float64Array) => new Uint32Array(scores.length).fill(1);

/** How often each of some people is in a resample of them. */
function drawn({ length }: Float64Array, random: RandomSource): Uint32Array {
  const weights = new Uint32Array(length);
  for (let i = 0; i < length; i++) weights[random.below(length)]!++;
  return weights;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
