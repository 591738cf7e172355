import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lgamma } from '../../../shared/numeric/gamma-function.ts';
import { isWhole, logLowerGamma } from '../../../shared/numeric/incomplete-gamma.ts';
import { exp, expm1, log, log1p } from '../../../shared/numeric/portable-math.ts';
import { LGAMMA_REFERENCES } from '../../numeric/gamma-references.ts';
import { EXP_REFERENCES, EXPM1_REFERENCES, LOG_REFERENCES, LOG1P_REFERENCES } from '../../numeric/references.ts';
import { stepUlps } from '../../numeric/ulps-apart.ts';
import { compileWrappers } from './compile-wrappers.ts';

type Scalar = (x: number) => number;

/** Functions of one number, and of the pair of numbers that lies at `pair` in memory. */
const kernel = await compileWrappers<
  Record<'log' | 'log1p' | 'exp' | 'expm1' | 'lgamma', Scalar> & {
    readonly memory: WebAssembly.Memory;
    readonly pair: { readonly value: number };
    logPair(): void;
    expPair(): void;
    logLowerGamma(a: number, x: number, logGamma: number): number;
    isWhole(a: number, x: number): number;
  }
>(`
  import { expLanes, logLanes } from './math/portable-math';
  export { lgamma } from './math/gamma-function';
  export { exp, expm1, log, log1p } from './math/portable-math';
  export { isWhole, logLowerGamma } from './math/incomplete-gamma';
  export const pair: usize = memory.data(16, 16);
  export function logPair(): void { v128.store(pair, logLanes(v128.load(pair))); }
  export function expPair(): void { v128.store(pair, expLanes(v128.load(pair))); }
`);
const pair = new Float64Array(kernel.memory.buffer, kernel.pair.value, 2);

/** The same function in TypeScript and in the kernels. */
const FUNCTIONS = [
  { name: 'log', plain: log, compiled: kernel.log, references: LOG_REFERENCES },
  { name: 'log1p', plain: log1p, compiled: kernel.log1p, references: LOG1P_REFERENCES },
  { name: 'exp', plain: exp, compiled: kernel.exp, references: EXP_REFERENCES },
  { name: 'expm1', plain: expm1, compiled: kernel.expm1, references: EXPM1_REFERENCES },
  { name: 'lgamma', plain: lgamma, compiled: kernel.lgamma, references: LGAMMA_REFERENCES },
] as const;

/** The functions of which the kernels have a form for two numbers at a time. */
const PAIRS = [
  { name: 'logLanes', plain: log, compute: kernel.logPair, references: LOG_REFERENCES },
  { name: 'expLanes', plain: exp, compute: kernel.expPair, references: EXP_REFERENCES },
] as const;

/** Where some function changes its way, and the doubles on both sides. */
const TURNS = [
  ...[0, 1, Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 2.2250738585072014e-308, Math.SQRT2, Math.SQRT1_2],
  ...[0.29, 0.41, 0.5, 1.5, 2.5, 10, 40, 708, 709, 709.782712893384, 745.1332191019412],
  ...[0.5 * Math.LN2, 1023 * Math.LN2],
].flatMap((turn) => [turn, -turn].flatMap((x) => [x, stepUlps(x, 1), stepUlps(x, -1)]));

const scratch = new DataView(new ArrayBuffer(8));
function fromBits(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

/** Any double, or one where most functions are neither zero nor infinite. */
const argument = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(fromBits),
  fc.double({ min: -750, max: 750 }),
  fc.double({ min: -3, max: 12 }),
  fc.constantFrom(NaN, ...TURNS),
);

describe.each(FUNCTIONS)('$name() of the kernels', ({ plain, compiled, references }) => {
  it('has the bits of the library at the reference values and where it changes its way', () => {
    const places = [NaN, ...TURNS, ...references.map(([x]) => x)];
    expect(places.map(compiled)).toEqual(places.map(plain));
  });

  it('has the bits of the library for any double', () => {
    fc.assert(
      fc.property(argument, (x) => {
        expect(compiled(x)).toBe(plain(x));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe.each(PAIRS)('$name() of the kernels', ({ plain, compute, references }) => {
  /** Results for both numbers, each of which the other lane must leave alone. */
  function expectSameBits(x: number, y: number) {
    pair.set([x, y]);
    compute();
    expect([...pair], `${x} and ${y}`).toEqual([plain(x), plain(y)]);
  }

  it('has the bits of the library at the reference values and where it changes its way', () => {
    for (const x of [NaN, ...TURNS, ...references.map(([x]) => x)]) {
      expectSameBits(x, 1.25);
      expectSameBits(-3.5, x);
      expectSameBits(x, x);
    }
  });

  it('has the bits of the library for any pair of doubles', () => {
    fc.assert(
      fc.property(argument, argument, (x, y) => expectSameBits(x, y)),
      { numRuns: 10_000 },
    );
  });
});

it('logLowerGamma() and isWhole() of the kernels have the bits of the library', () => {
  const shape = fc.double({ min: 0.01, max: 3000, noNaN: true });
  // About the shape, and far on both sides.
  const share = fc.oneof(
    fc.double({ min: 0.5, max: 2, noNaN: true }),
    fc.double({ min: 1e-6, max: 50, noNaN: true }),
    fc.constant(Infinity),
  );
  fc.assert(
    fc.property(shape, share, (a, times) => {
      expect(kernel.logLowerGamma(a, a * times, lgamma(a))).toBe(logLowerGamma(a, a * times));
      expect(kernel.isWhole(a, a * times) !== 0).toBe(isWhole(a, a * times));
    }),
    { numRuns: 2_000 },
  );
});
