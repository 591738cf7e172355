import type { BeliefFigures } from '../../contracts/results/attack.ts';
import { LN2, log } from '../../numeric/portable-math.ts';
import type { KeyTargetPairs } from './disclosure.ts';

/** What is said of one target in one dataset. */
export interface KeyBeliefs {
  readonly figures: BeliefFigures;
  /** Positive information disclosure of each record of the table. */
  readonly pid: Float64Array;
}

/**
 * What the rows with the keys of a person reveal about the target, as Wagner and Eckhoff (2018, sections 5.2.7 and 5.2.11)
 * define it and riskutility has it, in one dataset (docs/explanation/compared.md). With n(t) / n the share of a value in the table and
 * s(q, t) / s(q, .) that among the rows with keys q, positive information disclosure is the largest over the table's values of
 * the second by the first, less 1; 0 where no row has the keys. Maximum information leakage is the entropy of the target less the
 * least entropy among rows with the same keys, in bits, of one file.
 */
export function keyBeliefs(pairs: KeyTargetPairs): KeyBeliefs {
  const { keysOfPair, pairOfRecord, tableKeys, datasetKeys } = pairs;
  const ofKeys = largestGains(pairs);
  const pid = Float64Array.from(pairOfRecord, (pair) => ofKeys[keysOfPair[pair]!]!);
  return {
    figures: {
      pidMean: pid.reduce((sum, one) => sum + one, 0) / pid.length,
      pidMax: pid.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY),
      maxInfoLeakage: largestLeakage(keysOfPair, { pairs: pairs.dataset, keys: datasetKeys, targets: pairs.targetOfPair }),
      maxInfoLeakageOriginal: largestLeakage(keysOfPair, { pairs: pairs.table, keys: tableKeys, targets: pairs.targetOfPair }),
    },
    pid,
  };
}

/**
 * Delta-presence of each record, as riskutility has it: how many rows of the dataset have its keys, by how many records of the table
 * have them, 1 at most. That is the probability of Nergiz, Atzori and Clifton (2007) where the dataset is a part of the table.
 */
export function membershipProbabilities({ keysOfPair, pairOfRecord, tableKeys, datasetKeys }: KeyTargetPairs): Float64Array {
  return Float64Array.from(pairOfRecord, (pair) => Math.min(1, datasetKeys[keysOfPair[pair]!]! / tableKeys[keysOfPair[pair]!]!));
}

/** Of each combination of keys the largest relative gain of a value that the table has; 0 of one that the dataset does not have. */
function largestGains({ keysOfPair, targetOfPair, pairOfRecord, table, dataset, datasetKeys }: KeyTargetPairs): Float64Array {
  const priors = sumsBy(targetOfPair, table);
  const gains = new Float64Array(datasetKeys.length).fill(-1);
  for (const [pair, key] of keysOfPair.entries()) {
    const prior = priors.get(targetOfPair[pair]!)! / pairOfRecord.length;
    if (prior === 0) continue;
    const posterior = datasetKeys[key] === 0 ? prior : dataset[pair]! / datasetKeys[key]!;
    gains[key] = Math.max(gains[key]!, posterior / prior - 1);
  }
  return gains;
}

/** Entropy of the target in a file, less the least among records that share their keys, in bits. */
function largestLeakage(
  keysOfPair: Uint32Array,
  { pairs, keys, targets }: { readonly pairs: Uint32Array; readonly keys: Uint32Array; readonly targets: Uint32Array },
): number {
  const entropies = new Float64Array(keys.length);
  for (const [pair, key] of keysOfPair.entries()) {
    if (pairs[pair]! > 0) entropies[key]! -= term(pairs[pair]! / keys[key]!);
  }
  let least = Number.POSITIVE_INFINITY;
  for (const [key, entropy] of entropies.entries()) if (keys[key]! > 0 && entropy < least) least = entropy;
  const records = keys.reduce((sum, count) => sum + count, 0);
  const whole = [...sumsBy(targets, pairs).values()].reduce((sum, count) => (count === 0 ? sum : sum - term(count / records)), 0);
  // The mean over keys is mutual information: below 0 is rounding.
  return Math.max(0, (whole - least) / LN2);
}

const term = (share: number): number => share * log(share);

/** Sums of counts by what they are of. */
function sumsBy(of: Uint32Array, counts: Uint32Array): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [i, one] of of.entries()) sums.set(one, (sums.get(one) ?? 0) + counts[i]!);
  return sums;
}
