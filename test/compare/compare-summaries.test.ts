import { describe, expect, it } from 'vitest';
import { compareSummaries } from '../../shared/compare/compare-summaries.ts';
import { comparisonSchema } from '../../shared/contracts/results/comparison.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { mapLines } from '../../shared/report/words/comparison-in-words.ts';
import { measureInWords } from '../../shared/report/words/measures-in-words.ts';
import { reportInput } from '../report/fixture.ts';

const PMSE = 'utility.figures.propensityMain';
const MATCHES = 'identificationRisk["neighbour"].mean.expectedMatchRisk';

const figures = (expectedMatchRisk: number) => ({ ...{ expectedMatchRisk, trueMatchRate: 0.1, falseMatchRate: 0.5, uniqueMatches: 7 } });

/** A partially synthetic run with two measures of each dataset, and beside them those of the fixture. */
function runOf(
  name: string,
  risks: readonly number[],
  scores: readonly number[],
  more: { radius?: number; randomness?: string; risk?: object } = {},
) {
  const { summary } = reportInput();
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const radii = { INCOME: { relative: more.radius ?? 0.1 } };
  const matches = {
    ...{ scenario: 'neighbour', known: ['AGE'], synthesized: ['INCOME'], applies: true, records: 100, radii },
    ...{ shape: 'box', datasets: risks.map(figures), mean: figures(mean(risks)), recordRisks: [] },
    ...{ standardDeviation: null, minimum: figures(0), maximum: figures(0) },
  };
  const scoreOf = (pmse: number) => ({ pmse, expected: 1, ratio: pmse, standardized: 0 });
  const undefinedOnes = ['propensityPairs', 'propensityTree', 'intervalOverlapMean'];
  const utility = {
    ...{ records: 100, datasets: risks.length, kind: 'partial', synthesized: ['INCOME'], tables: [] },
    figures: {
      ...{ propensityMain: mean(scores), propensityRatioMain: mean(scores) },
      ...Object.fromEntries(undefinedOnes.map((field) => [field, null])),
    },
    propensity: [{ terms: 'main', datasets: scores.map(scoreOf), mean: scoreOf(mean(scores)) }],
    ...{ regressions: [], patterns: null, associations: { variables: ['AGE', 'INCOME'] } },
  };
  const risk = { ...summary.attributeRisk[0]!, ...more.risk };
  const whole = { ...{ ...summary, runId: name, attributeRisk: [risk], identificationRisk: [matches], utility } } as unknown as Summary;
  return { name, summary: whole, randomness: more.randomness ?? name };
}

const asked = { risk: MATCHES, utility: PMSE };
const A = () => runOf('a', [10, 12, 17], [0.1, 0.2, 0.6]);

describe('compareSummaries()', () => {
  it('finds errors over datasets, quantiles as R gives them, and differences with the errors of both', () => {
    const b = runOf('b', [4, 6], [0.5, 0.7]);
    const found = compareSummaries([A(), b], asked, '1');
    expect(comparisonSchema.parse(found)).toEqual(found);
    const own = found.runs[0]!.risk[MATCHES]!;
    // sd(c(10, 12, 17)) / sqrt(3); quantile(c(10, 12, 17))
    expect(own.se).toBeCloseTo(Math.sqrt(13 / 3), 12);
    expect(own.spread).toEqual({ least: 10, lowerQuartile: 11, median: 12, upperQuartile: 14.5, most: 17 });
    expect(own.datasets).toEqual([10, 12, 17]);
    const difference = found.differences.find(({ measure }) => measure === MATCHES)!;
    expect(difference).toMatchObject({ a: 'a', b: 'b', difference: -8, covers: 'datasets' });
    expect(difference.se).toBeCloseTo(Math.sqrt(13 / 3 + 1), 12);
    const gain = found.differences.find(({ measure }) => measure.endsWith('.informationBitsMean'))!;
    const { informationBitsMeanSe } = b.summary.attributeRisk[0]!;
    expect(gain).toMatchObject({ difference: 0, covers: 'simulation and release' });
    expect(gain.se).toBeCloseTo(Math.SQRT2 * informationBitsMeanSe!, 12);
  });

  it('gives no error where there is one dataset, where random numbers are shared, and of largest values', () => {
    const of = (runs: Parameters<typeof compareSummaries>[0], measure: string) =>
      compareSummaries(runs, asked, '1').differences.find((one) => one.measure.endsWith(measure));
    expect(of([A(), runOf('b', [4], [0.5])], 'expectedMatchRisk')).toMatchObject({
      ...{ difference: -9, se: null, seReason: expect.stringContaining('one dataset') },
    });
    const repeated = runOf('b', [4, 6], [0.5, 0.6], { randomness: 'a' });
    expect(of([A(), repeated], 'expectedMatchRisk')).toMatchObject({
      ...{ difference: -8, se: null, seReason: expect.stringContaining('release key') },
    });
    expect(of([A(), runOf('b', [4, 6], [0.5, 0.6])], 'probabilityMax')).toMatchObject({ se: null });
  });

  it('says which settings differ between runs, and leaves out what one run alone has', () => {
    const narrow = runOf('b', [4, 6], [0.5, 0.6], { radius: 0.01, risk: { prior: 'empirical' } });
    const { measures } = compareSummaries([A(), narrow], asked, '1');
    const cautionOf = (end: string) => measures.find(({ name }) => name.endsWith(end))!.caution;
    expect(cautionOf('.expectedMatchRisk')).toBe('The runs differ in: radius of INCOME.');
    expect(cautionOf('.probabilityMean')).toBe('The runs differ in: prior.');
    expect(cautionOf('.propensityMain')).toBeUndefined();
    const other = runOf('b', [4, 6], [0.5, 0.6], { risk: { scenario: 'another' } });
    const shared = compareSummaries([A(), other], asked, '1').measures;
    expect(shared.filter(({ name }) => name.startsWith('attributeRisk'))).toEqual([]);
  });

  it('compares every two runs that have a measure, risks first, though the first run lacks it', () => {
    const [first, b, c] = [A(), runOf('b', [4, 6], [0.5, 0.6]), runOf('c', [5, 6], [0.5, 0.6])];
    const lacking = { ...first, summary: { ...first.summary, identificationRisk: [] } };
    const { differences, measures } = compareSummaries([lacking, b, c], {}, '1');
    const pairs = (measure: string) => differences.filter((one) => one.measure === measure).map((one) => [one.a, one.b]);
    expect(pairs(MATCHES)).toEqual([['b', 'c']]);
    expect(pairs(PMSE)).toEqual([...['b', 'c'].map((other) => ['a', other]), ['b', 'c']]);
    const kinds = measures.map((one) => one.of);
    expect(kinds.indexOf('utility')).toBe(kinds.filter((of) => of === 'risk').length);
    expect(kinds.lastIndexOf('risk')).toBeLessThan(kinds.indexOf('utility'));
  });

  it('gives no error, no datasets and no spread where a measure is undefined for a dataset', () => {
    const b = runOf('b', [4, 6], [0.5, 0.6]);
    (b.summary.utility!.propensity[0]!.datasets as (object | null)[])[1] = null;
    expect(compareSummaries([A(), b], asked, '1').runs[1]!.utility[PMSE]).toEqual({
      ...{ value: 0.55, se: null, halfWidth: null, seReason: 'it is undefined for a dataset', datasets: null, spread: null },
    });
  });

  it('has of tables each dataset, and of regressions which they are', () => {
    const withMore = (formula: string, distances: readonly number[]) => {
      const run = runOf(formula, [1, 2], [0.5, 0.6]);
      Object.assign(run.summary.utility!.figures, { twoWayTotalVariation: 0.3, intervalOverlapMean: 0.8 });
      const more = {
        tables: [
          { way: 1, totalVariationByDataset: [9, 9] },
          { way: 2, totalVariationByDataset: distances },
        ],
      };
      Object.assign(run.summary.utility!, more, { regressions: [{ formula }] });
      return run;
    };
    const { runs, measures } = compareSummaries([withMore('y ~ a', [0.2, 0.4]), withMore('y ~ b', [0.25, 0.35])], {}, '1');
    expect(runs.map(({ utility }) => utility['utility.figures.twoWayTotalVariation']!.datasets)).toEqual([
      [0.2, 0.4],
      [0.25, 0.35],
    ]);
    const cautionOf = (figure: string) => measures.find(({ name }) => name === `utility.figures.${figure}`)!.caution;
    expect(cautionOf('intervalOverlapMean')).toBe('The runs differ in: regressions.');
    expect(cautionOf('twoWayTotalVariation')).toBeUndefined();
  });

  it('warns of pMSE ratios whose expectation is found in two ways, and says so beside the map', () => {
    const full = runOf('b', [4, 6], [0.5, 0.6]);
    Object.assign(full.summary.utility!, { kind: 'full' });
    const ratio = 'utility.figures.propensityRatioMain';
    const found = compareSummaries([A(), full], { ...asked, utility: ratio }, '1');
    const caution = 'The runs differ in: synthesis, full or partial, by which the expected pMSE is found.';
    expect(found.measures.find(({ name }) => name === ratio)!.caution).toBe(caution);
    expect(found.measures.find(({ name }) => name === PMSE)!.caution).toBeUndefined();
    expect(mapLines(found).at(-1)).toBe(`Not comparable: ${measureInWords(ratio)}. ${caution}`);
    expect(mapLines(compareSummaries([A(), full], asked, '1')).join()).not.toContain('Not comparable');
  });

  it('has the error of permutations, which datasets share, in that of a pMSE ratio by a tree', () => {
    const ratio = 'utility.figures.propensityRatioTree';
    const treeOf = (name: string, se: number | null) => {
      const run = runOf(name, [1, 2], [0.5, 0.6]);
      const { figures, propensity } = run.summary.utility!;
      Object.assign(figures, { propensityRatioTree: 2 });
      propensity.push({ terms: 'tree', datasets: [{ ratio: 1.7 }, { ratio: 2.3 }] } as never);
      return Object.assign(run, {
        summary: { ...run.summary, utility: { ...run.summary.utility!, figuresSe: { propensityRatioTree: se } } as never },
      });
    };
    const { runs, differences } = compareSummaries([treeOf('a', 0.5), treeOf('b', 0.5), treeOf('c', null)], asked, '1');
    // sd(c(1.7, 2.3)) / sqrt(2) = 0.3, so that permutations leave 0.4; qt(0.975, 1), qnorm(0.975)
    const half = Math.hypot(0.3 * 12.706204736174705, 0.4 * 1.959963984540054);
    expect(runs[0]!.utility[ratio]).toMatchObject({ value: 2, se: 0.5, halfWidth: expect.closeTo(half, 9) });
    expect(runs[2]!.utility[ratio]).toMatchObject({
      value: 2,
      se: null,
      halfWidth: null,
      seReason: expect.stringContaining('permutation'),
    });
    const [first, second] = differences.filter(({ measure }) => measure === ratio);
    expect(first).toMatchObject({ difference: 0, se: expect.closeTo(Math.SQRT1_2, 12), halfWidth: expect.closeTo(Math.SQRT2 * half, 9) });
    expect(second).toMatchObject({ b: 'c', se: null, seReason: expect.stringContaining('permutation') });
  });

  it('says that scenarios are matched by name where runs have none in common', () => {
    const runs = [A(), runOf('b', [4, 6], [0.5, 0.6])];
    for (const [place, { summary }] of runs.entries()) {
      Object.assign(summary.attributeRisk[0]!, { scenario: `own ${place}` });
      Object.assign(summary, { identificationRisk: [], attributeDisclosures: null });
    }
    expect(compareSummaries(runs, {}, '1').mapReason).toContain('Scenarios are matched by their names');
    // Another figure of risk is no other name of the same.
    Object.assign(runs[1]!.summary, { attributeRisk: [], identificationRisk: A().summary.identificationRisk });
    expect(compareSummaries(runs, {}, '1').mapReason).toBe('There is no measure of risk that all of these runs have.');
  });

  it('gives the reason of what is undefined alone', () => {
    const [own] = compareSummaries([A(), runOf('b', [4, 6], [0.5, 0.6])], asked, '1').runs;
    expect(own!.utility['utility.figures.intervalOverlapMean']).toEqual({
      ...{ value: null, reason: 'it is not measured, or undefined', se: null, halfWidth: null },
      ...{ seReason: 'all datasets together give one figure, whose error is not known', datasets: null, spread: null },
    });
    const defined = Object.values({ ...own!.risk, ...own!.utility }).filter(({ value }) => value !== null);
    expect(defined.filter((figure) => 'reason' in figure)).toEqual([]);
  });

  it('leaves out a scenario of identification that does not apply', () => {
    const b = runOf('b', [4, 6], [0.5, 0.6]);
    const not = {
      ...b,
      summary: { ...b.summary, identificationRisk: [{ ...b.summary.identificationRisk[0]!, applies: false }] },
    } as typeof b;
    expect(Object.keys(compareSummaries([not, not], {}, '1').runs[0]!.risk).filter((name) => name.startsWith('identification'))).toEqual(
      [],
    );
  });

  it('takes a measure without its scenario where one scenario has it, and names those of several', () => {
    const [scenarios, risk] = [['x', 'y'], 'attributeRisk.gainBitsMean'] as const;
    const byOne = compareSummaries([A(), runOf('b', [4, 6], [0.5, 0.7])], { risk: MATCHES.replace('["neighbour"]', '') }, '1');
    expect(byOne.map!.risk).toBe(MATCHES);
    const runs = ['a', 'b'].map((name) => {
      const run = runOf(name, [4, 6], [0.5, 0.7]);
      const attributeRisk = scenarios.map((scenario) => ({ ...run.summary.attributeRisk[0]!, scenario }));
      return { ...run, summary: { ...run.summary, attributeRisk } };
    });
    expect(() => compareSummaries(runs, { risk }, '1')).toThrow(
      '--risk names several measures that all of these runs have: expected one of attributeRisk["x"].gainBitsMean, attributeRisk["y"].gainBitsMean.',
    );
  });

  it('draws the map of what all runs have, and refuses what one of them lacks', () => {
    const b = runOf('b', [4, 6], [0.5, 0.6], { risk: { gainBitsMean: null, gainBitsReason: 'none' } });
    expect(compareSummaries([A(), b], {}, '1').map).toEqual(asked);
    expect(() => compareSummaries([A(), b], { utility: 'utility.figures.propensityPairs' }, '1')).toThrow(
      /--utility names no measure that all of these runs have: expected one of utility\.figures\.propensityMain/,
    );
    const bare = { ...b, summary: { ...b.summary, utility: null } };
    expect(() => compareSummaries([A(), bare], { utility: 'x' }, '1')).toThrow(
      /^There is no measure of utility .*: leave out --utility\.$/,
    );
    expect(compareSummaries([A(), bare], {}, '1')).toMatchObject({
      ...{ map: null, mapReason: expect.stringContaining('utility'), dominated: [] },
    });
  });
});

describe('dominated runs', () => {
  const dominated = (...runs: ReturnType<typeof runOf>[]) => compareSummaries(runs, asked, '1').dominated;

  it('are those that some run is no worse than in both measures and better in one, as pairs of numbers have it', () => {
    const points = [
      [1, 4],
      [2, 2],
      [2, 3],
      [4, 1],
      [4, 1],
      [5, 5],
    ] as const;
    const runs = points.map(([risk, utility], i) => runOf(`run ${i}`, [risk - 0.5, risk + 0.5], [utility - 0.5, utility + 0.5]));
    const expected = points.flatMap(([risk, utility], i) => {
      const by = points.flatMap(([r, u], j) => (r <= risk && u <= utility && (r < risk || u < utility) ? [`run ${j}`] : []));
      return by.length === 0 ? [] : [{ run: `run ${i}`, by: by.map((run) => expect.objectContaining({ run })) }];
    });
    expect(expected.map(({ run }) => run)).toEqual(['run 2', 'run 5']);
    expect(dominated(...runs)).toEqual(expected);
  });

  it('are so beyond errors where a measure is better by more than half of a 95 % interval, whichever run comes first', () => {
    // Standard errors of 0.5 on every side, of two datasets each: 12.706 times the root of two of them, 8.98.
    const near = runOf('near', [1, 2], [1, 2]);
    const far = runOf('far', [10.5, 11.5], [1, 2]);
    const close = runOf('close', [9.9, 10.9], [1, 2]);
    for (const runs of [
      [near, far],
      [far, near],
    ] as const) {
      expect(dominated(...runs)).toEqual([{ run: 'far', by: [{ run: 'near', beyondErrors: true }] }]);
    }
    expect(dominated(near, close)).toEqual([{ run: 'close', by: [{ run: 'near', beyondErrors: false }] }]);
  });

  it('have less of a measure of which more is better', () => {
    const overlap = (name: string, value: number) => {
      const run = runOf(name, [1, 2], [1, 2]);
      run.summary.utility!.figures.intervalOverlapMean = value;
      return run;
    };
    const { dominated: found } = compareSummaries(
      [overlap('worse', 0.4), overlap('better', 0.9)],
      { risk: MATCHES, utility: 'utility.figures.intervalOverlapMean' },
      '1',
    );
    expect(found).toEqual([{ run: 'worse', by: [{ run: 'better', beyondErrors: false }] }]);
  });
});
