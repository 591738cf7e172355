import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CensusResults, PublishedOnTable } from '../../../bench/census/census-results.ts';
import { studyCharts } from '../../../bench/census/charts.ts';
import { combineEstimates } from '../../../bench/census/combined-estimate.ts';
import { jointDistribution, pairDistances, regressionCoefficients, tableFacts } from '../../../bench/census/findings.ts';
import { jointShares, meanOfAll, totalVariation } from '../../../bench/census/joint-shares.ts';
import { fitRegression, logisticFit } from '../../../bench/census/logistic-fit.ts';
import { oneChainRisk, resampledRanks, withDraws } from '../../../bench/census/one-chain.ts';
import { releaseOfTable } from '../../../bench/census/one-chain-release.ts';
import { PUBLISHED, PUBLISHED_COEFFICIENTS, readPublishedRanks } from '../../../bench/census/published.ts';
import { publishedEvaluations } from '../../../bench/census/published-evaluations.ts';
import { agreement, rankedWithin, standing } from '../../../bench/census/rank-agreement.ts';
import type { RunRisk } from '../../../bench/census/runs.ts';
import { PUBLISHED_SIZES, simulatedTable } from '../../../bench/census/simulated-table.ts';
import { ranksOfPublished } from '../../../bench/census/standing-of-published.ts';
import { storedOr } from '../../../bench/census/stored-json.ts';
import { studyTables } from '../../../bench/census/tables.ts';
import { divideTables } from '../../../scripts/pages/insert-tables.ts';
import type { AttributeRiskSummary } from '../../../shared/contracts/results/summary.ts';
import type { ChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import type { Table } from '../../../shared/table/table.ts';

/** A table of categorical variables with as many categories as are said, from rows of codes. */
function tableOf(sizes: readonly number[], rows: readonly (readonly number[])[]): Table {
  return {
    schema: {
      variables: sizes.map((size, v) => ({
        name: `V${v}`,
        type: 'categorical',
        categories: Array.from({ length: size }, (_, code) => `v${code}`),
      })),
    },
    records: rows.length,
    columns: sizes.map((_, v) => ({ type: 'categorical', codes: Uint8Array.from(rows, (row) => row[v]!) })),
  };
}

/** Some hundred records of three variables that depend on each other. */
function someTable(seed: number): Table {
  const random = new RandomStream(seed, 'test/census');
  const rows = Array.from({ length: 300 }, () => {
    const first = random.below(2);
    const second = random.uniform() < 0.7 ? first : 2;
    return [first, second, random.uniform() < 0.3 + 0.3 * first ? 1 : 0];
  });
  return tableOf([2, 3, 2], rows);
}

describe('joint shares', () => {
  const table = tableOf(
    [2, 3],
    [
      [0, 2],
      [1, 0],
      [1, 0],
      [0, 1],
    ],
  );

  it('are those of the cells, the second variable running fastest', () => {
    expect([...jointShares(table, 'V0', 'V1')]).toEqual([0, 0.25, 0.25, 0.5, 0, 0]);
  });

  it('refuse a variable that the table does not have', () => {
    expect(() => jointShares(table, 'V0', 'V2')).toThrow('no categorical variable V2');
  });

  it('are averaged and compared element by element', () => {
    const mean = meanOfAll([Float64Array.of(0.5, 0.5, 0), Float64Array.of(0.1, 0.5, 0.4)]);
    expect([...mean]).toEqual([0.3, 0.5, 0.2]);
    expect(totalVariation(mean, Float64Array.of(0, 0.5, 0.5))).toBeCloseTo(0.3, 12);
  });
});

describe('pairDistances()', () => {
  const table = someTable(1);

  it('is nothing for copies of the table, which resamples differ from by chance', () => {
    const { median, largest, chanceMedian, chanceLargest } = pairDistances(table, [table, table], new RandomStream(1, 'test'));
    expect([median, largest]).toEqual([0, 0]);
    expect(chanceMedian).toBeGreaterThan(0.005);
    expect(chanceLargest).toBeLessThan(0.1);
  });

  it('sees another dependence', () => {
    const apart = tableOf(
      [2, 3, 2],
      Array.from({ length: 300 }, (_, i) => [i % 2, i % 3, i % 2]),
    );
    const { largest, chanceLargest } = pairDistances(table, [apart], new RandomStream(1, 'test'));
    expect(largest).toBeGreaterThan(2 * chanceLargest);
  });
});

describe('logistic regression', () => {
  // 2 of 10 and 15 of 20 have the response.
  const counts = [
    [0, 0, 8],
    [0, 1, 2],
    [1, 0, 5],
    [1, 1, 15],
  ] as const;

  it('gives the log odds of a two by two table and their variance', () => {
    const rows = counts.flatMap(([x, , n]) => Array.from({ length: n }, () => [1, x]));
    const responses = counts.flatMap(([, y, n]) => Array.from({ length: n }, () => y));
    const { coefficients, variances } = logisticFit(rows, responses);
    expect(coefficients[0]).toBeCloseTo(Math.log(2 / 8), 10);
    expect(coefficients[1]).toBeCloseTo(Math.log(15 / 5) - Math.log(2 / 8), 10);
    expect(variances[0]).toBeCloseTo(1 / 2 + 1 / 8, 10);
    expect(variances[1]).toBeCloseTo(1 / 2 + 1 / 8 + 1 / 15 + 1 / 5, 10);
  });

  it('takes categories as numbers from 1, and leaves out records to which the response does not apply', () => {
    const rows = counts.flatMap(([x, y, n]) => Array.from({ length: n }, () => [x, y === 1 ? 2 : 1]));
    const table = tableOf([2, 3], [...rows, [0, 0], [1, 0], [1, 0]]);
    const { coefficients } = fitRegression(table, { response: 'V1', category: 'v2', without: 'v0', predictors: ['V0'] });
    const slope = Math.log(15 / 5) - Math.log(2 / 8);
    expect(coefficients[1]).toBeCloseTo(slope, 10);
    expect(coefficients[0]).toBeCloseTo(Math.log(2 / 8) - slope, 10);
  });

  it('refuses what has no maximum', () => {
    expect(() =>
      logisticFit(
        [
          [1, 0],
          [1, 1],
        ],
        [0, 1],
      ),
    ).toThrow(RangeError);
  });
});

describe('combineEstimates()', () => {
  it('takes the variance within from that between', () => {
    // b = 2.5, so that T = 1.2 * 2.5 - 1 = 2.
    const { mean, interval, fallback } = combineEstimates([1, 2, 3, 4, 5], [1, 1, 1, 1, 1]);
    expect(mean).toBe(3);
    expect(fallback).toBe(false);
    expect(interval[1] - mean).toBeCloseTo(1.959964 * Math.sqrt(2), 10);
  });

  it('falls back on the variance within where that difference is negative, and says so', () => {
    const { interval, fallback } = combineEstimates([3, 3, 3], [4, 4, 4]);
    expect(fallback).toBe(true);
    expect(interval[1] - 3).toBeCloseTo(1.959964 * 2, 10);
  });
});

describe('the published estimator', () => {
  const sizes = [2, 3];
  const space = candidateSpace('one-change', ['A', 'B'], sizes);
  const codes = Uint16Array.of(0, 0, 1, 2);
  const random = new RandomStream(7, 'test/census/draws');
  const simplex = (length: number) => {
    const raw = Array.from({ length }, () => 0.1 + random.uniform());
    const total = raw.reduce((sum, value) => sum + value, 0);
    return raw.map((value) => value / total);
  };
  const DRAWS = 3;
  /** For each draw pi, and phi by class and variable. */
  const theta = Array.from({ length: DRAWS }, () => ({ pi: simplex(2), phi: [0, 1].map(() => sizes.map(simplex)) }));
  const chain: ChainDraws = {
    draws: DRAWS,
    classes: 2,
    categories: 5,
    weights: Float64Array.from(theta.flatMap(({ pi }) => pi)),
    // Categories of all variables end to end, classes innermost.
    probabilities: Float64Array.from(
      theta.flatMap(({ phi }) =>
        sizes.flatMap((size, k) => Array.from({ length: size }, (_, c) => [phi[0]![k]![c]!, phi[1]![k]![c]!]).flat()),
      ),
    ),
    concentration: new Float64Array(DRAWS),
    occupiedClasses: new Uint16Array(DRAWS),
    logLikelihood: new Float64Array(DRAWS),
  };
  const logP = [Float64Array.of(-2, -3, -1), Float64Array.of(-700, -702, -699.5)];
  const density = (draw: number, cell: readonly number[]) =>
    [0, 1].reduce((sum, f) => sum + theta[draw]!.pi[f]! * cell.reduce((product, c, k) => product * theta[draw]!.phi[f]![k]![c]!, 1), 0);
  /** Hu et al. (2014), eq. 14 and 15 as they are printed, with proposals counted so often. */
  const plain = (own: readonly number[], counts = [1, 1, 1]) => {
    const scores = Array.from({ length: space.perCombination }, (_, x) => {
      const cell = [...own];
      for (const { variable, code } of candidateChanges(space, own, x)) cell[variable] = code;
      const ratios = theta.map((_, j) => density(j, cell) / density(j, own));
      const total = ratios.reduce((sum, value, j) => sum + counts[j]! * value, 0);
      return logP.reduce(
        (product, values) =>
          product * values.reduce((sum, value, j) => sum + counts[j]! * Math.exp(value - values[2]!) * (ratios[j]! / total), 0),
        1,
      );
    });
    const rank = 1 + scores.filter((value) => value > scores[0]! * (1 + 1e-12)).length;
    return { rank, probability: scores[0]! / scores.reduce((sum, value) => sum + value, 0) };
  };

  it('is Hu et al. 2014, eq. 12 to 15', () => {
    const risk = oneChainRisk(space, codes, chain, logP);
    for (const [row, own] of [
      [0, 0],
      [1, 2],
    ].entries()) {
      expect(risk.rank[row]).toBe(plain(own).rank);
      expect(risk.probability[row]).toBeCloseTo(plain(own).probability, 12);
    }
    expect(risk.survivors).toEqual([2, 2]);
    const p = [-2, -3, -1].map(Math.exp);
    const size = p.reduce((a, b) => a + b, 0) ** 2 / p.reduce((sum, value) => sum + value * value, 0);
    expect(risk.effectiveDraws[0]).toBeCloseTo(size, 12);
    expect(risk.spreads[0]).toBeCloseTo(1, 12);
  });

  it('is resampled by counting proposals as often as they are drawn', () => {
    const found = resampledRanks(space, codes, chain, logP, 200, new RandomStream(1, 'test'));
    const possible = new Set<string>();
    for (let a = 0; a <= 3; a++) {
      for (let b = 0; a + b <= 3; b++) {
        // A proposal alone tells nothing: all candidates tie.
        if ([a, b, 3 - a - b].includes(3)) possible.add('2.5,2.5');
        else
          possible.add(
            [
              [0, 0],
              [1, 2],
            ]
              .map((own) => plain(own, [a, b, 3 - a - b]).rank)
              .join(),
          );
      }
    }
    const drawn = new Set(found.map((ranks) => [...ranks].map((value) => value).join()));
    for (const ranks of drawn) {
      if (ranks !== '2.5,2.5') expect(possible).toContain(ranks);
    }
    expect(drawn.size).toBeGreaterThan(1);
  });

  it('has other draws in the place of the last', () => {
    const state = { ...chain, weights: Float64Array.of(0.25, 0.75), probabilities: new Float64Array(10).fill(0.5) };
    const { weights, probabilities } = withDraws(chain, [{ ...state, concentration: 1, occupiedClasses: 2 }]);
    expect([...weights.subarray(0, 4)]).toEqual([...chain.weights.subarray(0, 4)]);
    expect([...weights.subarray(4)]).toEqual([0.25, 0.75]);
    expect([...probabilities.subarray(20)]).toEqual(new Array(10).fill(0.5));
    expect(chain.weights[4]).not.toBe(0.25);
  });
});

describe('rank agreement', () => {
  const evaluations = [
    { rank: Float64Array.of(1, 2, 3, 9), probability: new Float64Array(4) },
    { rank: Float64Array.of(8, 1, 2.5, 3), probability: new Float64Array(4) },
  ];

  it('counts truths of a rank, ties at their upper place, and where the other evaluation has them', () => {
    expect(standing(evaluations, 1, 3)).toEqual({ combinations: 1, confirmed: 0.5, median: 5 });
    expect(standing(evaluations, 3, 3)).toEqual({ combinations: 1.5, confirmed: 2 / 3, median: 3 });
    expect(standing(evaluations, 5, 3)).toEqual({ combinations: 0, confirmed: null, median: null });
  });

  it('can ask others', () => {
    expect(standing(evaluations, 1, 3, [evaluations[0]!])).toEqual({ combinations: 1, confirmed: 1, median: 1.5 });
  });

  it('counts the first, and correlates', () => {
    expect(rankedWithin(evaluations, 3)).toEqual([3, 3]);
    // Ranks 1, 2, 3, 4 and 4, 1, 2, 3: 1 - 6 * 12 / (4 * 15).
    expect(agreement(evaluations)).toBeCloseTo(-0.2, 12);
  });
});

describe('what Hu et al. 2014 published', () => {
  it('is read from a file of its Table 3', () => {
    const bytes = new TextEncoder().encode('"SEX","reps","rank","prob"\n1,2,3,.125\n2,1,1,.051\n');
    expect(readPublishedRanks(bytes)).toEqual([
      { records: 2, rank: 3, probability: 0.125 },
      { records: 1, rank: 1, probability: 0.051 },
    ]);
  });

  it('refuses a file without them', () => {
    expect(() => readPublishedRanks(new TextEncoder().encode('SEX,reps\n1,2\n'))).toThrow('row 1');
  });

  it('has as many cells and candidates as its variables say', () => {
    expect(PUBLISHED_SIZES.reduce((product, size) => product * size, 1)).toBe(PUBLISHED.cells);
    expect(PUBLISHED_SIZES.reduce((sum, size) => sum + size - 1, 1)).toBe(PUBLISHED.candidates);
    expect(PUBLISHED_SIZES).toHaveLength(PUBLISHED.variables);
  });

  it('has the estimates of its synthetic data in the middle of their intervals', () => {
    for (const { synthetic, interval } of PUBLISHED_COEFFICIENTS) {
      expect(Math.abs((interval[0] + interval[1]) / 2 - synthetic)).toBeLessThan(0.001);
    }
  });
});

describe('simulatedTable()', () => {
  it('has the records of Hu et al. 2014, and nearly its combinations', () => {
    const { records, combinations, repeated } = tableFacts(simulatedTable(new RandomStream(1, 'census/table')), PUBLISHED_SIZES);
    expect(records).toBe(PUBLISHED.records);
    expect(Math.abs(combinations / PUBLISHED.combinations - 1)).toBeLessThan(0.05);
    expect(Math.abs(repeated[0] / PUBLISHED.repeated[0] - 1)).toBeLessThan(0.05);
  });
});

describe('storedOr()', () => {
  it('makes once, and reads the same afterwards', () => {
    const folder = mkdtempSync(join(tmpdir(), 'synthrisk-census-'));
    try {
      const file = join(folder, 'found.json');
      const made = { name: 'a', of: [{ values: Float64Array.of(0.1, 1e-300, 3) }] };
      expect(storedOr(file, () => made)).toEqual(made);
      const again = storedOr(file, (): typeof made => {
        throw new Error('made twice');
      });
      expect(again).toEqual(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the page and its figures', () => {
  const page = readFileSync(new URL('../../../docs/studies/census.md', import.meta.url), 'utf8');
  const results = smallResults();

  it('has tables for every place on docs/studies/census.md, and prints the others', () => {
    const tables = studyTables(results);
    const { page: filled, apart } = divideTables(page, tables);
    expect(divideTables(filled, tables).page).toBe(filled);
    const places = [...page.matchAll(/<!-- table: (\S+) -->/g)].map(([, name]) => name!);
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(places));
    for (const [name, text] of Object.entries(tables)) expect(places.includes(name) ? filled : apart).toContain(text);
    for (const text of Object.values(tables)) expect(text).not.toMatch(/NaN|undefined|null/);
  });

  it('draws every figure that it shows', async () => {
    const shown = [...page.matchAll(/\(\.\.\/images\/(.*?)\)/g)].map(([, file]) => file!);
    const charts = await studyCharts(results);
    expect(Object.keys(charts).toSorted()).toEqual(shown.toSorted());
    for (const svg of Object.values(charts)) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('expects of the published ranks what evaluations confirm of ranks like them', () => {
    const [apart] = ranksOfPublished(results);
    const { risks } = results.table.evaluations.apart;
    const share = (rank: number) => standing(risks, rank, 3).confirmed ?? 0;
    expect(apart!.expected).toBeCloseTo(share(1) + 2 * share(3), 12);
    expect(studyTables(results)['census-standing']).toContain(`**${apart!.expected.toFixed(1)}**`);
  });
});

/** Results of a table of 300 records, with releases that Hu et al.'s (2014) estimator evaluates and made-up runs. */
function smallResults(): CensusResults {
  const table = someTable(1);
  const sizes = [2, 3, 2];
  const codes = Uint16Array.from(
    Array.from({ length: table.records }, (_, i) =>
      table.columns.map((column) => (column.type === 'categorical' ? column.codes[i]! : 0)),
    ).flat(),
  );
  const { combinations } = combinationsFromCodes(codes, table.records, sizes.length);
  const evaluated = (seed: number): PublishedOnTable => ({
    facts: tableFacts(combinations, sizes),
    evaluations: publishedEvaluations(releaseOfTable(combinations, sizes, seed), 'test', seed),
  });
  const random = new RandomStream(2, 'test/census/runs');
  const run = (): RunRisk => {
    const column = (of: () => number) => Float64Array.from({ length: combinations.count }, of);
    return {
      count: Float64Array.from(combinations.counts),
      rank: column(() => 1 + random.below(5)),
      probability: column(() => random.uniform()),
      effectiveDraws: column(() => 100),
      priorOddsToFirst: column(() => 1 + random.uniform()),
    };
  };
  const summary = {
    priorProbabilityMean: 0.2,
    probabilityMean: 0.21,
    probabilityMeanSe: 0.01,
    priorFirstShare: 0.2,
    truthRankedFirstShare: 0.3,
    truthRankedFirstShareSe: 0.02,
    firstGuessRightBefore: 0.6,
    firstGuessRightBeforeSe: 0.01,
    firstGuessRightAfter: 0.7,
    firstGuessRightAfterSe: 0.01,
    gainBitsMean: 0.3,
    gainBitsMeanSe: 0.02,
    gainBitsClaimed: 0.25,
  } as AttributeRiskSummary;
  const datasets = [someTable(2), someTable(3)];
  return {
    pairs: [jointDistribution(table, datasets, ['V0', 'V1']), jointDistribution(table, datasets, ['V1', 'V2'])],
    distances: pairDistances(table, datasets, random),
    regression: regressionCoefficients(table, datasets, { response: 'V2', category: 'v1', predictors: ['V0', 'V1'] }),
    augmented: [run(), run()],
    importance: [run(), run()],
    gains: [{ name: 'augmented', summary }],
    unknown: run(),
    summaries: { change: summary, unknown: summary, modelled: summary },
    table: evaluated(1),
    simulated: evaluated(2),
    publishedRanks: [
      { records: 1, rank: 1, probability: 0.19 },
      { records: 1, rank: 3, probability: 0.06 },
      { records: 2, rank: 3, probability: 0.05 },
    ],
  };
}
