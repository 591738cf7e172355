import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { createDpmpm, type DpmpmSettings } from '../../../shared/model/dpmpm/dpmpm.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { zOfMean } from '../../random/moments.ts';
import { naiveLogDensity, randomCodes, randomState } from '../random-state.ts';

const free = { shape: 0.25, rate: 0.25 };

function bind(codes: Uint16Array, sizes: readonly number[], settings: Partial<DpmpmSettings> = {}) {
  const records = codes.length / sizes.length;
  const { combinations } = combinationsFromCodes(codes, records, sizes.length);
  return createDpmpm(combinations, sizes, { classes: 4, concentration: free, ...settings });
}

function naiveLogLikelihood(state: ChainState, sizes: readonly number[], codes: Uint16Array): number {
  let total = 0;
  for (let at = 0; at < codes.length; at += sizes.length) {
    total += naiveLogDensity(state, sizes, codes.subarray(at, at + sizes.length));
  }
  return total;
}

describe('the logLikelihood() of a DPMPM', () => {
  it('is the sum over records of the log of f(x | Theta)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(0.3, 1, 4),
        fc.integer({ min: 0, max: 1_000_000 }),
        (sizes, records, classes, shape, seed) => {
          const random = new RandomStream(seed, 'log-likelihood');
          const codes = randomCodes(random, sizes, records);
          const state = randomState(random, sizes, classes, shape);
          const expected = naiveLogLikelihood(state, sizes, codes);
          const found = bind(codes, sizes, { classes }).logLikelihood(state);
          expect(Math.abs(found - expected)).toBeLessThan(1e-11 * (1 + Math.abs(expected)));
        },
      ),
    );
  });

  it('is right where products of probabilities underflow, beside rows where they do not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(0.02, 0.1, 1),
        fc.integer({ min: 0, max: 1_000_000 }),
        (classes, shape, seed) => {
          const random = new RandomStream(seed, 'underflow');
          const sizes = new Array<number>(60).fill(200);
          const state = randomState(random, sizes, classes, shape);
          // The first record takes the likeliest category of class 0 everywhere: its density is large.
          const codes = randomCodes(random, sizes, 8);
          for (let k = 0; k < 60; k++) {
            const own = Array.from({ length: 200 }, (_, c) => state.probabilities[(200 * k + c) * classes]!);
            codes[k] = own.indexOf(Math.max(...own));
          }
          const expected = naiveLogLikelihood(state, sizes, codes);
          const found = bind(codes, sizes, { classes }).logLikelihood(state);
          expect(Math.abs(found / expected - 1)).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 25 },
    );
  });

  it.each([130, 137, 150])('keeps its digits for densities of about 200^-%i', (variables) => {
    // Beside the subnormal doubles, among them, and below them all.
    const sizes = new Array<number>(variables).fill(200);
    const random = new RandomStream(41, `tiny/${variables}`);
    const codes = randomCodes(random, sizes, 7);
    const state = randomState(random, sizes, 5);
    const expected = naiveLogLikelihood(state, sizes, codes);
    expect(expected / 7).toBeLessThan(-variables * 4.8);
    const found = bind(codes, sizes, { classes: 5 }).logLikelihood(state);
    expect(Math.abs(found / expected - 1)).toBeLessThan(1e-13);
  });

  it('is that of a product of multinomials with one class, and zero when there is nothing to learn', () => {
    const state = { weights: Float64Array.of(1), probabilities: Float64Array.of(0.25, 0.75, 1), concentration: 1, occupiedClasses: 1 };
    const codes = Uint16Array.of(0, 0, 1, 0, 1, 0);
    const expected = Math.log(0.25) + 2 * Math.log(0.75);
    expect(bind(codes, [2, 1], { classes: 1 }).logLikelihood(state)).toBeCloseTo(expected, 14);
    const constant = { ...state, probabilities: Float64Array.of(1) };
    expect(bind(Uint16Array.of(0, 0, 0), [1], { classes: 1 }).logLikelihood(constant)).toBe(0);
  });
});

describe('the step() of a DPMPM', () => {
  const sizes = [2, 3];
  const codes = Uint16Array.of(0, 2, 1, 0, 0, 2, 0, 1, 0, 2, 1, 2, 0, 0);

  it('with one class draws phi ~ Dirichlet(1 + counts) and alpha from its prior', () => {
    const model = bind(codes, sizes, { classes: 1, concentration: { shape: 3, rate: 2 } });
    const random = new RandomStream(42, 'one class');
    const counts = [5, 2, 2, 1, 4];
    const draws = 20_000;
    const phi = counts.map(() => new Float64Array(draws));
    const alpha = new Float64Array(draws);
    let state = model.init(random);
    for (let i = 0; i < draws; i++) {
      state = model.step(state, random);
      for (const [c, values] of phi.entries()) values[i] = state.probabilities[c]!;
      alpha[i] = state.concentration;
      expect(state.weights[0]).toBe(1);
    }
    for (const [c, values] of phi.entries()) {
      const total = 7 + (c < 2 ? 2 : 3);
      const mean = (1 + counts[c]!) / total;
      const variance = (mean * (1 - mean)) / (total + 1);
      expect(Math.abs(zOfMean(values, mean, Math.sqrt(variance))), `mean ${c}`).toBeLessThan(4);
      const squares = values.map((value) => (value - mean) ** 2);
      const fourth = squares.reduce((sum, one) => sum + one ** 2, 0) / draws;
      const z = zOfMean(squares, variance, Math.sqrt(fourth - variance ** 2));
      expect(Math.abs(z), `variance ${c}`).toBeLessThan(4);
    }
    expect(Math.abs(zOfMean(alpha, 3 / 2, Math.sqrt(3 / 4)))).toBeLessThan(4);
  });

  it('allocates through logs where products underflow: two kinds of records find their two classes', () => {
    // 120 variables of 200 categories; even records from the lower half of the categories, odd ones from the upper.
    const many = new Array<number>(120).fill(200);
    const random = new RandomStream(43, 'two kinds');
    const records = 60;
    const half = (i: number) => Math.floor(i / 120) % 2;
    const kinds = Uint16Array.from({ length: records * 120 }, (_, i) => 100 * half(i) + random.below(100));
    const model = bind(kinds, many, { classes: 2, labelMoves: 0, concentration: { value: 1 } });
    // Class 0 likes the lower half 100 times as much as the upper, class 1 the other way round.
    const [likes, dislikes] = [0.0099, 0.0001];
    const probabilities = Float64Array.from({ length: 120 * 200 * 2 }, (_, i) =>
      Math.floor((Math.floor(i / 2) % 200) / 100) === i % 2 ? likes : dislikes,
    );
    const start = { weights: Float64Array.of(0.5, 0.5), probabilities, concentration: 1, occupiedClasses: 2 };
    expect(120 * Math.log(likes)).toBeLessThan(Math.log(1e-240));
    const state = model.step(start, random);
    expect(state.occupiedClasses).toBe(2);
    // phi of class 0 given 30 records of the lower half: (100 + 30) / (200 + 30) of its mass is there.
    const lower = [0, 1].map((f) => {
      let mass = 0;
      for (let c = 0; c < 100; c++) {
        for (let k = 0; k < 120; k++) mass += state.probabilities[(200 * k + c) * 2 + f]! / 120;
      }
      return mass;
    });
    expect(lower[0]).toBeCloseTo(130 / 230, 1);
    expect(lower[1]).toBeCloseTo(100 / 230, 1);
  });

  it('honours a fixed concentration, in every state and in the law of the sticks', () => {
    // One variable of one category says nothing, so that the posterior of the weights is their prior.
    const model = bind(new Uint16Array(3), [1], { classes: 3, concentration: { value: 0.4 } });
    const random = new RandomStream(44, 'fixed');
    let state = model.init(random);
    expect(state.concentration).toBe(0.4);
    const batches = Float64Array.from({ length: 100 }, () => {
      let sum = 0;
      for (let i = 0; i < 400; i++) {
        state = model.step(state, random);
        expect(state.concentration).toBe(0.4);
        sum += state.weights[0]! / 400;
      }
      return sum;
    });
    const expected = 1 / 1.4;
    const spread = Math.sqrt(batches.reduce((sum, mean) => sum + (mean - expected) ** 2, 0) / 100);
    expect(Math.abs(zOfMean(batches, expected, spread))).toBeLessThan(4);
    expect(spread).toBeLessThan(0.1);
  });

  it('keeps weights and probabilities normalised and counts the occupied classes', () => {
    const model = bind(codes, sizes, { classes: 6 });
    const random = new RandomStream(45, 'normalised');
    let state = model.init(random);
    for (let i = 0; i < 50; i++) {
      state = model.step(state, random);
      expect(state.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
      for (let f = 0; f < 6; f++) {
        const phi = (c: number) => state.probabilities[c * 6 + f]!;
        expect(phi(0) + phi(1)).toBeCloseTo(1, 12);
        expect(phi(2) + phi(3) + phi(4)).toBeCloseTo(1, 12);
      }
      expect(state.occupiedClasses).toBeGreaterThanOrEqual(1);
      expect(state.occupiedClasses).toBeLessThanOrEqual(6);
    }
  });

  it('counts a single record as one occupied class', () => {
    const model = bind(codes.slice(0, 2), sizes, { classes: 6 });
    const random = new RandomStream(46, 'single');
    expect(model.step(model.init(random), random).occupiedClasses).toBe(1);
  });

  it('is a function of state and stream: the same numbers give the same draw', () => {
    const model = bind(codes, sizes);
    const start = model.init(new RandomStream(47, 'init'));
    const again = bind(codes, sizes).step(start, new RandomStream(47, 'step'));
    // A step in between, from elsewhere, leaves nothing behind.
    model.step(model.init(new RandomStream(48, 'init')), new RandomStream(48, 'step'));
    expect(model.step(start, new RandomStream(47, 'step'))).toEqual(again);
  });

  it('tells of every iteration of several, and leaves a state as it is when there are none', () => {
    const model = bind(codes, sizes);
    const random = new RandomStream(53, 'several');
    const start = model.init(random);
    let iterations = 0;
    const count = () => {
      iterations++;
    };
    expect(model.step(start, random, 0, count)).toEqual(start);
    model.step(start, random, 7, count);
    expect(iterations).toBe(7);
    expect(() =>
      model.step(start, random, 3, () => {
        throw new Error('stopped');
      }),
    ).toThrow('stopped');
  });

  it('finds two clusters of dependent variables, which one class cannot hold', () => {
    const pairs = Uint16Array.from({ length: 400 }, (_, i) => Math.floor(i / 2) % 2);
    const model = bind(pairs, [2, 2], { classes: 8 });
    const random = new RandomStream(49, 'clusters');
    let state = model.init(random);
    for (let i = 0; i < 300; i++) state = model.step(state, random);
    const density = (x: number[]) => Math.exp(naiveLogDensity(state, [2, 2], x));
    expect(density([0, 0]) + density([1, 1])).toBeGreaterThan(0.9);
  });

  it('throws, and does not go on, when a weight is not a number', () => {
    const model = bind(codes, sizes);
    const random = new RandomStream(50, 'nan');
    const state = model.init(random);
    state.weights[2] = NaN;
    expect(() => model.step(state, random)).toThrow(RangeError);
  });

  it('throws when no class can give a record its values', () => {
    const model = bind(codes, sizes, { classes: 1 });
    const random = new RandomStream(51, 'zero');
    const state = model.init(random);
    state.probabilities[0] = 0;
    expect(() => model.step(state, random)).toThrow(new RangeError('every class gives some combination probability zero'));
  });
});

describe('the init() of a DPMPM', () => {
  it('spreads records over all classes at random', () => {
    const random = new RandomStream(52, 'init');
    const state = bind(randomCodes(random, [9, 9], 400), [9, 9], { classes: 12 }).init(random);
    expect(state.occupiedClasses).toBe(12);
  });
});

describe('missing values', () => {
  // Variables of 2 and 3 categories; the codes 2 and 3 are missing values.
  const sizes = [2, 3];
  const codes = Uint16Array.of(0, 2, 1, 3, 2, 0, 0, 3, 2, 3, 1, 1);

  it('take no part in the likelihood', () => {
    const state = randomState(new RandomStream(54, 'missing'), sizes, 4);
    const whole = (sizes: readonly number[], codes: number[], first: number) => {
      const { weights } = state;
      const probabilities = state.probabilities.subarray(first * 4);
      return naiveLogDensity({ weights, probabilities }, sizes, codes);
    };
    const expected = whole(sizes, [0, 2], 0) + whole([2], [1], 0) + whole([3], [0], 2) + whole([2], [0], 0) + whole(sizes, [1, 1], 0);
    expect(bind(codes, sizes).logLikelihood(state)).toBeCloseTo(expected, 12);
  });

  it('leave phi what the values that are there say, and count in the weights', () => {
    const model = bind(codes, sizes, { classes: 1, concentration: { value: 1 } });
    const random = new RandomStream(55, 'missing');
    const draws = 20_000;
    const phi = Array.from({ length: 5 }, () => new Float64Array(draws));
    let state = model.init(random);
    for (let i = 0; i < draws; i++) {
      state = model.step(state, random);
      for (const [c, values] of phi.entries()) values[i] = state.probabilities[c]!;
    }
    // Two of each category of the first variable; one of each of the second.
    for (const [c, [count, total]] of [
      [2, 4],
      [2, 4],
      [1, 3],
      [1, 3],
      [1, 3],
    ].entries()) {
      const size = c < 2 ? 2 : 3;
      const mean = (1 + count!) / (size + total!);
      const variance = (mean * (1 - mean)) / (size + total! + 1);
      expect(Math.abs(zOfMean(phi[c]!, mean, Math.sqrt(variance))), `${c}`).toBeLessThan(4);
    }
    const many = bind(
      Uint16Array.from({ length: 400 }, (_, i) => 2 + (i % 2)),
      sizes,
      { classes: 5 },
    );
    expect(many.init(random).occupiedClasses).toBe(5);
  });
});

describe('label-switching moves', () => {
  it('bring occupied classes to the front, which sticks alone do not, and alpha comes down', () => {
    // Three clusters started in the last three of 12 classes.
    const sizes = [3, 3, 3, 3];
    const codes = Uint16Array.from({ length: 4 * 300 }, (_, i) => Math.floor(i / 4) % 3);
    const probabilities = new Float64Array(12 * 12).fill(1 / 3);
    for (let g = 0; g < 3; g++) {
      for (let k = 0; k < 4; k++) {
        for (let c = 0; c < 3; c++) probabilities[(3 * k + c) * 12 + 9 + g] = c === g ? 0.98 : 0.01;
      }
    }
    const start = {
      weights: Float64Array.from({ length: 12 }, (_, f) => (f < 9 ? 1e-9 : 1 / 3)),
      probabilities,
      concentration: 5,
      occupiedClasses: 3,
    };
    const means = (labelMoves: number) => {
      const model = bind(codes, sizes, { classes: 12, labelMoves });
      const random = new RandomStream(53, 'labels');
      let state: ChainState = start;
      const mean = { alpha: 0, front: 0 };
      for (let i = 0; i < 400; i++) {
        state = model.step(state, random);
        if (i < 100) continue;
        mean.alpha += state.concentration / 300;
        mean.front += (state.weights[0]! + state.weights[1]! + state.weights[2]!) / 300;
      }
      return mean;
    };
    const [moved, still] = [means(12), means(0)];
    expect(moved.front).toBeGreaterThan(0.95);
    expect(still.front).toBeLessThan(0.1);
    expect(moved.alpha).toBeLessThan(still.alpha / 2);
  });
});
