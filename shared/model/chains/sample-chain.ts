import { NumericalError } from '../../contracts/errors.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { type ChainDraws, someDraws } from './chain-draws.ts';
import type { ChainSampler, ChainState } from './chain-sampler.ts';

/** How long a chain runs and which of its draws are kept. */
export interface Schedule {
  readonly burnIn: number;
  readonly draws: number;
  readonly thin: number;
  /** Whether kept draws hold `latent`, which a chain needs to go on from them; true unless said otherwise. */
  readonly keepLatent?: boolean;
  /**
   * Of how many combinations, the first ones, the classes behind each kept draw are kept with what all classes hold, to integrate phi out;
   * without it nothing of an allocation is kept.
   */
  readonly keepAllocation?: number | undefined;
}

/** What a chain that has run kept, and the state to go on from. */
export interface SampledChain {
  readonly draws: ChainDraws;
  readonly last: ChainState;
}

/**
 * Runs one chain of a model from a starting state.
 *
 * @param name of the chain, for errors
 * @throws NumericalError naming chain and iteration when a draw is not a number; RangeError when a sampler without
 * allocations is to keep them
 */
export function sampleChain(
  model: ChainSampler,
  start: ChainState,
  random: RandomStream,
  schedule: Schedule,
  { name, onIteration }: { readonly name: string; readonly onIteration?: (() => void) | undefined },
): SampledChain {
  const { burnIn, draws, thin, keepLatent = true, keepAllocation } = schedule;
  const classes = start.weights.length;
  const categories = start.probabilities.length / classes;
  const kept: ChainDraws = {
    draws,
    classes,
    categories,
    weights: new Float64Array(draws * classes),
    probabilities: new Float64Array(draws * categories * classes),
    concentration: new Float64Array(draws),
    occupiedClasses: new Uint16Array(draws),
    logLikelihood: new Float64Array(draws),
    ...(keepLatent && start.latent && { latent: new Float64Array(draws * start.latent.length) }),
    ...(keepAllocation !== undefined && {
      allocation: { counts: new Uint32Array(draws * categories * classes), classOfCombination: new Uint16Array(draws * keepAllocation) },
    }),
  };
  if (kept.allocation && !model.allocation) throw new RangeError('the sampler gives no allocation');
  const total = burnIn + draws * thin;
  let done = 0;
  const advance = (from: ChainState, iterations: number): ChainState => {
    try {
      return model.step(from, random, iterations, () => {
        done++;
        onIteration?.();
      });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new NumericalError('sampler-failed', `Chain ${name}, iteration ${done + 1} of ${total}: ${error.message}.`);
    }
  };
  const valueSums: Float64Array[] = [];
  let state = advance(start, burnIn);
  for (let draw = 0; draw < draws; draw++) {
    state = advance(state, thin);
    const allocation = kept.allocation && model.allocation?.();
    if (allocation) {
      const { counts, classOfCombination } = allocation;
      kept.allocation?.counts.set(counts, draw * categories * classes);
      const own = classOfCombination.subarray(0, keepAllocation);
      kept.allocation?.classOfCombination.set(own, draw * own.length);
      if (allocation.valueSums) valueSums.push(allocation.valueSums);
    }
    kept.weights.set(state.weights, draw * classes);
    kept.probabilities.set(state.probabilities, draw * categories * classes);
    kept.concentration[draw] = state.concentration;
    kept.occupiedClasses[draw] = state.occupiedClasses;
    kept.logLikelihood[draw] = model.logLikelihood(state);
    if (state.latent) kept.latent?.set(state.latent, draw * state.latent.length);
  }
  const allocation = kept.allocation && valueSums.length > 0 && { allocation: { ...kept.allocation, valueSums: endToEnd(valueSums) } };
  return { draws: { ...kept, ...allocation }, last: state };
}

function endToEnd(vectors: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}

/** The state that a kept draw holds: all that a chain needs to go on from it. */
export function stateOfDraw(chain: ChainDraws, draw: number): ChainState {
  const { classes, categories, latent } = chain;
  const length = latent ? latent.length / chain.draws : 0;
  return {
    weights: chain.weights.slice(draw * classes, (draw + 1) * classes),
    probabilities: chain.probabilities.slice(draw * categories * classes, (draw + 1) * categories * classes),
    concentration: chain.concentration[draw]!,
    occupiedClasses: chain.occupiedClasses[draw]!,
    ...(latent && { latent: latent.slice(draw * length, (draw + 1) * length) }),
  };
}

/** The draws of a chain that kept one draw of another, without an allocation, sharing its arrays. */
export function chainOfDraw(chain: ChainDraws, draw: number): ChainDraws {
  const { allocation: _, ...kept } = someDraws(chain, draw, draw + 1);
  return kept;
}
