import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WaveletMatrix } from '../../../shared/risk/matching/wavelet-matrix.ts';

it('counts the numbers below a bound in every range, as counting them one by one does', () => {
  const sequence = fc
    .integer({ min: 1, max: 40 })
    .chain((bound) =>
      fc.record({ bound: fc.constant(bound), numbers: fc.array(fc.integer({ min: 0, max: bound - 1 }), { maxLength: 100 }) }),
    );
  fc.assert(
    fc.property(sequence, fc.nat({ max: 64 }), fc.nat({ max: 100 }), fc.nat({ max: 100 }), ({ bound, numbers }, below, a, b) => {
      const [from, to] = [Math.min(a, b, numbers.length), Math.min(Math.max(a, b), numbers.length)];
      const matrix = new WaveletMatrix(Uint32Array.from(numbers), bound);
      const counted = numbers.slice(from, to).filter((number) => number < below).length;
      expect(matrix.countBelow(below, from, to)).toBe(counted);
    }),
    { numRuns: 1000 },
  );
});
