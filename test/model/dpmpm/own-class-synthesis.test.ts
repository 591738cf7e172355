import { describe, expect, it } from 'vitest';
import { synthesizeFromOwnClass } from '../../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { supportOf } from '../../../shared/table/support/support.ts';
import { zOfChiSquare } from '../../random/moments.ts';
import { naiveLogDensity, randomState } from '../random-state.ts';

describe('synthesizeFromOwnClass()', () => {
  const sizes = [2, 3, 2];

  it.each([1, 3, 5])('draws z as often as f2(x, z) / f(x) says, with %i classes', (classes) => {
    const random = new RandomStream(71, `own class/${classes}`);
    const state = randomState(random, sizes, classes, 0.5);
    const records = 40_000;
    // Two combinations take turns.
    const rows = [
      [1, 0, 1],
      [0, 2, 0],
    ];
    const table = combinationsFromCodes(
      Uint16Array.from({ length: 3 * records }, (_, i) => rows[Math.floor(i / 3) % 2]![i % 3]!),
      records,
      3,
    );
    const [second, third] = synthesizeFromOwnClass(state, table, { sizes, synthesized: [1, 2] }, random) as [Uint16Array, Uint16Array];
    for (const [turn, x] of rows.entries()) {
      const counts = new Float64Array(6);
      for (let i = turn; i < records; i += 2) counts[second[i]! * 2 + third[i]!]!++;
      // A state whose variables are x and then z again has f2 as its density.
      const at = (from: number, to: number) => state.probabilities.subarray(from * classes, to * classes);
      const both = { ...state, probabilities: Float64Array.of(...state.probabilities, ...at(2, 7)) };
      const expected = Float64Array.from({ length: 6 }, (_, z) => {
        const z2 = [Math.floor(z / 2), z % 2];
        const f2 = naiveLogDensity(both, [...sizes, 3, 2], [...x, ...z2]);
        return (records / 2) * Math.exp(f2 - naiveLogDensity(state, sizes, x));
      });
      expect(Math.abs(zOfChiSquare(counts, expected))).toBeLessThan(4);
    }
  });

  it('fills in missing values from the class, and keeps to the possible cells', () => {
    const classes = 3;
    const random = new RandomStream(74, 'within a support');
    const state = randomState(random, sizes, classes, 0.6);
    // The second variable is 2 only where the first and the third are 0.
    const support = supportOf({ rules: 2, codes: Uint16Array.of(1, 2, 2, 2, 2, 1) }, sizes);
    const records = 60_000;
    const phi = (category: number, f: number) => state.probabilities[category * classes + f]!;
    // The first variable is 0, the second kept but missing, the third 0 and synthesized.
    const table = combinationsFromCodes(
      Uint16Array.from({ length: 3 * records }, (_, i) => [0, 3, 0][i % 3]!),
      records,
      3,
    );
    for (const within of [undefined, support]) {
      const columns = synthesizeFromOwnClass(state, table, { sizes, synthesized: [2], completed: [1], support: within }, random);
      const [third, second] = columns as [Uint16Array, Uint16Array];
      const counts = new Float64Array(6);
      for (let i = 0; i < records; i++) counts[2 * second[i]! + third[i]!]!++;
      const shares = Float64Array.from({ length: 6 }, (_, cell) => {
        const [value, z] = [Math.floor(cell / 2), cell % 2];
        const forced = within !== undefined && value === 2;
        return [0, 1, 2].reduce((sum, f) => {
          const own = state.weights[f]! * phi(0, f) * phi(2 + value, f) * phi(5, f);
          return sum + own * (forced ? 1 - z : phi(5 + z, f));
        }, 0);
      });
      const total = shares.reduce((sum, share) => sum + share, 0);
      const cells = [...shares.keys()].filter((cell) => shares[cell]! > 0);
      expect(cells.reduce((sum, cell) => sum + counts[cell]!, 0)).toBe(records);
      const z = zOfChiSquare(
        cells.map((cell) => counts[cell]!),
        cells.map((cell) => (records * shares[cell]!) / total),
      );
      expect(Math.abs(z)).toBeLessThan(4);
    }
  });

  it('knows the class of a record whose values tell it, and gives every record its own draw', () => {
    const state = { weights: Float64Array.of(0.5, 0.5), probabilities: Float64Array.of(1, 0, 0, 1, 1, 0, 0, 1) };
    const codes = Uint16Array.of(0, 1, 1, 0, 0, 0, 1, 1);
    // The values 0, 1 and 1, 0 are impossible, so that only records 2 and 3 stay.
    const table = combinationsFromCodes(codes.subarray(4), 2, 2);
    const random = new RandomStream(72, 'own class');
    expect(synthesizeFromOwnClass(state, table, { sizes: [2, 2], synthesized: [1] }, random)).toEqual([Uint16Array.of(0, 1)]);
    const impossible = combinationsFromCodes(codes, 4, 2);
    expect(() => synthesizeFromOwnClass(state, impossible, { sizes: [2, 2], synthesized: [1] }, random)).toThrow(/probability zero/);
  });

  it('finds the class where products underflow', () => {
    const many = 400;
    const rare = (f: number) => (f === 0 ? 1e-3 : 2e-3);
    const probabilities = new Float64Array((2 * many + 2) * 2);
    for (let k = 0; k < many; k++) {
      for (const f of [0, 1]) {
        probabilities[4 * k + f] = rare(f);
        probabilities[4 * k + 2 + f] = 1 - rare(f);
      }
    }
    probabilities.set([1, 0, 0, 1], 4 * many);
    const state = { weights: Float64Array.of(0.5, 0.5), probabilities };
    const table = combinationsFromCodes(new Uint16Array(5 * (many + 1)), 5, many + 1);
    // The last variable is 0 in every record, and class 1 never gives it.
    const sizes = new Array<number>(many + 1).fill(2);
    const random = new RandomStream(73, 'underflow');
    expect(synthesizeFromOwnClass(state, table, { sizes, synthesized: [many] }, random)).toEqual([new Uint16Array(5)]);
    probabilities.set([0.5, 0.5, 0.5, 0.5], 4 * many);
    const [codes] = synthesizeFromOwnClass(state, table, { sizes, synthesized: [0] }, random) as [Uint16Array];
    expect([...codes].every((code) => code === 1)).toBe(true);
  });
});
