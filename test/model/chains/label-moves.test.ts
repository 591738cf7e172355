import { describe, expect, it } from 'vitest';
import { type LabelledClasses, type LogSticks, swapWithoutSticks, switchLabels } from '../../../shared/model/chains/label-moves.ts';
import type { RandomSource } from '../../../shared/random/random-source.ts';

/** Random numbers that are laid down: whole numbers and uniform ones, each in their order. */
function scripted(below: readonly number[], uniforms: readonly number[]) {
  const [wholes, reals] = [[...below], [...uniforms]];
  const bounds: number[] = [];
  const random: RandomSource & { left(): number; readonly bounds: readonly number[] } = {
    bounds,
    below: (bound) => {
      bounds.push(bound);
      const next = wholes.shift()!;
      if (!(next < bound)) throw new Error(`${next} is not below ${bound}`);
      return next;
    },
    uniform: () => reals.shift()!,
    left: () => wholes.length,
  };
  return random;
}

const labelled = (counts: readonly number[]): LabelledClasses => ({
  counts: Float64Array.from(counts),
  holder: Uint32Array.from(counts, (_, f) => f),
});

const swapped = <T>(values: readonly T[], j: number, l: number) => values.with(j, values[l]!).with(l, values[j]!);

/** The random numbers below that choose classes j and l: the second counts on from the first. */
const choosing = (j: number, l: number, classes: number) => [j, (l - j - 1 + classes) % classes];

const pairs = (classes: number) =>
  Array.from({ length: classes }, (_, j) => j).flatMap((j) =>
    Array.from({ length: classes }, (_, l) => l)
      .filter((l) => l !== j)
      .map((l): [number, number] => [j, l]),
  );

/** A uniform number on either side of an acceptance probability; of one that is 1, only below. */
const sides = (ratio: number) =>
  ratio < 1
    ? [
        { uniform: ratio * (1 - 1e-9), accepted: true },
        { uniform: ratio * (1 + 1e-9), accepted: false },
      ]
    : [{ uniform: 1 - 2 ** -53, accepted: true }];

const logFactorial = (n: number): number => (n <= 1 ? 0 : Math.log(n) + logFactorial(n - 1));
/** log of Gamma(alpha + n) / Gamma(alpha). */
const logRising = (alpha: number, n: number): number => (n === 0 ? 0 : Math.log(alpha + n - 1) + logRising(alpha, n - 1));

/** log P(allocation | alpha), the sticks integrated out one by one: prod of B(1 + n_f, alpha + N_(f+1)) / B(1, alpha). */
function logAllocation(counts: readonly number[], alpha: number): number {
  let sum = 0;
  for (let f = 0; f < counts.length - 1; f++) {
    const later = counts.slice(f + 1).reduce((total, count) => total + count, 0);
    // B(1 + n, alpha + N) / B(1, alpha) = n! alpha rising(alpha, N) / rising(alpha, n + N + 1).
    const [own, after] = [counts[f]!, later];
    sum += logFactorial(own) + Math.log(alpha) + logRising(alpha, after) - logRising(alpha, own + after + 1);
  }
  return sum;
}

describe('swapWithoutSticks()', () => {
  it.each([0.3, 4])('accepts by the ratio of allocations with the sticks integrated out, alpha %d', (alpha) => {
    for (const counts of [
      [3, 0, 1, 5],
      [0, 2, 2, 7],
      [1, 9, 0, 0],
      [4, 4, 6],
      [0, 3],
    ]) {
      for (const [j, l] of pairs(counts.length)) {
        const after = swapped(counts, j, l);
        const ratio = Math.exp(logAllocation(after, alpha) - logAllocation(counts, alpha));
        for (const { uniform, accepted } of sides(ratio * (1 + 1e-12))) {
          const state = labelled(counts);
          swapWithoutSticks(state, alpha, scripted(choosing(j, l, counts.length), [uniform]), 1);
          expect([...state.counts], `${counts} ${j} ${l}`).toEqual(accepted ? after : counts);
          const holders = counts.map((_, f) => f);
          expect([...state.holder]).toEqual(accepted ? swapped(holders, j, l) : holders);
        }
      }
    }
  });

  it('goes on from the classes that a move has left, refused or not', () => {
    const alpha = 0.7;
    const counts = [3, 0, 6, 1];
    for (const [j, l] of pairs(4)) {
      for (const first of [2 ** -53, 1 - 2 ** -53]) {
        const once = labelled(counts);
        swapWithoutSticks(once, alpha, scripted(choosing(j, l, 4), [first]), 1);
        const between = [...once.counts];
        const tookUniform = Math.exp(logAllocation(swapped(counts, j, l), alpha) - logAllocation(counts, alpha));
        for (const [a, b] of pairs(4)) {
          const after = swapped(between, a, b);
          const ratio = Math.exp(logAllocation(after, alpha) - logAllocation(between, alpha));
          for (const { uniform, accepted } of sides(ratio * (1 + 1e-12))) {
            const state = labelled(counts);
            const uniforms = tookUniform < 1 - 1e-12 ? [first, uniform] : [uniform];
            swapWithoutSticks(state, alpha, scripted([...choosing(j, l, 4), ...choosing(a, b, 4)], uniforms), 2);
            expect([...state.counts]).toEqual(accepted ? after : between);
          }
        }
      }
    }
  });

  it('keeps a product of many factors within range until all are known', () => {
    const records = 1e6;
    const alpha = 1e4;
    const first = new Array(200).fill(0).with(0, records);
    const last = first.toReversed();
    // (alpha / (alpha + n))^198 is 1e-397; Gamma(alpha + n) / (n! Gamma(alpha)) is above 1e20000.
    const [forth, back] = [labelled(first), labelled(last)];
    swapWithoutSticks(forth, alpha, scripted(choosing(0, 199, 200), [1 - 2 ** -53]), 1);
    expect([...forth.counts]).toEqual(last);
    swapWithoutSticks(back, alpha, scripted(choosing(0, 199, 200), [2 ** -53]), 1);
    expect([...back.counts]).toEqual(last);
  });

  it('makes as many moves as it is asked for, and none of one class', () => {
    const random = scripted([0, 0, 1, 0, 0, 0], [0.5, 0.5, 0.5]);
    swapWithoutSticks(labelled([2, 2]), 1, random, 3);
    expect(random.left()).toBe(0);
    expect(random.bounds).toEqual([2, 1, 2, 1, 2, 1]);
    const one = labelled([4]);
    swapWithoutSticks(one, 1, scripted([], []), 5);
    expect([...one.counts, ...one.holder]).toEqual([4, 0]);
  });
});

/** Logarithms of sticks and weights of the sticks V, that of the last class being 1. */
function sticksOf(v: readonly number[]): LogSticks {
  let rest = 1;
  const weights = [...v, 1].map((stick) => {
    const weight = rest * stick;
    rest *= 1 - stick;
    return weight;
  });
  const padded = (values: readonly number[]) => Float64Array.from([...values.map(Math.log), 0]);
  return { logSticks: padded(v), logRests: padded(v.map((stick) => 1 - stick)), logWeights: Float64Array.from(weights, Math.log) };
}

const expectSticks = (found: LogSticks, v: readonly number[]) => {
  const expected = sticksOf(v);
  for (const name of ['logSticks', 'logRests', 'logWeights'] as const) {
    for (const [f, value] of expected[name].entries()) expect(found[name][f]).toBeCloseTo(value, 10);
  }
};

describe('switchLabels()', () => {
  const v = [0.3, 0.6, 0.15];
  const weights = [...sticksOf(v).logWeights].map(Math.exp);
  const cases = [
    [3, 0, 1, 5],
    [0, 2, 2, 1],
    [7, 1, 0, 0],
  ];
  // Of the neighbours' moves, the first two classes whose swap is refused: the counts tell that nothing else happens.
  const never = 1 - 2 ** -53;

  it('swaps the records of two classes by the ratio of their weights, sticks as they are', () => {
    for (const counts of cases) {
      for (const [j, l] of pairs(4)) {
        const ratio = (weights[j]! / weights[l]!) ** (counts[l]! - counts[j]!);
        for (const { uniform, accepted } of sides(ratio)) {
          const [state, sticks] = [labelled(counts), sticksOf(v)];
          // The second move swaps neighbours 0 and 1, and back.
          const after = accepted ? swapped(counts, j, l) : counts;
          const neighbours = (1 - v[1]!) ** after[0]! / (1 - v[0]!) ** after[1]!;
          const uniforms = ratio < 1 ? [uniform, never] : [never];
          switchLabels(state, sticks, scripted([...choosing(j, l, 4), 0], uniforms), 1);
          const then = neighbours < 1 ? after : swapped(after, 0, 1);
          expect([...state.counts]).toEqual(then);
          expectSticks(sticks, neighbours < 1 ? v : swapped(v, 0, 1));
        }
      }
    }
  });

  it('swaps neighbours with their sticks, but not the last two', () => {
    for (const counts of cases) {
      for (const j of [0, 1]) {
        const ratio = (1 - v[j + 1]!) ** counts[j]! / (1 - v[j]!) ** counts[j + 1]!;
        for (const { uniform, accepted } of sides(ratio)) {
          const [state, sticks] = [labelled(counts), sticksOf(v)];
          // The first move is refused, or swaps classes of equal counts.
          const [a, b] = counts[0] === counts[1] ? [0, 1] : refused(counts);
          const uniforms = ratio < 1 ? [never, uniform] : [never];
          switchLabels(state, sticks, scripted([...choosing(a, b, 4), j], uniforms), 1);
          expect([...state.counts]).toEqual(accepted ? swapped(counts, j, j + 1) : counts);
          const holders = counts.map((_, f) => f);
          expect([...state.holder]).toEqual(accepted ? swapped(holders, j, j + 1) : holders);
          expectSticks(sticks, accepted ? swapped(v, j, j + 1) : v);
        }
      }
    }
  });

  /** Two classes whose swap has a ratio below one. */
  function refused(counts: readonly number[]): [number, number] {
    return pairs(4).find(([j, l]) => (weights[j]! / weights[l]!) ** (counts[l]! - counts[j]!) < 1 - 1e-9)!;
  }

  it('swaps equal counts whatever the weights, zero in floating point too', () => {
    const sticks = sticksOf([0.5, 0.5]);
    sticks.logWeights.fill(-Infinity);
    const state = labelled([2, 2, 2]);
    switchLabels(state, sticks, scripted([0, 1, 0], [2 ** -53]), 1);
    // Classes 0 and 2, then the neighbours 0 and 1, whose ratio is (1/2)^2 / (1/2)^2.
    expect([...state.holder]).toEqual([1, 2, 0]);
  });

  it('makes as many moves of each kind as it is asked for', () => {
    const random = scripted([0, 0, 1, 0, 0, 0], new Array(4).fill(0.5));
    switchLabels(labelled([1, 1, 1]), sticksOf([0.5, 0.5]), random, 2);
    expect(random.left()).toBe(0);
    // Of three classes two are not the last, and one of these begins a pair of neighbours that are not.
    expect(random.bounds).toEqual([3, 2, 3, 2, 1, 1]);
    // Of two classes the sticks of neither can move.
    const two = scripted([0, 0], [0.5]);
    switchLabels(labelled([1, 1]), sticksOf([0.5]), two, 1);
    expect(two.left()).toBe(0);
    const one = labelled([3]);
    switchLabels(one, sticksOf([]), scripted([], []), 3);
    expect([...one.counts]).toEqual([3]);
  });
});
