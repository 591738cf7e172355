import type { ChainDraws } from '../../shared/model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import type { CandidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { findCombinations } from '../../shared/table/distinct-rows.ts';
import type { Targets } from './draw-targets.ts';

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

/** A chain that has run: means of r over it up to each length, and where it goes on from. */
export interface SideRun {
  /** Lengths x targets. */
  readonly upTo: readonly Float64Array[];
  readonly last: ChainState;
}

/** Runs a chain of a model from a state, over so many of the lengths. */
export type RunSide = (model: ChainSampler, start: ChainState, random: RandomStream, lengths: number) => SideRun;

/** Records of the targets with what a partially synthetic dataset has for them in further columns. */
export interface Beside {
  /** Targets x columns. */
  readonly codes: Uint16Array;
  readonly variableOfColumn: readonly number[];
}

/**
 * Runs chains that find the mean of r of each target: of its value in the second table against that in the first.
 *
 * @param by combinations of the first table, which are the first ones of all models that are run, for phi to be
 * integrated out (docs/explanation/estimators.md); or further columns of the targets, which phi is drawn for
 */
export function sideRunner(space: CandidateSpace, targets: Targets, by: Combinations | Beside): RunSide {
  const { centres, candidates } = targets;
  const beside = 'variableOfColumn' in by ? by : null;
  const first = 'variableOfColumn' in by ? null : by;
  const scorer = beside ? createRatioScorer(space, beside.codes, beside.variableOfColumn) : createRatioScorer(space, centres);
  const places = first && findCombinations(first, centres);
  const length = candidates.length * space.perCombination;
  const meanRatios = (draws: ChainDraws) => {
    const scored = first && places ? ofRows(draws, first.count, places) : draws;
    const { mean } = ratioMeans(scorer, scored, length);
    return Float64Array.from(candidates, (candidate, t) => mean[t * space.perCombination + candidate]!);
  };
  return (model, start, random, lengths) => {
    const upTo: Float64Array[] = [];
    let state = start;
    for (const stretch of STRETCHES.slice(0, lengths)) {
      const schedule = { ...stretch, keepAllocation: first?.count };
      const { draws, last } = sampleChain(model, state, random, schedule, { name: 'paired' });
      state = last;
      const own = meanRatios(draws);
      const before = upTo.at(-1);
      upTo.push(before ? own.map((value, t) => SHARE_OF_STRETCH * value + (1 - SHARE_OF_STRETCH) * before[t]!) : own);
    }
    return { upTo, last: state };
  };
}

/** The draws with the classes of some combinations alone, in the order of `places`. */
function ofRows(draws: ChainDraws, combinations: number, places: Uint32Array): ChainDraws {
  const { counts, classOfCombination } = draws.allocation!;
  const rows = places.length;
  const classes = new Uint16Array(draws.draws * rows);
  for (let draw = 0; draw < draws.draws; draw++) {
    for (let row = 0; row < rows; row++) {
      classes[draw * rows + row] = classOfCombination[draw * combinations + places[row]!]!;
    }
  }
  return { ...draws, allocation: { counts, classOfCombination: classes } };
}

/** Logarithms of the means over chains: within the logarithm (arithmetic), or of the logarithms (geometric). */
export function pooledLogMeans(runs: readonly SideRun[], pool: 'arithmetic' | 'geometric'): Float64Array[] {
  const longest = runs.reduce((most, { upTo }) => Math.max(most, upTo.length), 0);
  return Array.from({ length: longest }, (_, l) => {
    const reached = runs.flatMap(({ upTo }) => (upTo.length > l ? [upTo[l]!] : []));
    const over = (value: (mean: number) => number) =>
      reached[0]!.map((__, t) => reached.reduce((sum, means) => sum + value(means[t]!), 0) / reached.length);
    return pool === 'geometric' ? over(Math.log) : over((mean) => mean).map(Math.log);
  });
}
