import { expect, it } from 'vitest';
import { drawSticks } from '../../../shared/model/chains/label-moves.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

it('draws V_f from Beta(1 + n_f, alpha + N_(f+1)), by mean and variance, and weights that are what is left', () => {
  const counts = Float64Array.of(4, 0, 7, 2);
  const alpha = 1.5;
  const draws = 40_000;
  const random = new RandomStream(3, 'sticks');
  const sums = new Float64Array(3);
  const squares = new Float64Array(3);
  for (let draw = 0; draw < draws; draw++) {
    const { logSticks, logRests, logWeights } = drawSticks(counts, alpha, random);
    let rest = 1;
    for (let f = 0; f < 3; f++) {
      const stick = Math.exp(logSticks[f]!);
      sums[f]! += stick;
      squares[f]! += stick * stick;
      expect(Math.exp(logRests[f]!)).toBeCloseTo(1 - stick, 12);
      expect(Math.exp(logWeights[f]!)).toBeCloseTo(rest * stick, 12);
      rest *= 1 - stick;
    }
    expect(Math.exp(logWeights[3]!)).toBeCloseTo(rest, 12);
  }
  for (let f = 0; f < 3; f++) {
    const a = 1 + counts[f]!;
    const b = alpha + counts.subarray(f + 1).reduce((sum, count) => sum + count, 0);
    const variance = (a * b) / ((a + b) ** 2 * (a + b + 1));
    const mean = sums[f]! / draws;
    expect(Math.abs(mean - a / (a + b))).toBeLessThan(4.5 * Math.sqrt(variance / draws));
    expect(squares[f]! / draws - mean * mean).toBeCloseTo(variance, 3);
  }
});

it('gives all to a single class', () => {
  const { logWeights } = drawSticks(Float64Array.of(3), 1, new RandomStream(3, 'one'));
  expect([...logWeights]).toEqual([0]);
});
