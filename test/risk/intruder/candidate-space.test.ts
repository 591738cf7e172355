import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidConfigError, UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { type CandidateSpace, candidateChanges, candidateSpace, unknownIndex } from '../../../shared/risk/intruder/candidate-space.ts';
import { randomCodes } from '../../model/random-state.ts';

const sizesOf = (minimum: number) => fc.array(fc.integer({ min: 1, max: 5 }), { minLength: minimum, maxLength: 6 });
const names = (sizes: readonly number[]) => sizes.map((_, k) => `v${k}`);

/** The values of a candidate. */
function applied(space: CandidateSpace, codes: ArrayLike<number>, candidate: number): number[] {
  const row = Array.from(codes);
  for (const { variable, code } of candidateChanges(space, row, candidate)) row[variable] = code;
  return row;
}

describe('candidateSpace() under one-change', () => {
  it('lists the record, then each variable’s other categories, in order', () => {
    const space = candidateSpace('one-change', ['a', 'b', 'c'], [2, 1, 4]);
    expect(space).toEqual({ kind: 'one-change', sizes: [2, 1, 4], unknown: [0, 1, 2], perCombination: 5 });
    const rows = Array.from({ length: 5 }, (_, x) => applied(space, [1, 0, 2], x));
    expect(rows).toEqual([
      [1, 0, 2],
      [0, 0, 2],
      [1, 0, 0],
      [1, 0, 1],
      [1, 0, 3],
    ]);
  });

  it('is exactly R_i: the truth first, then every row one change away, each once', () => {
    fc.assert(
      fc.property(sizesOf(1), fc.integer({ min: 0, max: 1_000_000 }), (sizes, seed) => {
        const own = randomCodes(new RandomStream(seed, 'own'), sizes, 1);
        const space = candidateSpace('one-change', names(sizes), sizes);
        const found = Array.from({ length: space.perCombination }, (_, x) => applied(space, own, x));
        expect(found[0]).toEqual([...own]);
        expect(new Set(found.map(String)).size).toBe(found.length);
        for (const row of found.slice(1)) {
          expect(row.filter((code, k) => code !== own[k])).toHaveLength(1);
          expect(row.every((code, k) => code >= 0 && code < sizes[k]!)).toBe(true);
        }
        expect(found).toHaveLength(1 + sizes.reduce((sum, size) => sum + size - 1, 0));
      }),
    );
  });

  it('has no candidate past the last', () => {
    const space = candidateSpace('one-change', ['a'], [3]);
    expect(() => candidateChanges(space, [0], 3)).toThrow(RangeError);
  });
});

describe('candidateSpace() under two-changes', () => {
  it('lists the record, its single changes, then each with every change of a later variable', () => {
    const space = candidateSpace('two-changes', ['a', 'b', 'c'], [2, 1, 3]);
    expect(space).toEqual({ kind: 'two-changes', sizes: [2, 1, 3], unknown: [0, 1, 2], perCombination: 6 });
    const rows = Array.from({ length: 6 }, (_, x) => applied(space, [1, 0, 1], x));
    expect(rows).toEqual([
      [1, 0, 1],
      [0, 0, 1],
      [1, 0, 0],
      [1, 0, 2],
      [0, 0, 0],
      [0, 0, 2],
    ]);
    expect(candidateChanges(space, [1, 0, 1], 4)).toEqual([
      { variable: 0, code: 0 },
      { variable: 2, code: 0 },
    ]);
  });

  it('begins as one-change does, and is every row at most two changes away, each once', () => {
    fc.assert(
      fc.property(sizesOf(1), fc.integer({ min: 0, max: 1_000_000 }), (sizes, seed) => {
        const own = randomCodes(new RandomStream(seed, 'own'), sizes, 1);
        const space = candidateSpace('two-changes', names(sizes), sizes);
        const single = candidateSpace('one-change', names(sizes), sizes);
        const found = Array.from({ length: space.perCombination }, (_, x) => applied(space, own, x));
        expect(found.slice(0, single.perCombination)).toEqual(
          Array.from({ length: single.perCombination }, (_, x) => applied(single, own, x)),
        );
        expect(new Set(found.map(String)).size).toBe(found.length);
        for (const row of found.slice(single.perCombination)) {
          expect(row.filter((code, k) => code !== own[k])).toHaveLength(2);
          expect(row.every((code, k) => code >= 0 && code < sizes[k]!)).toBe(true);
        }
        // 1 + sum over variables of (d_j - 1) + sum over pairs of (d_j - 1)(d_k - 1).
        let count = single.perCombination;
        for (const [j, d] of sizes.entries()) {
          for (const e of sizes.slice(j + 1)) count += (d - 1) * (e - 1);
        }
        expect(found).toHaveLength(count);
      }),
    );
  });

  it('has no candidate past the last, and at most 65,536', () => {
    const space = candidateSpace('two-changes', ['a', 'b'], [3, 2]);
    expect(space.perCombination).toBe(6);
    expect(() => candidateChanges(space, [0, 0], 6)).toThrow(RangeError);
    expect(candidateSpace('two-changes', ['a', 'b'], [256, 256]).perCombination).toBe(65_536);
    const build = () => candidateSpace('two-changes', ['a', 'b'], [257, 256]);
    expect(build).toThrow(expect.objectContaining({ code: 'too-many-candidates' }));
  });
});

describe('candidateSpace() under unknown', () => {
  it('lists the record, then all other values of the unknown variables, the last fastest', () => {
    // Named out of order: they are put in column order.
    const space = candidateSpace({ unknown: ['c', 'a'] }, ['a', 'b', 'c'], [2, 5, 3]);
    expect(space).toMatchObject({ kind: 'unknown', unknown: [0, 2], perCombination: 6 });
    const rows = Array.from({ length: 6 }, (_, x) => applied(space, [1, 4, 0], x));
    expect(rows).toEqual([
      [1, 4, 0],
      [0, 4, 0],
      [0, 4, 1],
      [0, 4, 2],
      [1, 4, 1],
      [1, 4, 2],
    ]);
    expect(unknownIndex(space, [1, 4, 0])).toBe(3);
  });

  it('is every value of the unknown variables once, the known ones kept, the truth first', () => {
    const drawn = sizesOf(2).chain((sizes) =>
      fc.record({
        sizes: fc.constant(sizes),
        unknown: fc.subarray([...sizes.keys()], { minLength: 1 }),
        seed: fc.integer({ min: 0, max: 1_000_000 }),
      }),
    );
    fc.assert(
      fc.property(drawn, ({ sizes, unknown, seed }) => {
        const own = randomCodes(new RandomStream(seed, 'own'), sizes, 1);
        const space = candidateSpace({ unknown: unknown.map((k) => `v${k}`) }, names(sizes), sizes);
        const found = Array.from({ length: space.perCombination }, (_, x) => applied(space, own, x));
        expect(found[0]).toEqual([...own]);
        expect(new Set(found.map(String)).size).toBe(found.length);
        expect(found).toHaveLength(unknown.reduce((product, k) => product * sizes[k]!, 1));
        for (const row of found) {
          expect(row.every((code, k) => (unknown.includes(k) ? code < sizes[k]! : code === own[k]))).toBe(true);
        }
        // Mixed radix: after the truth, positions rise.
        const positions = found.slice(1).map((row) => unknownIndex(space, row));
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      }),
    );
  });

  it('tells of a candidate only what changes, in column order', () => {
    const space = candidateSpace({ unknown: ['a', 'b'] }, ['a', 'b'], [3, 3]);
    expect(candidateChanges(space, [1, 1], 0)).toEqual([]);
    expect(candidateChanges(space, [1, 1], 1)).toEqual([
      { variable: 0, code: 0 },
      { variable: 1, code: 0 },
    ]);
    expect(candidateChanges(space, [1, 1], 2)).toEqual([{ variable: 0, code: 0 }]);
    expect(candidateChanges(space, [1, 1], 4)).toEqual([{ variable: 1, code: 0 }]);
  });

  it('refuses a variable the table does not have, and one named twice', () => {
    const build = (unknown: string[]) => () => candidateSpace({ unknown }, ['a', 'b'], [2, 2]);
    expect(build(['a', 'age'])).toThrow(InvalidConfigError);
    expect(build(['a', 'age'])).toThrow(expect.objectContaining({ code: 'unknown-variable' }));
    expect(build(['a', 'age'])).toThrow(/the table has no variable age/);
    expect(build(['a', 'age'])).not.toThrow(/a, b/);
    expect(build(['b', 'b'])).toThrow(expect.objectContaining({ code: 'repeated-variable' }));
  });

  it('allows 65,536 candidates and refuses one more', () => {
    const sizes = [65_536, 1];
    expect(candidateSpace({ unknown: ['a'] }, ['a', 'b'], sizes).perCombination).toBe(65_536);
    const build = () => candidateSpace({ unknown: ['a'] }, ['a', 'b'], [65_537, 1]);
    expect(build).toThrow(UnsupportedOptionError);
    expect(build).toThrow(expect.objectContaining({ code: 'too-many-candidates' }));
    const many = () => candidateSpace('one-change', ['a', 'b'], [65_536, 2]);
    expect(many).toThrow(expect.objectContaining({ code: 'too-many-candidates' }));
  });

  it('numbers all cells from 1, beside the combination itself', () => {
    const space = candidateSpace('all-cells', ['a', 'b', 'c'], [3, 1, 2]);
    expect(space.perCombination).toBe(6);
    const own = [2, 0, 1];
    const cells = Array.from({ length: 6 }, (_, cell) => {
      const codes = [...own];
      for (const { variable, code } of candidateChanges(space, own, cell + 1)) codes[variable] = code;
      return codes.join();
    });
    // The variable with the most categories runs fastest.
    expect(cells).toEqual(['0,0,0', '1,0,0', '2,0,0', '0,0,1', '1,0,1', '2,0,1']);
    expect(candidateChanges(space, own, 0)).toEqual([]);
  });

  it('allows as many cells as can be numbered', () => {
    const names = Array.from({ length: 6 }, (_, k) => `v${k}`);
    const sizes = (last: number) => [512, 512, 512, 512, 512, last];
    expect(candidateSpace('all-cells', names, sizes(255)).perCombination).toBe(2 ** 45 * 255);
    const build = () => candidateSpace('all-cells', names, sizes(256));
    expect(build).toThrow(UnsupportedOptionError);
    expect(build).toThrow(expect.objectContaining({ code: 'too-many-cells' }));
  });
});
