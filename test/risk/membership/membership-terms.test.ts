import { describe, expect, it } from 'vitest';
import { logMeans, membershipTerm } from '../../../shared/risk/membership/membership-terms.ts';

/** Three draws of two persons. */
const logs = Float64Array.from([1, 8, 3, 2, 5, 2], Math.log);

describe('logarithms of means over draws', () => {
  it('are of every person, over all draws and over the first of them', () => {
    const { means, half } = logMeans(logs, 2, 2);
    expect([...means]).toEqual([expect.closeTo(Math.log(3), 12), expect.closeTo(Math.log(4), 12)]);
    expect([...half!]).toEqual([expect.closeTo(Math.log(2), 12), expect.closeTo(Math.log(5), 12)]);
  });

  it('have no half where none is asked for, and neither has their term', () => {
    const whole = logMeans(logs, 2);
    expect('half' in whole).toBe(false);
    const of = { coefficient: 1, chains: 'a', dataset: 1, pool: 'arithmetic' } as const;
    expect(membershipTerm(of, [whole])).toEqual({ ...of, logMeans: [whole.means], logHalves: [] });
    const halved = logMeans(logs, 2, 1);
    expect(membershipTerm(of, [halved])).toEqual({ ...of, logMeans: [halved.means], logHalves: [halved.half] });
  });
});
