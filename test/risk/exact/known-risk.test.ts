import { describe, expect, it } from 'vitest';
import { knownRisk } from '../../../shared/risk/exact/known-risk.ts';

const NO_SETS = { count: 0, counted: [], mostEntries: 0, of: () => [] };

describe('the Bayes factor of candidates whose likelihoods are known', () => {
  const factorsOf = (rows: readonly { logRatios: number[]; logPriors: number[] }[], prior: 'uniform' | 'model') => {
    const known = rows.map((row) => ({ logRatios: Float64Array.from(row.logRatios), logPriors: Float64Array.from(row.logPriors) }));
    const { bayesFactor, bayesFactorSe } = knownRisk(new Uint32Array(rows.length).fill(1), (row) => known[row]!, NO_SETS, prior);
    expect([...bayesFactorSe]).toEqual(rows.map(() => 0));
    return [...bayesFactor];
  };
  const [likely, never] = [Math.log(0.25), -Infinity];

  it('is infinite where no other could have led to the release, and undefined where there is no other', () => {
    const rows = [
      { logRatios: [0, likely, never], logPriors: [0, 0, 0] },
      { logRatios: [0, never, never], logPriors: [0, 0, 0] },
      { logRatios: [0], logPriors: [0] },
    ];
    expect(factorsOf(rows, 'uniform')).toEqual([expect.closeTo(8, 12), Infinity, NaN]);
  });

  it('is infinite under a prior where those that are possible have no probability', () => {
    const rows = [
      { logRatios: [0, likely, never], logPriors: [-1, -Infinity, -1] },
      { logRatios: [0, likely], logPriors: [-1, -Infinity] },
    ];
    expect(factorsOf(rows, 'model')).toEqual([Infinity, NaN]);
  });
});
