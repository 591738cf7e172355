import { describe, expect, it } from 'vitest';
import { tieTolerances } from '../../../bench/plain/tie-tolerances.ts';
import { TIES } from '../../../shared/numeric/ties.ts';

describe('tieTolerances()', () => {
  it('is three errors of the distance from the first, by hand, and no more than the most', () => {
    // Distances 0.01 in the estimate; 0.02 and 0 in the resamples: root mean square deviation 0.01.
    const [own, other] = tieTolerances([
      [0, 0.01],
      [5, 5.02],
      [2, 2],
    ]);
    expect(own).toBe(TIES.rounding);
    expect(other).toBeCloseTo(0.03, 12);
    const noisy = [
      [0, 0.01],
      [5, 7],
    ];
    expect(tieTolerances(noisy)[1]).toBe(TIES.most);
  });

  it('is that of rounding where nothing is simulated, or a resample finds something impossible', () => {
    const one = [0, 1];
    expect([...tieTolerances([one])]).toEqual([TIES.rounding, TIES.rounding]);
    expect(tieTolerances([one, [0, -Infinity]])[1]).toBe(TIES.rounding);
  });

  it('finds a true tie nearly always', () => {
    // Three errors of 31 normal resamples: a true tie is farther apart in well below one of 100 tables.
    let missed = 0;
    const normal = normals(7);
    for (let table = 0; table < 2000; table++) {
      const distance = 0.01 * normal();
      const tolerance = tieTolerances([[0, distance], ...Array.from({ length: 31 }, () => [0, distance + 0.01 * normal()])])[1]!;
      if (Math.abs(distance) > tolerance) missed++;
    }
    expect(missed / 2000).toBeLessThan(0.012);
  });
});

/** Normal numbers of a seed, by the polar method. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => {
    for (;;) {
      const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
}
