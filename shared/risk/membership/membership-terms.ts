import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { log } from '../../numeric/portable-math.ts';
import type { ExpectationTerm } from '../attribute/expectation.ts';

/**
 * One term of log P(Z | D_-i, x) - log P(Z | D_-i), the logarithm of the likelihood ratio of a person's being in the table
 * against being absent: a coefficient times the logarithm of an expectation over some chains
 * (docs/explanation/membership.md).
 */
export interface MembershipTerm extends Pick<ExpectationTerm, 'coefficient' | 'chains' | 'pool' | 'dataset'> {
  /** For each chain, the logarithm of the mean over its draws, an entry a person. */
  readonly logMeans: readonly Float64Array[];
  /** The same over the first half of the draws of each chain; none where chains are no paired ones. */
  readonly logHalves: readonly Float64Array[];
}

/** Terms of the rows of a batch, and of people who are not in the table. */
export interface MembershipTerms {
  readonly members: readonly MembershipTerm[];
  readonly others: readonly MembershipTerm[];
}

/** What a chain says of persons: the logarithm of the mean over its draws, and over the first of them where these are asked for. */
export interface LogMeans {
  readonly means: Float64Array;
  readonly half?: Float64Array;
}

/** The logarithm of a mean, of the first numbers of some that are given by their logarithms. */
export const logMean = (logs: Float64Array, count = logs.length): number => logSumExp(logs, 0, count) - log(count);

/**
 * Logarithms of means over the draws of a chain of what is given by its logarithm.
 *
 * @param logs draws x persons
 * @param half draws of the first half; 0 where it is not asked for
 */
export function logMeans(logs: Float64Array, persons: number, half = 0): LogMeans {
  const draws = logs.length / persons;
  const ofPerson = new Float64Array(draws);
  const means = new Float64Array(persons);
  const halves = new Float64Array(half > 0 ? persons : 0);
  for (let person = 0; person < persons; person++) {
    for (let draw = 0; draw < draws; draw++) ofPerson[draw] = logs[draw * persons + person]!;
    means[person] = logMean(ofPerson);
    if (half > 0) halves[person] = logMean(ofPerson, half);
  }
  return { means, ...(half > 0 ? { half: halves } : {}) };
}

/** A {@link MembershipTerm} of chains, one after the other. */
export const membershipTerm = (of: Omit<MembershipTerm, 'logMeans' | 'logHalves'>, chains: readonly LogMeans[]): MembershipTerm => ({
  ...of,
  logMeans: chains.map(({ means }) => means),
  logHalves: chains.flatMap(({ half }) => half ?? []),
});
