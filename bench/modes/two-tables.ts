import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import {
  type CandidateSpace,
  candidateChanges,
  candidateSpace,
} from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { combinationsFromCodes, stackCombinations } from '../../shared/table/distinct-rows.ts';
import type { StudyTable } from './study-tables.ts';

/** Lengths of the paired chains that are compared, in iterations. */
export const LENGTHS = [150, 750, 3750] as const;

/** What comes between those lengths: draws, and iterations from one to the next. */
const STRETCHES = [
  { burnIn: 0, draws: 30, thin: 5 },
  { burnIn: 0, draws: 120, thin: 5 },
  { burnIn: 0, draws: 120, thin: 25 },
] as const;

/** Each stretch is four times as long as what comes before it. */
const SHARE_OF_STRETCH = 0.8;

/** Paired chains of a side, and those of them that go on to the longest length. */
const PAIRED_CHAINS = 4;
const LONG_CHAINS = 2;

/** Two tables that differ in their targets, and datasets of both. */
export interface TwoTables {
  readonly name: string;
  /** Chains of each table; each makes one dataset. */
  readonly chains: number;
  readonly burnIn: number;
  /** Targets that have another value in the second table: drawn from the model (typical) or with equal probabilities. */
  readonly typical: readonly boolean[];
  /**
   * Logarithm of the mean of r, that of the target's value in the second table against that in the first, over the
   * paired chains of a dataset: tables x chains x 2 sides (on the first table stacked with the dataset, and on it alone)
   * x LENGTHS x targets.
   */
  readonly logMeans: Float32Array;
}

/** What is run. */
export interface TwoTablesRequest {
  readonly name: string;
  readonly table: StudyTable;
  readonly seed: number;
  readonly chains: number;
  readonly burnIn: number;
  /** Share of the records that become targets, and the most of them. */
  readonly share: number;
  readonly mostTargets: number;
}

/** A target's value in the second table, as a candidate around its value in the first. */
interface Target {
  readonly record: number;
  readonly candidate: number;
  readonly typical: boolean;
}

/**
 * Makes the second table, runs the synthesizer on each, and finds for every dataset what the paired terms and the modes
 * say of each target, all on the first table. Which table a dataset is of is the truth that is to be found, and no chain
 * is given it but those that synthesize (docs/estimators.md, why no term compares modes).
 */
export function twoTables(request: TwoTablesRequest): TwoTables {
  const { name, table, seed, chains, burnIn, share, mostTargets } = request;
  const { sizes, classes } = table;
  const records = table.codes.length / sizes.length;
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  const combinations = (codes: Uint16Array) =>
    combinationsFromCodes(codes, records, sizes.length).combinations;
  const first = combinations(table.codes);
  const settings = { classes, concentration: { shape: 0.25, rate: 0.25 } };
  const firstModel = createDpmpm(first, sizes, settings);
  type Model = typeof firstModel;

  const wanted = Math.min(mostTargets, Math.floor(records * share));
  const prior = (centres: Uint16Array) => {
    const scorer = createRatioScorer(space, centres);
    const mean = new Float64Array((centres.length / sizes.length) * space.perCombination);
    for (let c = 0; c < PRIOR_CHAINS; c++) {
      const random = new RandomStream(seed, `two-tables/prior/${c}`);
      const schedule = { burnIn: 1000, draws: 50, thin: 10 };
      const { draws } = sampleChain(firstModel, firstModel.init(random), random, schedule, 'prior');
      const own = ratioMeans(scorer, draws, mean.length).mean;
      for (let i = 0; i < mean.length; i++) mean[i]! += own[i]! / PRIOR_CHAINS;
    }
    return mean;
  };
  const targets = drawTargets(
    table.codes,
    space,
    wanted,
    prior,
    new RandomStream(seed, 'two-tables/targets'),
  );
  const centres = new Uint16Array(targets.length * sizes.length);
  const altered = table.codes.slice();
  for (const [t, { record, candidate }] of targets.entries()) {
    const centre = table.codes.subarray(record * sizes.length, (record + 1) * sizes.length);
    centres.set(centre, t * sizes.length);
    for (const { variable, code } of candidateChanges(space, centre, candidate)) {
      altered[record * sizes.length + variable] = code;
    }
  }
  const scorer = createRatioScorer(space, centres);
  const length = targets.length * space.perCombination;
  const ratiosOf = (mean: Float64Array) =>
    Float64Array.from(targets, ({ candidate }, t) => mean[t * space.perCombination + candidate]!);

  /** Means of r over a chain from a state, up to each length. */
  const runSide = (model: Model, start: ChainState, stream: string, stretches: number) => {
    const random = new RandomStream(seed, stream);
    const upTo: Float64Array[] = [];
    let state = start;
    for (const schedule of STRETCHES.slice(0, stretches)) {
      const { draws, last } = sampleChain(model, state, random, schedule, stream);
      state = last;
      const own = ratiosOf(ratioMeans(scorer, draws, length).mean);
      const before = upTo.at(-1);
      upTo.push(
        before ? own.map((value, t) => SHARE_OF_STRETCH * value + (1 - SHARE_OF_STRETCH) * before[t]!) : own,
      );
    }
    return upTo;
  };
  const side = (model: Model, start: ChainState, stream: string) => {
    const runs = Array.from({ length: PAIRED_CHAINS }, (_, c) =>
      runSide(model, start, `${stream}/${c}`, c < LONG_CHAINS ? LENGTHS.length : LENGTHS.length - 1),
    );
    return LENGTHS.map((_, l) => {
      const reached = runs.filter((upTo) => upTo.length > l);
      return Float32Array.from(targets, (__, t) =>
        Math.log(reached.reduce((sum, upTo) => sum + upTo[l]![t]!, 0) / reached.length),
      );
    });
  };

  const logMeans = new Float32Array(2 * chains * 2 * LENGTHS.length * targets.length);
  let at = 0;
  for (const [label, model] of [firstModel, createDpmpm(combinations(altered), sizes, settings)].entries()) {
    for (let c = 0; c < chains; c++) {
      const stream = `two-tables/${label}/${burnIn}/${c}`;
      const random = new RandomStream(seed, stream);
      const generating = model.step(model.init(random), random, burnIn);
      const dataset = combinations(synthesizeRecords(generating, sizes, records, random));
      const stacked = createDpmpm(stackCombinations(first, dataset), sizes, settings);
      for (const lengths of [
        side(stacked, generating, `${stream}/stacked`),
        side(firstModel, generating, `${stream}/alone`),
      ]) {
        for (const values of lengths) {
          logMeans.set(values, at);
          at += values.length;
        }
      }
    }
  }
  return { name, chains, burnIn, typical: targets.map(({ typical }) => typical), logMeans };
}

/** Chains from which typical values are drawn. */
const PRIOR_CHAINS = 8;

/**
 * Records chosen at random, with other values of one variable: every other one by the model's own probabilities given
 * its other values, and the rest with equal probabilities. Those that would keep their value are left out.
 */
function drawTargets(
  codes: Uint16Array,
  space: CandidateSpace,
  wanted: number,
  prior: (centres: Uint16Array) => Float64Array,
  random: RandomStream,
): Target[] {
  const { sizes, perCombination } = space;
  const variables = sizes.length;
  const records = Array.from({ length: codes.length / variables }, (_, i) => i);
  for (let t = 0; t < wanted; t++) {
    const other = t + random.below(records.length - t);
    [records[t], records[other]] = [records[other]!, records[t]!];
  }
  const chosen = records.slice(0, wanted);
  const ratios = prior(
    Uint16Array.from(
      { length: wanted * variables },
      (_, i) => codes[chosen[Math.floor(i / variables)]! * variables + (i % variables)]!,
    ),
  );
  return chosen
    .map((record, t): Target => {
      const typical = t % 2 === 1;
      if (!typical) return { record, candidate: 1 + random.below(perCombination - 1), typical };
      const variable = random.below(variables);
      const from = 1 + sizes.slice(0, variable).reduce((sum, size) => sum + size - 1, 0);
      const own = Array.from({ length: sizes[variable]! - 1 }, (_, x) => from + x);
      const weights = [1, ...own.map((x) => ratios[t * perCombination + x]!)];
      let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
      const place = weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      });
      return { record, candidate: place > 0 ? own[place - 1]! : 0, typical };
    })
    .filter(({ candidate }) => candidate > 0);
}
