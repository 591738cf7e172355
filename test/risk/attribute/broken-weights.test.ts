import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeRiskSummarySchema } from '../../../shared/contracts/results/summary.ts';
import { parseRegionRule, type RiskBound } from '../../../shared/contracts/settings/acceptance-region.ts';
import { brokenWeights, brokenWeightsOf, judgeRegion } from '../../../shared/risk/attribute/broken-weights.ts';

/** R and RR of McClure & Reiter (2012, section 4) by their definitions. */
const riskOf = (factor: number, w: number) => {
  const relative = factor / (1 - w + w * factor);
  return { R: w * relative, RR: relative };
};

const meets = ({ risk, inclusive, bound }: RiskBound, factor: number, w: number) => {
  const value = riskOf(factor, w)[risk];
  return inclusive ? value <= bound : value < bound;
};

const boundArbitrary = fc.record({
  risk: fc.constantFrom('R' as const, 'RR' as const),
  inclusive: fc.boolean(),
  bound: fc.oneof(fc.constantFrom(0, 0.1, 1, 1.05), fc.double({ min: 0, max: 4, noNaN: true })),
});

const ruleArbitrary = fc
  .array(fc.array(boundArbitrary, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((alternatives) => ({ rule: '', scenario: null, alternatives }));

const factorArbitrary = fc.oneof(
  fc.constantFrom(1, 1e-12, 1e12, Number.MAX_VALUE),
  fc.double({ min: -6, max: 6, noNaN: true }).map((power) => 10 ** power),
);

const GRID = Array.from({ length: 499 }, (_, i) => (i + 1) / 500);

describe('brokenWeights()', () => {
  it('is what a grid of weights finds, for any rules and Bayes factors', () => {
    fc.assert(
      fc.property(fc.array(ruleArbitrary, { minLength: 1, maxLength: 3 }), factorArbitrary, (rules, factor) => {
        const broken = brokenWeightsOf(rules, factor);
        for (let i = 0; i < broken.length; i++) {
          expect(broken[i]![0]).toBeLessThan(broken[i]![1]);
          if (i > 0) expect(broken[i]![0]).toBeGreaterThan(broken[i - 1]![1]);
        }
        for (const w of GRID) {
          // Beside an end, rounding decides.
          if (broken.flat().some((end) => Math.abs(end - w) < 1e-9)) continue;
          const breaks = rules.some(({ alternatives }) => !alternatives.some((bounds) => bounds.every((bound) => meets(bound, factor, w))));
          // A bound that the risk takes for every weight is met or broken by rounding alone.
          const { R, RR } = riskOf(factor, w);
          const onBound = rules.some(({ alternatives }) =>
            alternatives.flat().some(({ risk, bound }) => Math.abs((risk === 'R' ? R : RR) - bound) < 1e-12),
          );
          if (onBound) continue;
          expect(broken.some(([low, high]) => low < w && w < high)).toBe(breaks);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is the interval of a case worked out by hand', () => {
    // B = 3: R = 3w / (1 + 2w) is above 1/2 from w = 1/4 on, and RR = 3 / (1 + 2w) is above 1.5 up to w = 1/2.
    const rule = parseRegionRule('R <= 0.5 or RR <= 1.5', 1);
    const [[low, high], ...others] = brokenWeights(rule, 3) as [[number, number], ...number[][]];
    expect(low).toBeCloseTo(1 / 4, 12);
    expect(high).toBeCloseTo(1 / 2, 12);
    expect(others).toEqual([]);
    // B = 1.5: RR is 1.5 at most.
    expect(brokenWeights(rule, 1.5)).toEqual([]);
    expect(brokenWeights(rule, 0.2)).toEqual([]);
  });

  it('is what breaks either of two bounds that are to be met together', () => {
    // B = 3: RR = 3 / (1 + 2w) is above 1.5 up to w = 1/2 and above 2 up to w = 1/4; R is above 0.9 from w = 3/4 on.
    for (const rule of ['RR <= 1.5 and RR <= 2 and R <= 0.9 or RR <= 1', 'R <= 0.9 and RR <= 2 and RR <= 1.5 or RR <= 1']) {
      expect(brokenWeights(parseRegionRule(rule, 1), 3)).toEqual([
        [0, expect.closeTo(1 / 2, 12)],
        [expect.closeTo(3 / 4, 12), 1],
      ]);
    }
  });

  it('grows with the Bayes factor', () => {
    const rule = parseRegionRule('R < 0.2 and RR < 2 or RR <= 1.1', 1);
    let last = 0;
    for (const factor of [0.1, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 10, 1e3, 1e6]) {
      const broken = brokenWeights(rule, factor).reduce((sum, [low, high]) => sum + high - low, 0);
      expect(broken).toBeGreaterThanOrEqual(last);
      last = broken;
    }
    expect(last).toBeGreaterThan(0.9);
  });
});

describe('judgeRegion()', () => {
  it('counts records, names the worst and allows for errors', () => {
    const rule = parseRegionRule('R <= 0.5 or RR <= 1.5', 1);
    const other = parseRegionRule('RR <= 4', 2);
    const factors = Float64Array.of(3, 1, 6, 2.2, NaN);
    const errors = Float64Array.of(0.1, 1, 0.1, 0.5, NaN);
    const figures = judgeRegion([rule, other], factors, errors, [1, 2, 3, 4, 10]);
    expect(figures.rules).toEqual([
      { rule: rule.rule, brokenShare: 8 / 20 },
      { rule: other.rule, brokenShare: 3 / 20 },
    ]);
    expect(figures.brokenShare).toBeCloseTo(8 / 20, 14);
    // The fourth breaks it by less than its error.
    expect(figures.brokenSurelyShare).toBeCloseTo(4 / 20, 14);
    expect(figures.worst.map(({ row }) => row)).toEqual([3, 1, 4]);
    expect(attributeRiskSummarySchema.shape.acceptanceRegion.parse(figures)).toEqual(figures);
    // B = 6: R above 1/2 from 1/7 on, RR above 1.5 up to 3/5, above 4 up to 1/10.
    const [first, second] = figures.worst[0]!.broken as unknown as [number[], number[]];
    expect(first[0]).toBe(0);
    expect(first[1]).toBeCloseTo(1 / 10, 12);
    expect(second[0]).toBeCloseTo(1 / 7, 12);
    expect(second[1]).toBeCloseTo(3 / 5, 12);
    expect(figures.brokenWeightMax).toBeCloseTo(1 / 10 + 3 / 5 - 1 / 7, 12);
    const measures = [1 / 4, 1 / 10 + 3 / 5 - 1 / 7];
    const fourth = figures.worst[2]!.brokenWeight;
    expect(figures.brokenWeightMean).toBeCloseTo((measures[0]! + 3 * measures[1]! + 4 * fourth) / 20, 12);
  });

  it('breaks every bound on R below 1 where the truth is certain, and states no Bayes factor', () => {
    const rules = [parseRegionRule('R <= 0.9 or RR <= 1', 1), parseRegionRule('RR <= 4', 2)];
    const { worst, brokenSurelyShare } = judgeRegion(rules, Float64Array.of(1, Infinity), new Float64Array(2), [1, 1]);
    expect(worst[0]).toMatchObject({ row: 2, bayesFactor: null, brokenWeight: 1, broken: [[0, 1]] });
    expect(brokenSurelyShare).toBeGreaterThanOrEqual(0.5);
    expect(brokenWeights(rules[1]!, Infinity)).toEqual([[0, 0.25]]);
  });

  it('names ten, those with equal Bayes factors in the order of their rows', () => {
    const factors = Float64Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? 5 : 3 + (row % 3)));
    const { worst } = judgeRegion([parseRegionRule('RR <= 2', 1)], factors, new Float64Array(40), Array(40).fill(1));
    // From 1: the odd rows have 5, and so has every sixth.
    expect(worst.map(({ row }) => row)).toEqual([1, 3, 5, 6, 7, 9, 11, 12, 13, 15]);
  });
});

describe('parseRegionRule()', () => {
  it('reads the scenario that a rule is of, however it is called', () => {
    const name = 'holds "R <= 1: only" \\ ]';
    expect(parseRegionRule(`attributeRisk[${JSON.stringify(name)}]: R <= 0.1 or RR <= 1.05`, 1)).toEqual({
      ...parseRegionRule('R <= 0.1 or RR <= 1.05', 1),
      scenario: name,
    });
    expect(parseRegionRule('RR <= 2', 1, name)).toMatchObject({ rule: 'RR <= 2', scenario: name });
    expect(() => parseRegionRule(`attributeRisk["a"]: RR <= 2`, 1, name)).toThrow(expect.objectContaining({ code: 'malformed-region' }));
  });

  it.each(['R <= 0.1', 'RR < 0.9 or R <= 0.5', 'R <= 0.5 and RR <= 2', 'R <= 0'])('refuses what nobody can meet: %s', (rule) => {
    expect(() => parseRegionRule(rule, 3)).toThrow(expect.objectContaining({ code: 'unmeetable-region' }));
    // Not even those of whose records the release tells the least.
    const alternatives = parseRegionRule(`${rule} or RR <= 1`, 1).alternatives.slice(0, -1);
    for (const factor of [1e-9, 0.5, 1, 2]) {
      expect(brokenWeights({ rule, scenario: null, alternatives }, factor).length).toBeGreaterThan(0);
    }
  });

  it.each(['', 'R >= 0.1', 'P <= 1', 'R <= ', 'R <= 0.1 or', 'R <= 1e999', 'R <= -1', 'R <= 0.1 RR <= 2'])(
    'refuses what is no rule: %s',
    (rule) => {
      expect(() => parseRegionRule(rule, 1)).toThrow(expect.objectContaining({ code: 'malformed-region' }));
    },
  );

  it('binds `and` before `or`', () => {
    const { alternatives } = parseRegionRule('R <= 0.1 and RR < 3 or RR <= 1.05', 1);
    expect(alternatives.map((bounds) => bounds.map(({ risk, bound }) => [risk, bound]))).toEqual([
      [
        ['R', 0.1],
        ['RR', 3],
      ],
      [['RR', 1.05]],
    ]);
  });
});
