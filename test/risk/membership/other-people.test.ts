import { describe, expect, it } from 'vitest';
import type { ScoredDraw } from '../../../shared/model/chains/chain-draws.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { otherPeople } from '../../../shared/risk/membership/other-people.ts';
import { supportOf } from '../../../shared/table/support/support.ts';

const sizes = [2, 3, 4];
const offsets = [0, 2, 5, 9];
const CLASSES = 3;
const random = new RandomStream(3, 'others');

function shares(length: number): number[] {
  const values = Array.from({ length }, () => 0.05 + random.uniform());
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

function draw(): ScoredDraw {
  const probabilities = new Float64Array(9 * CLASSES);
  for (let f = 0; f < CLASSES; f++) {
    for (const [k, size] of sizes.entries()) {
      for (const [c, share] of shares(size).entries()) probabilities[(offsets[k]! + c) * CLASSES + f] = share;
    }
  }
  return { weights: Float64Array.from(shares(CLASSES)), probabilities };
}

const draws = [draw(), draw(), draw(), draw()];
const people = [
  [0, 2, 3],
  [1, 0, 0],
  [0, 2, 1],
  [1, 3, 2],
];
const codes = Uint16Array.from(people.flat());
const CELLS = 24;

/** f(y | Theta) of what is there, by its definition. */
const density = ({ weights, probabilities }: ScoredDraw, person: readonly number[]) =>
  weights.reduce(
    (sum, weight, f) =>
      sum + person.reduce((p, code, k) => (code === sizes[k] ? p : p * probabilities[(offsets[k]! + code) * CLASSES + f]!), weight),
    0,
  );

const mean = (of: readonly ScoredDraw[], value: (one: ScoredDraw) => number) => of.reduce((sum, one) => sum + value(one) / of.length, 0);

describe('people who are not in the table', () => {
  it('have the mean density over the draws, and over the first of them; a missing value is any', () => {
    const others = otherPeople(codes, sizes);
    const { means, half } = others.score(draws, 2);
    expect([others.people, means.length, half!.length]).toEqual([4, 4, 4]);
    for (const [i, person] of people.entries()) {
      expect(means[i]).toBeCloseTo(Math.log(CELLS * mean(draws, (one) => density(one, person))), 10);
      expect(half![i]).toBeCloseTo(Math.log(CELLS * mean(draws.slice(0, 2), (one) => density(one, person))), 10);
    }
    expect(otherPeople(codes, sizes).score(draws, 0).half).toBeUndefined();
  });

  it('have phi integrated out given the classes of the records, of whom nobody is left out', () => {
    const counts = new Uint32Array(9 * CLASSES);
    // The last class is empty: a person there has the mean of the prior.
    for (const [k, size] of sizes.entries()) {
      for (let record = 0; record < 7; record++) counts[(offsets[k]! + (record % size)) * CLASSES + (record % 2)]!++;
    }
    const allocated = { ...draws[0]!, allocation: { counts, classOfCombination: new Uint16Array(0) } };
    const probabilities = new Float64Array(9 * CLASSES);
    for (const [k, size] of sizes.entries()) {
      for (let f = 0; f < CLASSES; f++) {
        const own = Array.from({ length: size }, (_, c) => counts[(offsets[k]! + c) * CLASSES + f]! + 1);
        const total = own.reduce((sum, value) => sum + value, 0);
        for (const [c, value] of own.entries()) probabilities[(offsets[k]! + c) * CLASSES + f] = value / total;
      }
    }
    const { means } = otherPeople(codes, sizes).score([allocated], 0);
    for (const [i, person] of people.entries()) {
      expect(means[i]).toBeCloseTo(Math.log(CELLS * density({ weights: draws[0]!.weights, probabilities }, person)), 10);
    }
  });

  it('have a density of possible cells where some are impossible', () => {
    const support = supportOf({ rules: 2, codes: Uint16Array.of(0, 2, 4, 2, 0, 1) }, sizes);
    const possible = (one: ScoredDraw) => {
      let share = 1;
      for (let c = 0; c < 4; c++) share -= density(one, [0, 2, c]);
      for (let v = 0; v < 2; v++) share -= density(one, [v, 0, 1]);
      return share;
    };
    const { score, logPossible } = otherPeople(codes, sizes, support);
    expect([...logPossible!(draws)].map(Math.exp)).toEqual(draws.map((one) => expect.closeTo(possible(one), 10)));
    const { means } = score(draws, 0);
    expect(means[1]).toBeCloseTo(Math.log(CELLS * mean(draws, (one) => density(one, people[1]!) / possible(one))), 10);
  });

  it('keep their digits where densities would underflow', () => {
    const many = 300;
    const wide = Array.from({ length: many }, () => 2);
    const weights = Float64Array.of(0.3, 0.7);
    const probabilities = Float64Array.from({ length: 2 * many * 2 }, (_, at) => [0.01, 0.02, 0.99, 0.98][at % 4]!);
    const { means, half } = otherPeople(new Uint16Array(many), wide).score(
      [
        { weights, probabilities },
        { weights, probabilities },
      ],
      1,
    );
    const expected = many * Math.log(2) + many * Math.log(0.02) + Math.log(0.7);
    expect(means[0]).toBeCloseTo(expected, 8);
    expect(half![0]).toBeCloseTo(expected, 8);
  });

  it('may be none', () => {
    expect(otherPeople(new Uint16Array(0), sizes).score(draws, 2)).toEqual({ means: new Float64Array(0), half: new Float64Array(0) });
  });
});
