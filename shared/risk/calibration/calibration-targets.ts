import { log } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { type CandidateSpace, candidateChanges } from '../intruder/candidate-space.ts';
import { createRatioScorer } from '../scoring/likelihood-ratio.ts';
import type { RatioScorer } from '../scoring/ratio-scorer.ts';

/** Records of a table that were replaced, each by one of its candidates. */
export interface CalibrationTargets {
  /** The candidate that took the place of each record: the truth that is to be found. */
  readonly truths: Uint32Array;
  /** Which records of the table they are (from 0). */
  readonly records: Uint32Array;
  /** 1 for those whose values no other record had before they were replaced. */
  readonly unique: Uint8Array;
  /** What the records were, where candidates are around that: targets x variables. */
  readonly centres?: Uint16Array;
}

/** Targets whose candidate sets stay around what the records were. */
type CentredTargets = Required<Pick<CalibrationTargets, 'centres' | 'truths'>>;

/** Distinct records of a table, chosen at random one after the other. Throws RangeError for more than it has. */
export function* chooseRecords(records: number, targets: number, random: RandomSource): Generator<number> {
  if (targets > records) throw new RangeError(`${targets} targets among ${records} records`);
  const order = Uint32Array.from({ length: records }, (_, i) => i);
  for (let t = 0; t < targets; t++) {
    const other = t + random.below(records - t);
    [order[t], order[other]] = [order[other]!, order[t]!];
    yield order[t]!;
  }
}

/**
 * Chooses distinct records at random and replaces each by a member of its candidate set drawn uniformly, which is what
 * the intruder's prior says of it (docs/explanation/calibration.md).
 *
 * @param codes records x variables; left as they are
 * @throws RangeError when the table has fewer records than targets
 */
export function drawTargets(
  codes: Uint16Array,
  space: CandidateSpace,
  targets: number,
  random: RandomSource,
): CentredTargets & Pick<CalibrationTargets, 'records'> & { readonly codes: Uint16Array } {
  const variables = space.sizes.length;
  const altered = codes.slice();
  const centres = new Uint16Array(targets * variables);
  const truths = new Uint32Array(targets);
  const records = new Uint32Array(targets);
  let t = 0;
  for (const record of chooseRecords(codes.length / variables, targets, random)) {
    const from = record * variables;
    const centre = codes.subarray(from, from + variables);
    records[t] = record;
    centres.set(centre, t * variables);
    truths[t] = random.below(space.perCombination);
    for (const { variable, code } of candidateChanges(space, centre, truths[t]!)) {
      altered[from + variable] = code;
    }
    t++;
  }
  return { codes: altered, records, centres, truths };
}

/**
 * A scorer for replaced records: the candidates are those around the values that a record had, and r_x is taken against
 * the value that it has, f(x | Theta) / f(truth | Theta), as the identity of docs/explanation/estimators.md asks of a
 * table that holds the truth.
 *
 * @param scorer of the candidates against the centres
 */
export function createTruthScorer(
  space: CandidateSpace,
  { centres, truths }: CentredTargets,
  scorer: RatioScorer = createRatioScorer(space, centres, undefined, heldValues(space, { centres, truths })),
): RatioScorer {
  const candidates = space.perCombination;
  return (weights, probabilities, ratios, logWeights, allocation) => {
    scorer(weights, probabilities, ratios, logWeights, allocation);
    for (let t = 0; t < truths.length; t++) {
      const from = t * candidates;
      const truth = ratios[from + truths[t]!]!;
      for (let x = 0; x < candidates; x++) ratios[from + x]! /= truth;
      if (logWeights) logWeights[t]! -= log(truth);
    }
  };
}

/** What the targets have in the table: targets x variables. */
export function heldValues(space: CandidateSpace, { centres, truths }: CentredTargets): Uint16Array {
  const variables = space.sizes.length;
  const held = centres.slice();
  for (const [t, truth] of truths.entries()) {
    const centre = centres.subarray(t * variables, (t + 1) * variables);
    for (const { variable, code } of candidateChanges(space, centre, truth)) {
      held[t * variables + variable] = code;
    }
  }
  return held;
}
