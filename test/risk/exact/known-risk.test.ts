import { describe, expect, it } from 'vitest';
import { WITHOUT_FIGURES } from '../../../shared/risk/attribute/attribute-risk.ts';
import { WITHOUT_DATASETS } from '../../../shared/risk/attribute/value-figures.ts';
import { VALUE_COLUMNS, VALUE_SUMS } from '../../../shared/risk/attribute/value-risk.ts';
import { knownFigures, knownProbability, knownRisk } from '../../../shared/risk/exact/known-risk.ts';

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

describe('candidates whose likelihoods are known', () => {
  // A quarter as likely as the truth, and twice as likely; believed beforehand three times as much, and half as much.
  const logs = (...values: number[]) => Float64Array.from(values, Math.log);
  const known = { logRatios: logs(1, 0.25, 2), logPriors: logs(1, 3, 0.5) };
  const set = { candidates: Uint32Array.of(0, 1, 2), values: Uint32Array.of(0, 1, 1), codes: Uint32Array.of(4, 7) };

  it('have the probability of the truth, all being alike beforehand or as the model says', () => {
    expect(knownProbability(known, 'uniform')).toBeCloseTo(1 / 3.25, 14);
    expect(knownProbability(known, 'model')).toBeCloseTo(1 / 2.75, 14);
  });

  it('have figures of a value, which is proven where no other could have led to the release', () => {
    const figures = knownFigures(known, set);
    expect(figures.probabilityBefore).toBeCloseTo(1 / 4.5, 14);
    expect(figures.probabilityAfter).toBeCloseTo(1 / 2.75, 14);
    expect(figures.gainBits).toBeCloseTo(Math.log2(4.5 / 2.75), 12);
    expect(figures.lackedBits).toBeCloseTo(Math.log2(4.5), 12);
    expect([figures.rankBefore, figures.rankAfter, figures.proven]).toEqual([2, 2, false]);
    expect(knownFigures({ ...known, logRatios: logs(1, 0, 2) }, set).proven).toBe(false);
    expect(knownFigures({ ...known, logRatios: logs(1, 0, 0) }, set)).toMatchObject({ proven: true, probabilityAfter: 1 });
  });

  it('are the same in every evaluation but those without a dataset', () => {
    const without = [logs(1, 1, 1), logs(1, 0.25, 0.5)];
    const sets = { count: 1, counted: [0], mostEntries: 3, of: () => [set] };
    const { values, ...risk } = knownRisk([2], () => ({ ...known, logRatiosWithout: without }), sets, 'model');
    const ofTruth = (ratios: Float64Array) => expect.closeTo(knownProbability({ ...known, logRatios: ratios }, 'model'), 12);
    const place = WITHOUT_FIGURES.indexOf('probability');
    expect([...risk.withoutDatasets].filter((_, at) => at % WITHOUT_FIGURES.length === place)).toEqual(without.map(ofTruth));
    const column = (name: (typeof VALUE_COLUMNS)[number]) => values.columns[VALUE_COLUMNS.indexOf(name)]!;
    expect([risk.firstGuess[0], risk.firstGuessProbability[0]]).toEqual([0, expect.closeTo(1 / 2.75, 12)]);
    expect([column('probabilityAfter'), column('probabilitySe')]).toEqual([expect.closeTo(1 / 2.75, 12), 0]);
    expect([column('guessBefore'), column('guessAfter')]).toEqual([7, 7]);
    const gains = Array.from({ length: values.sums.length / VALUE_SUMS.length }, (_, e) => values.sums[e * VALUE_SUMS.length]!);
    // Of two records each, to the grain in which sums are kept.
    const of = (ratios: Float64Array) => expect.closeTo(2 * knownFigures({ ...known, logRatios: ratios }, set).gainBits, 5);
    expect(gains).toEqual([...new Array(WITHOUT_DATASETS).fill(of(known.logRatios)), ...without.map(of)]);
  });

  it('are guessed at by what the model believed of them as well', () => {
    const first = (prior: 'uniform' | 'model') =>
      knownRisk([1], () => ({ ...known, logPriors: logs(1, 9, 0.25) }), NO_SETS, prior).firstGuess[0];
    expect([first('uniform'), first('model')]).toEqual([2, 1]);
  });
});
