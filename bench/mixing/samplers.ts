import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { log } from '../../shared/numeric/portable-math.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { ExplicitAllocation } from './explicit-allocation.ts';
import { SplitMerge, tallyRecord } from './split-merge.ts';

type CreateDpmpm = typeof createDpmpm;

/** The library's sampler with other numbers of label moves, in multiples of the classes. */
export function withLabelMoves(multiple: number): CreateDpmpm {
  return (combinations, sizes, settings) =>
    createDpmpm(combinations, sizes, { ...settings, labelMoves: Math.round(multiple * settings.classes) });
}

/** The library's sampler with split-merge proposals between blocks of its iterations. */
export function withSplitMerge(every: number, proposals: number, count?: (proposed: number, accepted: number) => void): CreateDpmpm {
  return (combinations, sizes, settings): ChainSampler => {
    const model = createDpmpm(combinations, sizes, settings);
    const explicit = new ExplicitAllocation(combinations, sizes, settings);
    return {
      ...model,
      step(start, random, iterations = 1, onIteration = () => undefined) {
        let state = start;
        for (let left = iterations; left > 0; left -= every) {
          const block = Math.min(left, every);
          state = model.step(state, random, block - 1, onIteration);
          const allocation = explicit.allocate(state, random);
          const moves = new SplitMerge(allocation, sizes);
          for (let i = 0; i < proposals; i++) moves.propose(state.concentration, random);
          count?.(moves.proposed, moves.accepted);
          state = explicit.drawParameters(allocation, state.concentration, random);
          onIteration();
        }
        return state;
      },
    };
  };
}

/** The library's sampler started with all records in the first few classes, at random. */
export function startingInFew(few: number): CreateDpmpm {
  return startingFrom((explicit, random) => {
    const allocation = explicit.empty();
    for (let record = 0; record < explicit.records; record++) {
      allocation.classOf[record] = random.below(few);
      tallyRecord(allocation, record, allocation.classOf[record]!, 1);
    }
    return allocation;
  });
}

/**
 * The library's sampler started by putting one record after the other, in random order, into a class with its
 * predictive probability given those before it; a class without records has the weight of the prior's alpha of 1.
 */
export const startingSequentially: CreateDpmpm = (combinations, sizes, settings) =>
  startingFrom((explicit, random) => {
    const allocation = explicit.empty();
    const { classOf, classCounts, categoryCounts, categoriesOf } = allocation;
    const classes = classCounts.length;
    const variables = sizes.length;
    const order = Uint32Array.from({ length: explicit.records }, (_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const other = random.below(i + 1);
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    const sums = new Float64Array(classes);
    for (const record of order) {
      let total = 0;
      let newClass = true;
      for (let f = 0; f < classes; f++) {
        const count = classCounts[f]!;
        let weight = count > 0 ? count : newClass ? 1 : 0;
        if (count === 0) newClass = false;
        for (let k = 0; k < variables; k++) {
          const own = categoryCounts[categoriesOf[record * variables + k]! * classes + f]!;
          weight *= (own + 1) / (count + sizes[k]!);
        }
        total += weight;
        sums[f] = total;
      }
      const target = random.uniform() * total;
      let f = 0;
      while (f < classes - 1 && sums[f]! <= target) f++;
      classOf[record] = f;
      tallyRecord(allocation, record, f, 1);
    }
    return allocation;
  })(combinations, sizes, settings);

function startingFrom(start: (explicit: ExplicitAllocation, random: RandomStream) => ReturnType<ExplicitAllocation['empty']>): CreateDpmpm {
  return (combinations, sizes, settings) => {
    const model = createDpmpm(combinations, sizes, settings);
    return {
      ...model,
      init(random) {
        const explicit = new ExplicitAllocation(combinations, sizes, settings);
        const alpha = 'value' in settings.concentration ? settings.concentration.value : 1;
        return explicit.drawParameters(start(explicit, random), alpha, random);
      },
    };
  };
}

/** What a ladder of tempered chains came to. */
export interface TemperedChain {
  readonly state: ChainState;
  /** Share of proposed swaps that were accepted between each power and the next. */
  readonly swaps: readonly number[];
}

/**
 * Parallel tempering: chains under powers of the likelihood of the records given their classes, of which neighbours
 * propose to swap their states after every iteration. The first power is 1.
 */
export function temper(
  explicit: ExplicitAllocation,
  powers: readonly number[],
  start: ChainState,
  iterations: number,
  random: RandomStream,
): TemperedChain {
  const states = powers.map(() => start);
  const accepted = powers.slice(1).map(() => 0);
  for (let i = 0; i < iterations; i++) {
    const logLikelihoods = powers.map((power, t) => {
      const allocation = explicit.allocate(states[t]!, random, power);
      states[t] = explicit.drawParameters(allocation, states[t]!.concentration, random, power);
      const { probabilities } = states[t]!;
      let sum = 0;
      for (const [c, count] of allocation.categoryCounts.entries()) {
        if (count > 0) sum += count * log(probabilities[c]!);
      }
      return sum;
    });
    for (let t = i % 2; t + 1 < powers.length; t += 2) {
      const logRatio = (powers[t]! - powers[t + 1]!) * (logLikelihoods[t + 1]! - logLikelihoods[t]!);
      if (log(random.uniform()) >= logRatio) continue;
      [states[t], states[t + 1]] = [states[t + 1]!, states[t]!];
      [logLikelihoods[t], logLikelihoods[t + 1]] = [logLikelihoods[t + 1]!, logLikelihoods[t]!];
      accepted[t]!++;
    }
  }
  return { state: states[0]!, swaps: accepted.map((count) => (2 * count) / iterations) };
}
