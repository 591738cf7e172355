import { beforeEach, describe, expect, it } from 'vitest';
import { NumericalError } from '../../../shared/contracts/errors.ts';
import type { ChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { chainOfDraw, type Schedule, sampleChain, stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

const CLASSES = 2;
const CATEGORIES = 3;

/** The state after so many iterations: every number tells which. */
function stateAt(iteration: number, latent: boolean): ChainState {
  return {
    weights: Float64Array.from({ length: CLASSES }, (_, f) => iteration + f / 10),
    probabilities: Float64Array.from({ length: CATEGORIES * CLASSES }, (_, i) => 1000 * iteration + i),
    concentration: iteration / 2,
    occupiedClasses: iteration % 7,
    ...(latent && { latent: Float64Array.of(iteration, -iteration, 0.5) }),
  };
}

/** A sampler whose states count iterations. */
function counting({ latent = false, allocation = false, failAt = Infinity, error = new RangeError('no mass') }) {
  let done = 0;
  const sampler: ChainSampler = {
    init: () => stateAt(0, latent),
    step: (_, __, iterations = 1, onIteration = () => undefined) => {
      for (let i = 0; i < iterations; i++) {
        if (done + 1 === failAt) throw error;
        done++;
        onIteration();
      }
      return stateAt(done, latent);
    },
    logLikelihood: ({ weights }) => -weights[0]!,
    ...(allocation && {
      allocation: () => ({
        counts: Uint32Array.from({ length: CATEGORIES * CLASSES }, (_, i) => 100 * done + i),
        classOfCombination: Uint16Array.of(done, done + 1, done + 2, done + 3),
      }),
    }),
  };
  return sampler;
}

function run(sampler: ChainSampler, schedule: Schedule, latent = false, onIteration?: () => void) {
  const random = new RandomStream(1, 'chain');
  return sampleChain(sampler, stateAt(0, latent), random, schedule, { name: 'base/3', onIteration });
}

describe('sampleChain()', () => {
  it('keeps every thin-th state after burn-in, the last at the end of the chain', () => {
    let iterations = 0;
    const { draws, last } = run(counting({}), { burnIn: 4, draws: 3, thin: 2 }, false, () => iterations++);
    expect(iterations).toBe(10);
    const states = [6, 8, 10].map((iteration) => stateAt(iteration, false));
    expect(draws).toEqual({
      draws: 3,
      classes: CLASSES,
      categories: CATEGORIES,
      weights: Float64Array.from(states.flatMap(({ weights }) => [...weights])),
      probabilities: Float64Array.from(states.flatMap(({ probabilities }) => [...probabilities])),
      concentration: Float64Array.of(3, 4, 5),
      occupiedClasses: Uint16Array.of(6, 1, 3),
      logLikelihood: Float64Array.of(-6, -8, -10),
    });
    expect(last).toEqual(stateAt(10, false));
  });

  it('keeps what the next iteration needs, unless told not to', () => {
    const schedule = { burnIn: 1, draws: 2, thin: 1 };
    const kept = run(counting({ latent: true }), schedule, true).draws;
    expect(kept.latent).toEqual(Float64Array.of(2, -2, 0.5, 3, -3, 0.5));
    const without = run(counting({ latent: true }), { ...schedule, keepLatent: false }, true);
    expect('latent' in without.draws).toBe(false);
    expect(without.last.latent).toEqual(Float64Array.of(3, -3, 0.5));
  });

  it('keeps the allocation of the first combinations behind each draw', () => {
    const schedule = { burnIn: 1, draws: 2, thin: 3, keepAllocation: 2 };
    const { allocation } = run(counting({ allocation: true }), schedule).draws;
    expect(allocation).toEqual({
      counts: Uint32Array.of(400, 401, 402, 403, 404, 405, 700, 701, 702, 703, 704, 705),
      classOfCombination: Uint16Array.of(4, 5, 7, 8),
    });
    const ofNone = run(counting({ allocation: true }), { ...schedule, keepAllocation: 0 }).draws.allocation;
    expect(ofNone).toEqual({ counts: allocation!.counts, classOfCombination: new Uint16Array(0) });
    const { keepAllocation: _, ...unkept } = schedule;
    expect('allocation' in run(counting({ allocation: true }), unkept).draws).toBe(false);
    expect(() => run(counting({}), schedule)).toThrow(RangeError);
  });

  it.each([1, 4, 7])('names the chain and iteration %i where a draw fails', (failAt) => {
    const failing = () => run(counting({ failAt }), { burnIn: 3, draws: 2, thin: 2 });
    expect(failing).toThrow(NumericalError);
    expect(failing).toThrow(`Chain base/3, iteration ${failAt} of 7: no mass.`);
  });

  it('lets other errors pass', () => {
    const error = new TypeError('a mistake');
    expect(() => run(counting({ failAt: 1, error }), { burnIn: 3, draws: 2, thin: 2 })).toThrow(error);
  });
});

describe.each([false, true])('the state of a draw, latent numbers: %s', (latent) => {
  let draws: ChainDraws;

  beforeEach(() => {
    ({ draws } = run(counting({ latent }), { burnIn: 4, draws: 3, thin: 2 }, latent));
  });

  it('is the one that was kept, in arrays of its own', () => {
    for (const [draw, iteration] of [6, 8, 10].entries()) {
      const state = stateOfDraw(draws, draw);
      expect(state).toEqual(stateAt(iteration, latent));
      expect(state.weights.buffer).not.toBe(draws.weights.buffer);
    }
  });

  it('makes a chain of one draw', () => {
    const { weights, probabilities, ...state } = stateAt(8, latent);
    expect(chainOfDraw(draws, 1)).toEqual({
      draws: 1,
      classes: CLASSES,
      categories: CATEGORIES,
      weights,
      probabilities,
      concentration: Float64Array.of(state.concentration),
      occupiedClasses: Uint16Array.of(state.occupiedClasses),
      logLikelihood: Float64Array.of(-8),
      ...(latent && { latent: state.latent }),
    });
  });
});
