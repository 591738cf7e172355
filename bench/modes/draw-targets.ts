import type { ChainSampler } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type CandidateSpace, candidateChanges } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';

/** Records that have another value in the second table. */
export interface Targets {
  /** Their places in the tables. */
  readonly records: readonly number[];
  /** What they are in the first table, targets x variables. */
  readonly centres: Uint16Array;
  /** Their value in the second table, as a candidate around that in the first; one a target. */
  readonly candidates: readonly number[];
  /** Whether that value was drawn from the model, or with equal probabilities; one a target. */
  readonly typical: readonly boolean[];
  /** The second table, records x variables. */
  readonly altered: Uint16Array;
}

/** Chains from which typical values are drawn, and how long they are. */
const PRIOR_CHAINS = 8;
const PRIOR_SCHEDULE = { burnIn: 1000, draws: 50, thin: 10 };

/**
 * Records chosen at random, with other values of one variable: every other one by the model's own probabilities given
 * its other values, and the rest with equal probabilities. Those that would keep their value are left out.
 *
 * @param codes the first table, records x variables
 * @param space one-change candidates, or all values of unknown variables
 * @param model bound to the first table
 * @param wanted how many records are chosen
 */
export function drawTargets(codes: Uint16Array, space: CandidateSpace, model: ChainSampler, wanted: number, seed: number): Targets {
  const variables = space.sizes.length;
  const random = new RandomStream(seed, 'two-tables/targets');
  const records = Array.from({ length: codes.length / variables }, (_, i) => i);
  for (let t = 0; t < wanted; t++) {
    const other = t + random.below(records.length - t);
    [records[t], records[other]] = [records[other]!, records[t]!];
  }
  const chosen = records.slice(0, wanted);
  const rowOf = (record: number) => codes.subarray(record * variables, (record + 1) * variables);
  const ratios = priorRatios(space, rowsOf(chosen.map(rowOf)), model, seed);
  const found = chosen.flatMap((record, t) => {
    const typical = t % 2 === 1;
    const own = ratios.subarray(t * space.perCombination, (t + 1) * space.perCombination);
    const candidate = typical ? drawTypical(space, rowOf(record), own, random) : 1 + random.below(space.perCombination - 1);
    return candidate > 0 ? [{ record, candidate, typical }] : [];
  });
  const altered = codes.slice();
  for (const { record, candidate } of found) {
    for (const { variable, code } of candidateChanges(space, rowOf(record), candidate)) {
      altered[record * variables + variable] = code;
    }
  }
  return {
    records: found.map(({ record }) => record),
    centres: rowsOf(found.map(({ record }) => rowOf(record))),
    candidates: found.map(({ candidate }) => candidate),
    typical: found.map(({ typical }) => typical),
    altered,
  };
}

/** Probabilities that the model gives the candidates of each row, against the row itself: rows x candidates. */
function priorRatios(space: CandidateSpace, centres: Uint16Array, model: ChainSampler, seed: number): Float64Array {
  const scorer = createRatioScorer(space, centres);
  const mean = new Float64Array((centres.length / space.sizes.length) * space.perCombination);
  for (let c = 0; c < PRIOR_CHAINS; c++) {
    const random = new RandomStream(seed, `two-tables/prior/${c}`);
    const { draws } = sampleChain(model, model.init(random), random, PRIOR_SCHEDULE, { name: 'prior' });
    const own = ratioMeans(scorer, draws, mean.length).mean;
    for (let i = 0; i < mean.length; i++) mean[i]! += own[i]! / PRIOR_CHAINS;
  }
  return mean;
}

/**
 * A value of a variable chosen at random, by the model's probabilities given the others; 0 for the record's own.
 *
 * @param ratios those probabilities against that of its own value, one a candidate
 */
function drawTypical(space: CandidateSpace, centre: Uint16Array, ratios: Float64Array, random: RandomStream): number {
  const variable = space.unknown[random.below(space.unknown.length)]!;
  const others = Array.from({ length: space.perCombination - 1 }, (_, x) => x + 1).filter((x) => {
    const changes = candidateChanges(space, centre, x);
    return changes.length === 1 && changes[0]!.variable === variable;
  });
  const weights = [1, ...others.map((x) => ratios[x]!)];
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return place > 0 ? others[place - 1]! : 0;
}

const rowsOf = (rows: readonly Uint16Array[]) => Uint16Array.from(rows.flatMap((row) => [...row]));
