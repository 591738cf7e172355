import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expSingle, logSingle } from '../../../bench/plain/single-math.ts';
import { compileWrappers } from './compile-wrappers.ts';

/** Functions of the four numbers that lie at `four` in memory. */
const kernel = await compileWrappers<{
  readonly memory: WebAssembly.Memory;
  readonly four: { readonly value: number };
  logFour(): void;
  expFour(): void;
}>(`
  import { expSingles, logSingles } from './math/single-math';
  export const four: usize = memory.data(16, 16);
  export function logFour(): void { v128.store(four, logSingles(v128.load(four))); }
  export function expFour(): void { v128.store(four, expSingles(v128.load(four))); }
`);
const four = new Float32Array(kernel.memory.buffer, kernel.four.value, 4);
const spread = Array.from({ length: 4001 }, (_, i) => i / 4000);

describe.each([
  {
    name: 'logSingles',
    plain: logSingle,
    compute: kernel.logFour,
    exact: Math.log,
    x: (u: number) => 2 ** (252 * u - 126),
    level: Math.LOG2E,
  },
  { name: 'expSingles', plain: expSingle, compute: kernel.expFour, exact: Math.exp, x: (u: number) => -86.9 * u, level: 0 },
])('$name', ({ plain, compute, exact, x, level }) => {
  it('gives the bits of the plain program', () => {
    const number = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(number, number, number, number), (numbers) => {
        const singles = Float32Array.from(numbers, x);
        four.set(singles);
        compute();
        expect([...four]).toEqual(Array.from(singles, plain));
      }),
    );
  });

  it('is right to seven digits', () => {
    for (const u of [...spread, ...spread.map((near) => 0.499 + 0.002 * near)]) {
      const argument = Math.fround(x(u));
      const value = exact(argument);
      // Of a logarithm, against the powers of two in it.
      const size = level > 0 ? Math.max(Math.abs(value) * level, 1) : value;
      expect(Math.abs(plain(argument) - value) / size).toBeLessThan(1e-7);
    }
  });
});

it('has an exponential of 0 far below, where nothing is added either', () => {
  four.set([-87, -1e30, 0, -Infinity]);
  kernel.expFour();
  expect([...four]).toEqual([0, 0, 1, 0]);
  expect([-87, -1e30, 0, -Infinity].map(expSingle)).toEqual([0, 0, 1, 0]);
});
