import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { datasetAbsences, rowAbsences } from '../../../shared/risk/copies/absence.ts';
import { expectedUniques, judgeCopies, uniqueExcess } from '../../../shared/risk/copies/expected-uniques.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const tableOf = (rows: readonly (readonly number[])[]) =>
  combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, rows[0]!.length).combinations;

/** Two classes, two variables of two categories: categories x classes. */
const DRAW = { weights: Float64Array.of(0.3, 0.7), probabilities: Float64Array.of(0.9, 0.2, 0.1, 0.8, 0.6, 0.3, 0.4, 0.7) };
const SIZES = [2, 2];
const phi = (v: number, code: number, f: number) => DRAW.probabilities[(2 * v + code) * 2 + f]!;
const CELLS = [0, 1].flatMap((a) => [0, 1].map((b) => [a, b] as const));
const cell = (a: number, b: number) => [0, 1].reduce((sum, f) => sum + DRAW.weights[f]! * phi(0, a, f) * phi(1, b, f), 0);

/** All sequences of so many cells, with their probabilities. */
function sequences(length: number): { cells: number[]; probability: number }[] {
  if (length === 0) return [{ cells: [], probability: 1 }];
  return sequences(length - 1).flatMap(({ cells, probability }) =>
    CELLS.map(([a, b], c) => ({ cells: [...cells, c], probability: probability * cell(a, b) })),
  );
}

describe('expectedUniques()', () => {
  // (0, 1) and (1, 0) are unique; (1, 1) is not.
  const table = tableOf([
    [1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
  ]);

  it('is the mean over all datasets that a draw can give, in each of them and in any', () => {
    const found = expectedUniques([rowAbsences(table, SIZES)(DRAW)], [3, 2]);
    const meanOf = (length: number) =>
      sequences(length).reduce(
        (sum, { cells, probability }) => sum + probability * (Number(cells.includes(1)) + Number(cells.includes(2))),
        0,
      );
    expect(found.datasets.map(({ mean }) => mean)).toEqual([expect.closeTo(meanOf(3), 12), expect.closeTo(meanOf(2), 12)]);
    expect(found.any.mean).toBeCloseTo(meanOf(5), 12);
    expect(found.sum.mean).toBeCloseTo(meanOf(3) + meanOf(2), 12);
  });

  it('truncates to possible cells', () => {
    const support = {
      possible: [
        [{ variable: 0, categories: [0] }],
        [
          { variable: 0, categories: [1] },
          { variable: 1, categories: [1] },
        ],
      ],
      impossible: [
        [
          { variable: 0, categories: [1] },
          { variable: 1, categories: [0] },
        ],
      ],
    };
    const only = tableOf([[0, 1]]);
    const { datasets } = expectedUniques([rowAbsences(only, SIZES, support)(DRAW)], [1]);
    expect(datasets[0]!.mean).toBeCloseTo(cell(0, 1) / (1 - cell(1, 0)), 12);
  });

  it('takes the variance between draws and that of chance', () => {
    const { datasets } = expectedUniques([Float64Array.of(Math.log(0.5)), Float64Array.of(Math.log(0.9))], [1]);
    expect(datasets[0]!.mean).toBeCloseTo(0.3, 12);
    expect(datasets[0]!.variance).toBeCloseTo(0.08 + (0.25 + 0.09) / 2, 12);
  });

  it('gives a missing value no chance', () => {
    const { any } = expectedUniques([rowAbsences(tableOf([[0, 2]]), SIZES)(DRAW)], [50]);
    expect(any.mean).toBe(0);
  });
});

describe('datasetAbsences()', () => {
  it('is the chance that no row of the same kept values is given what the record has, from the class of its record', () => {
    // Variable 0 is kept. Of the records with 0, one has (0, 1), and three have (0, 0).
    const table = tableOf([
      [0, 0],
      [0, 1],
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
    const own = (a: number, b: number) =>
      [0, 1].reduce((sum, f) => sum + ((DRAW.weights[f]! * phi(0, a, f) * phi(1, b, f)) / cell(a, b)) * phi(1, 1, f), 0);
    const [absent, ...none] = datasetAbsences(table, SIZES, [1])(DRAW);
    expect(none).toEqual([]);
    expect(Math.exp(absent!)).toBeCloseTo((1 - own(0, 1)) * (1 - own(0, 0)) ** 3, 12);
    // The same where the kept value is the second that the table has.
    const turned = tableOf([1, 1, 0, 0, 0, 0].map((a, row) => [a, Number(a === 1 || row === 2)]));
    expect([...datasetAbsences(turned, SIZES, [1])(DRAW)]).toEqual([expect.closeTo(absent!, 12)]);
  });
});

describe('uniqueExcess()', () => {
  it('is near the normal quantile of the exact binomial tail', () => {
    // P(X >= 47) of 100 at 0.3 and P(X >= 15) of 400 at 0.01: 2.86e-4 and 4.5e-6 (exact sums).
    const tail = (found: number, of: number, p: number) => {
      let [mass, sum] = [(1 - p) ** of, 0];
      for (let k = 0; k <= of; k++) {
        if (k >= found) sum += mass;
        mass *= ((of - k) / (k + 1)) * (p / (1 - p));
      }
      return sum;
    };
    const upper = (z: number) => {
      // By Simpson's rule on the density, from z to z + 8.
      const f = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
      const steps = 4000;
      let sum = 0;
      for (let i = 0; i <= steps; i++) sum += f(z + (8 * i) / steps) * (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2);
      return (sum * 8) / steps / 3;
    };
    for (const [found, uniques, p] of [
      [47, 100, 0.3],
      [15, 400, 0.01],
      [60, 100, 0.3],
    ] as const) {
      const mean = uniques * p;
      const z = uniqueExcess({ found, mean, error: Math.sqrt(mean * (1 - p)), uniques });
      const exact = tail(found, uniques, p);
      expect(upper(z + 0.25)).toBeLessThan(exact);
      expect(upper(z - 0.25)).toBeGreaterThan(exact);
    }
  });

  it('is smaller where parameters leave more open, and nothing where no more are found than expected', () => {
    const found = { found: 60, mean: 30, uniques: 100 };
    expect(uniqueExcess({ ...found, error: 9.165 })).toBeCloseTo(uniqueExcess({ ...found, error: Math.sqrt(21) }) / 2, 3);
    expect(uniqueExcess({ ...found, found: 30, error: 1 })).toBe(0);
    expect(uniqueExcess({ found: 0, mean: 0, error: 0, uniques: 0 })).toBe(0);
  });
});

describe('judgeCopies()', () => {
  const uniques = 200;
  const probability = Array.from({ length: uniques }, (_, u) => ((u % 10) + 1) / 25);
  const mean = probability.reduce((a, b) => a + b, 0);
  const chance = probability.reduce((sum, p) => sum + p * (1 - p), 0);
  const verdictOf = (found: readonly number[], between = 0) => {
    const own = found.map((number) => ({
      ...{ rows: 0, identical: false, uniques: number, uniquesExpected: mean },
      uniquesExpectedSe: Math.sqrt(chance + between),
    }));
    const sum = {
      occurrences: found.reduce((a, b) => a + b, 0),
      occurrencesExpected: mean * found.length,
      occurrencesExpectedSe: Math.sqrt(chance * found.length + between * found.length ** 2),
    };
    return judgeCopies(
      {
        ...{ released: 0, rows: 0, uniques: 0, uniquesExpected: null, uniquesExpectedSe: null, identicalDatasets: 0 },
        ...{ ...sum, datasets: own },
      },
      uniques,
    );
  };

  it('raises no alarm in ten thousand releases of the model itself', () => {
    const random = seededStreams(1).open('copies');
    const alarms = Array.from({ length: 10_000 }, () =>
      verdictOf([1, 2].map(() => probability.filter((p) => random.uniform() < p).length)),
    ).filter((verdict) => verdict !== 'explained');
    expect(alarms).toEqual([]);
  });

  it('tells records that were copied from a synthesizer that fits more closely', () => {
    expect(mean).toBeCloseTo(44, 9);
    expect(verdictOf([50, 40])).toBe('explained');
    expect(verdictOf([68, 66])).toBe('unexplained');
    expect(verdictOf([44, 200])).toBe('copied');
    // Half of the records, and a bootstrap sample.
    expect(verdictOf([122])).toBe('copied');
    expect(verdictOf([126, 127], 40)).toBe('copied');
  });
});

it('an excess of all unique combinations is that of the deviance of none missed', () => {
  expect(uniqueExcess({ found: 10, mean: 2, error: 0.1, uniques: 10 })).toBeCloseTo(Math.sqrt(2 * 10 * Math.log(10 / 2)), 12);
});
