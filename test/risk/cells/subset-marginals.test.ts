import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { askedMarginals, marginalValues, marginalWidth, SubsetMarginals } from '../../../shared/risk/cells/subset-marginals.ts';

const names = ['a', 'b', 'c'];
const sizes = [2, 3, 4];
const cells = Array.from({ length: 24 }, (_, cell) => Uint16Array.of(Math.floor(cell / 12), Math.floor(cell / 4) % 3, cell % 4));

describe('askedMarginals()', () => {
  it('are the sets that are named, in their order, or each variable', () => {
    expect(askedMarginals(undefined, names, sizes)).toEqual([[0], [1], [2]]);
    const asked = askedMarginals([['c', 'a'], ['b']], names, sizes);
    expect(asked).toEqual([[2, 0], [1]]);
    expect(asked.map((set) => marginalValues(set, sizes))).toEqual([8, 3]);
    expect(marginalWidth(asked, sizes)).toBe(11);
  });

  it.each<[string, string[], number[], string]>([
    ['a variable that is not there', ['a', 'x'], sizes, 'unknown-variable'],
    ['a variable twice', ['a', 'b', 'a'], sizes, 'repeated-variable'],
    ['too many values', ['a', 'b'], [65_537, 1, 1], 'too-many-marginals'],
  ])('refuses %s', (_, set, own, code) => {
    expect(() => askedMarginals([['b'], set], names, own)).toThrow(expect.objectContaining({ code }));
  });

  it('takes as many values as there may be', () => {
    expect(askedMarginals([['a', 'b']], names, [256, 256, 2])).toEqual([[0, 1]]);
  });
});

describe('SubsetMarginals', () => {
  const marginals = [[2, 0], [1], [0, 1, 2]];
  const random = new RandomStream(22, 'marginals');
  const ROWS = 3;
  // Log-likelihoods far apart, in one row rising, in one falling.
  const values = Float64Array.from({ length: ROWS * 24 }, (_, i) => {
    const row = Math.floor(i / 24);
    return row === 0 ? 5 * random.uniform() : 90 * (row === 1 ? i % 24 : 24 - (i % 24));
  });
  /** By adding up cells. */
  const byCell = () =>
    Array.from({ length: ROWS }, (_, row) => {
      const all = cells.map((codes, cell) => ({ codes, value: values[24 * row + cell]! }));
      const largest = Math.max(...all.map(({ value }) => value));
      const total = all.reduce((sum, { value }) => sum + Math.exp(value - largest), 0);
      return marginals.flatMap((set) => {
        const shares = new Array<number>(marginalValues(set, sizes)).fill(0);
        for (const { codes, value } of all) {
          const at = set.reduce((place, variable) => place * sizes[variable]! + codes[variable]!, 0);
          shares[at]! += Math.exp(value - largest) / total;
        }
        return shares;
      });
    });

  it.each([1, 10, 24])('adds up the posterior by value, in blocks of %i', (block) => {
    const sums = new SubsetMarginals(ROWS, marginals, sizes);
    for (let from = 0; from < 24; from += block) {
      const some = cells.slice(from, from + block);
      const stride = block + 2;
      const own = new Float64Array(ROWS * stride).fill(1e6);
      for (let row = 0; row < ROWS; row++) {
        own.set(values.subarray(24 * row + from, 24 * row + from + some.length), row * stride);
      }
      sums.add(some, own, stride);
    }
    const found = sums.probabilities();
    const expected = byCell();
    expect(found).toHaveLength(expected.flat().length);
    for (const [at, share] of expected.flat().entries()) expect(found[at]).toBeCloseTo(share, 12);
  });
});
