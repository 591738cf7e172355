import { describe, expect, it } from 'vitest';
import { updateCovariance } from '../../../shared/model/dp-areal/covariance.ts';
import { inverse } from '../../../shared/numeric/cholesky.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';

const SIZE = 6;

describe('updateCovariance()', () => {
  it('keeps the inverse of Omega in step with its correlations', () => {
    const random = new RandomStream(91, 'covariance');
    const correlations = Float64Array.from({ length: SIZE * SIZE }, (_, at) =>
      at % (SIZE + 1) === 0 ? 1 : 0,
    );
    for (let i = 0; i < 50; i++) {
      const vectors = Float64Array.from({ length: (i % 4) * SIZE }, () => normal(random));
      // Other vectors each time: scales start from where these may have come from.
      const scales = new Float64Array(SIZE).fill(1);
      const q = inverse(correlations, SIZE);
      updateCovariance({ scales, correlations }, q, vectors, random);
      const anew = inverse(correlations, SIZE);
      const largest = anew.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (let at = 0; at < q.length; at++) {
        expect(Math.abs(q[at]! - anew[at]!)).toBeLessThan(1e-9 * largest);
        expect(correlations[at]).toBe(correlations[(at % SIZE) * SIZE + Math.floor(at / SIZE)]);
      }
    }
    expect(correlations[1]).not.toBe(0);
  });
});
