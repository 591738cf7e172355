import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { attackOutcome } from '../../../shared/risk/attack/attack-outcome.ts';
import { discloseTarget } from '../../../shared/risk/attack/disclosure.ts';
import { countKeys, individualRisk } from '../../../shared/risk/attack/key-counts.ts';
import { inferTarget, linkedTargets, total } from '../../../shared/risk/attack/neighbour-attacks.ts';
import { multivariateQueries, singlesOut, sizeCorrection, univariateQueries } from '../../../shared/risk/attack/singling-out.ts';
import { chosenVariables, type Table } from '../../../shared/table/table.ts';
import { attackTables } from './reference-tables.ts';

// All numbers of this file are what test/risk/attack/reference.py (Anonymeter 1.1.0) and test/risk/attack/reference.R
// (synthpop 1.9-2, sdcMicro 5.8.1) print.

const [A, B, C, D, X, Y] = [0, 1, 2, 3, 4, 5];
const { table, dataset, control } = attackTables();
const inOrder = Uint32Array.from({ length: 80 }, (_, row) => row);
const random = () => seededStreams(7).open('queries');

describe('as synthpop measures it', () => {
  const percents = (keys: number[], target: number) => {
    const { maxDenom, meanDenom, ...shares } = discloseTarget(table, dataset, keys, target).figures;
    const found = Object.entries(shares).map(([name, value]) => [name, 100 * value!]);
    return { ...Object.fromEntries(found), maxDenom, meanDenom } as Record<string, number>;
  };
  const close = (found: Record<string, number>, expected: Record<string, number>) => {
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, value] of Object.entries(expected)) expect(found[name], name).toBeCloseTo(value, 8);
  };

  it('discloses D by A, B and C', () => {
    close(percents([A, B, C], D), {
      ...{ UiO: 23.75, UiS: 30, UiOiS: 11.25, repU: 8.75, Dorig: 53.75, Dsyn: 65, iS: 85, DiS: 70, DiSCO: 48.75 },
      ...{ DiSDiO: 26.25, maxDenom: 6, meanDenom: 2.29411764706, baseCAPd: 53.125, CAPd: 79.0833333333 },
      ...{ CAPs: 85.9821428571, DCAP: 57.3511904762, TCAP_alt: 57.3529411765, TCAP: 69.6428571429 },
    });
  });

  it('discloses C by A, B and D', () => {
    close(percents([A, B, D], C), {
      ...{ UiO: 5, UiS: 3.75, UiOiS: 2.5, repU: 1.25, Dorig: 11.25, Dsyn: 3.75, iS: 91.25, DiS: 13.75, DiSCO: 5 },
      ...{ DiSDiO: 1.25, maxDenom: 3, meanDenom: 2, baseCAPd: 30.46875, CAPd: 50.0873015873 },
      ...{ CAPs: 39.6404220779, DCAP: 27.1881764069, TCAP_alt: 5.47945205479, TCAP: 36.3636363636 },
    });
  });
});

describe('as Anonymeter measures it', () => {
  const rates = (attempts: number, successes: number, guesses: number, held: number | null) => {
    const { risk, low, high, baseline, baselineLow, baselineHigh } = attackOutcome(
      { attack: 'linkability', dataset: 1 },
      {
        table: { attempts, successes },
        baseline: { attempts, successes: guesses },
        control: held === null ? null : { attempts, successes: held },
      },
    );
    return [risk, low, high, baseline, baselineLow, baselineHigh];
  };

  it.each([
    [
      80,
      33,
      20,
      null,
      [0.4165090863343586, 0.31105857612761884, 0.5219595965410985],
      [0.2614545323838818, 0.1680623185754238, 0.35484674619233975],
    ],
    [500, 5, 2, 3, [0.004008652842233501, 0, 0.016319799417827394], [0.007781672868929911, 0.0010976305226827908, 0.014465715215177033]],
    [500, 0, 0, null, [0.0038121702307761206, 0, 0.007624340461552241], [0.0038121702307761206, 0, 0.007624340461552241]],
    [500, 500, 40, 120, [0.9949708689200703, 0.9899356383493363, 1], [0.08320222299385194, 0.05929812940985259, 0.10710631657785129]],
    [40, 10, 1, 22, [0, 0, 0], [0.06662026056871115, 0.004426831502681396, 0.1288136896347409]],
  ])('gives rates and intervals of %i attempts with %i successes', (attempts, own, guesses, held, risk, baseline) => {
    for (const [i, value] of [...risk, ...baseline].entries()) {
      expect(rates(attempts, own, guesses, held)[i]).toBeCloseTo(value, 12);
    }
  });

  it('takes no success for none, and nothing but successes for certain, at the ends of their intervals', () => {
    for (let attempts = 1; attempts <= 60; attempts++) {
      expect(rates(attempts, attempts, 0, null)[2]).toBe(1);
      expect(rates(attempts, 0, 0, null)[1]).toBe(0);
    }
  });

  it('infers a category and a number from the nearest row', () => {
    const infer = (file: Table, target: number) => total(inferTarget(dataset, file, [A, B, C, X], target, inOrder));
    expect([infer(table, D), infer(control, D), infer(table, Y), infer(control, Y)]).toEqual([56, 29, 27, 16]);
  });

  it('links two halves by their nearest row', () => {
    const links = (file: Table) =>
      linkedTargets(
        dataset,
        file,
        [
          [A, B, X],
          [A, B, C, Y],
        ],
        inOrder,
      );
    expect([links(table), links(control)]).toEqual([13, 4]);
  });

  it('finds every query of one variable that singles out', () => {
    const queries = univariateQueries(dataset, 1e6, random());
    const successes = [table, control].map((file) => queries.filter((query) => singlesOut(file, query)).length);
    expect([queries.length, ...successes]).toEqual([160, 4, 6]);
  });

  it('finds every query of three variables that singles out, where it draws long enough', () => {
    const coarse = [table, dataset, control].map((file) => chosenVariables(file, [A, B, C, X]));
    const [ofTable, ofDataset, ofControl] = coarse as [Table, Table, Table];
    const queries = multivariateQueries(ofDataset, { most: 1e6, columns: 3, draws: 20_000 }, random());
    const successes = [ofTable, ofControl].map((file) => queries.filter((query) => singlesOut(file, query)).length);
    expect([queries.length, ...successes]).toEqual([112, 23, 29]);
  });

  it.each([
    ['falling', [40, 41, 37, 33, 29, 26, 23, 21, 19, 17], 0.33386710597566055],
    ['rising', [3, 6, 9, 11, 14, 16, 18, 20, 22, 24], 1.754538931660008],
  ])('carries %s successes over to more records', (_, successes, expected) => {
    const sizes = Array.from({ length: 10 }, (_, i) => 100 * (i + 1));
    // SciPy's fit ends when it changes by one part in 10^8.
    expect(sizeCorrection(sizes, successes, 1000, 3000) / expected).toBeCloseTo(1, 5);
  });
});

describe('as sdcMicro measures it', () => {
  it('gives the individual risk by the records that share the keys', () => {
    const expected = [0.4023594781085, 0.1494101304729, 0.0909090909091, 0.047619047619, 0.0104166666667];
    for (const [i, count] of [1, 2, 3, 5, 20].entries()) {
      expect(individualRisk(count, 0.2)).toBeCloseTo(expected[i]!, 12);
      expect(individualRisk(count, null)).toBe(1 / count);
    }
  });

  it('gives SUDA and DIS-SUDA scores', () => {
    const scores: Record<number, readonly number[]> = {
      6: [3],
      4: [67, 69],
      3: [38, 57, 68, 75, 76],
      2: [8, 12, 23, 33, 41, 44, 45, 47, 53, 58, 65],
      1: [6, 13, 14, 15, 18, 24, 25, 31, 51, 59, 63, 74, 78],
    };
    const expected = new Float64Array(80);
    for (const [score, records] of Object.entries(scores)) {
      for (const record of records) expected[record - 1] = Number(score);
    }
    const settings = (disFraction: number) => ({ samplingFraction: null, disFraction, subsetSize: 4 });
    const found = [0.01, 0.1].map((fraction) => countKeys(table, [A, B, C, D], settings(fraction)));
    expect([...found[0]!.sudaScores]).toEqual([...expected]);
    // sdcMicro computes DIS in single precision.
    const dis = [
      { 6: 0.0863717677253, 4: 0.054923683695, 3: 0.0395232932389, 2: 0.024672172001, 1: 0.010890929426, 0: 0 },
      { 6: 0.50978184978, 4: 0.389972989433, 3: 0.311601178223, 2: 0.217686022193, 1: 0.108034285858, 0: 0 },
    ];
    for (const [i, { disSudaScores }] of found.entries()) {
      for (const [record, score] of expected.entries()) {
        expect(disSudaScores[record]).toBeCloseTo(dis[i]![score as 0], 6);
      }
    }
  });
});
