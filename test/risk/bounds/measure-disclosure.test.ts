import { beforeEach, describe, expect, it } from 'vitest';
import type { MatchFigures } from '../../../shared/contracts/results/identification.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { BOUNDS, type Bound, type DisclosureRule, measureResample } from '../../../shared/risk/bounds/bound-disclosure.ts';
import {
  keptPatterns,
  loneRecords,
  planResampling,
  type Resampling,
  resampleUniformly,
  resampleWithinPatterns,
} from '../../../shared/risk/bounds/resample-synthesized.ts';
import type { Table } from '../../../shared/table/table.ts';

/** A table of categorical and continuous columns: whole numbers in a Uint8Array are codes. */
function tableOf(columns: Record<string, Uint8Array | Float64Array>): Table {
  const names = Object.keys(columns);
  return {
    records: columns[names[0]!]!.length,
    schema: {
      variables: names.map((name) => {
        const values = columns[name]!;
        return values instanceof Uint8Array
          ? { name, type: 'categorical', categories: Array.from({ length: Math.max(...values) + 1 }, (_, c) => `c${c}`) }
          : { name, type: 'continuous' };
      }),
    },
    columns: names.map((name) => {
      const values = columns[name]!;
      return values instanceof Uint8Array ? { type: 'categorical', codes: values } : { type: 'continuous', values };
    }),
  };
}

const resamplingOf = (table: Table, synthesized: number[], bands = 1): Resampling => {
  const kept = table.columns.map((_, k) => k).filter((k) => !synthesized.includes(k));
  return planResampling(table, synthesized, keptPatterns(table, kept, bands));
};

const cell = (table: Table, variable: number, record: number) => {
  const column = table.columns[variable]!;
  return column.type === 'categorical' ? column.codes[record]! : column.values[record]!;
};

/** Hu & Savitsky (2018, section 4.2) by definition: every record against every row, all variables equal. */
function plainMatchRisk(table: Table, variables: readonly number[], synthetic: Table): MatchFigures {
  let [expected, truths, falses, uniques] = [0, 0, 0, 0];
  for (let i = 0; i < table.records; i++) {
    const matches = (row: number) => variables.every((v) => cell(synthetic, v, row) === cell(table, v, i));
    const c = Array.from({ length: table.records }, (_, row) => row).filter(matches).length;
    const own = matches(i) ? 1 : 0;
    if (own === 1) expected += 1 / c;
    if (c === 1) uniques++;
    if (c * own === 1) truths++;
    if (c * (1 - own) === 1) falses++;
  }
  return {
    expectedMatchRisk: expected,
    trueMatchRate: truths / table.records,
    falseMatchRate: uniques === 0 ? null : falses / uniques,
    uniqueMatches: uniques,
  };
}

/** Mean over resamples, and its standard error. */
function estimate(values: readonly number[]): { mean: number; standardError: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}

const resamplesOf = (resampling: Resampling, rule: DisclosureRule, bound: Bound, count: number) =>
  Array.from({ length: count }, (_, s) => measureResample(resampling, rule, bound, s + 1, seededStreams(7)));

describe('keptPatterns()', () => {
  const table = tableOf({ A: Uint8Array.of(0, 1, 0, 1, 0, 2), B: Uint8Array.of(0, 0, 0, 0, 1, 1), X: Float64Array.of(5, 5, -1, 30, 7, 7) });

  it('groups records by all kept categories, in order of first appearance', () => {
    const patterns = keptPatterns(table, [0, 1], 1);
    expect(patterns.count).toBe(4);
    expect([...patterns.ofRecord]).toEqual([0, 1, 0, 1, 2, 3]);
    expect([...patterns.records]).toEqual([0, 2, 1, 3, 4, 5]);
    expect([...patterns.starts]).toEqual([0, 2, 4, 5, 6]);
    expect(loneRecords(patterns)).toBe(2);
  });

  it('puts continuous values into quantile bands and never parts equal ones', () => {
    // Sorted: -1 5 5 7 7 30. Shares below: 0 1/6 1/6 3/6 3/6 5/6, times 3.
    expect([...keptPatterns(table, [2], 3).ofRecord]).toEqual([0, 0, 0, 1, 2, 2]);
    expect(keptPatterns(table, [2], 1).count).toBe(1);
    expect(keptPatterns(table, [2], 6).count).toBe(4);
  });

  it('makes one pattern of the table when nothing is kept', () => {
    expect(keptPatterns(table, [], 4).count).toBe(1);
  });
});

describe('resamples', () => {
  const table = tableOf({
    K: Uint8Array.of(0, 0, 1, 1, 1, 2),
    S: Uint8Array.of(0, 3, 1, 1, 0, 3),
    T: Float64Array.of(1.5, 2.5, 2.5, -4, 0, 9),
  });
  let resampling: Resampling;

  beforeEach(() => {
    resampling = resamplingOf(table, [1, 2]);
  });

  it('under the maximum, take all synthesized values of one record of the pattern', () => {
    const pairs = new Set(['0 0 1.5', '0 3 2.5', '1 1 2.5', '1 1 -4', '1 0 0', '2 3 9']);
    const seen = new Set<string>();
    for (let s = 0; s < 50; s++) {
      const drawn = resampleWithinPatterns(resampling, new RandomStream(1, `test/${s}`));
      for (let i = 0; i < 6; i++) seen.add([0, 1, 2].map((v) => cell(drawn, v, i)).join(' '));
    }
    expect(seen).toEqual(pairs);
  });

  it('under the minimum, take each observed value with the same probability, whatever the pattern', () => {
    const counts = new Map<string, number>();
    for (let s = 0; s < 2000; s++) {
      const drawn = resampleUniformly(resampling, new RandomStream(1, `test/${s}`));
      for (let i = 0; i < 6; i++) {
        const pair = `${cell(drawn, 1, i)} ${cell(drawn, 2, i)}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    // Three categories are observed (2 is not) and five numbers; 12,000 draws, 800 expected of each pair.
    expect(counts.size).toBe(15);
    for (const count of counts.values()) expect(Math.abs(count - 800)).toBeLessThan(5 * Math.sqrt(800));
  });

  it('leave the kept variables and the table as they are', () => {
    const before = structuredClone(table);
    const drawn = resampleUniformly(resampling, new RandomStream(1, 'test'));
    expect(drawn.columns[0]).toBe(table.columns[0]);
    expect(table).toEqual(before);
  });

  it('do not depend on the order in which they are drawn', () => {
    const rule: DisclosureRule = { radii: [], matchers: [(drawn) => plainMatchRisk(table, [0, 1, 2], drawn)] };
    const forward = resamplesOf(resampling, rule, 'maximum', 4);
    const third = measureResample(resampling, rule, 'maximum', 3, seededStreams(7));
    expect(third).toEqual(forward[2]);
    expect(new Set(forward.map((measures) => JSON.stringify(measures))).size).toBeGreaterThan(1);
  });
});

describe('exact attribute disclosures', () => {
  const kept = Uint8Array.of(0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3);
  const secret = Uint8Array.of(0, 0, 1, 2, 2, 0, 4, 4, 1, 1, 1, 1, 0, 2, 4);
  const other = Uint8Array.of(0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1);
  const table = tableOf({ kept, secret, other });

  /** Sum over patterns of sum_x n_bx^2 / n_b, x being joint values of the variables. */
  const expectedMaximum = (variables: Uint8Array[]) => {
    let expected = 0;
    for (const pattern of new Set(kept)) {
      const counts = new Map<string, number>();
      const inPattern = [...kept.keys()].filter((i) => kept[i] === pattern);
      for (const i of inPattern) {
        const value = variables.map((column) => column[i]).join();
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      for (const count of counts.values()) expected += count ** 2 / inPattern.length;
    }
    return expected;
  };

  it.each([
    ['minimum', [1], 15 / 4],
    ['minimum', [1, 2], 15 / 8],
    ['maximum', [1], expectedMaximum([secret])],
    ['maximum', [1, 2], expectedMaximum([secret, other])],
  ] as const)('agree under the %s of variables %j with their closed form', (bound, synthesized, exact) => {
    // Only `kept` decides the pattern: with one variable synthesized, `other` is not in the table.
    const variables = { kept, secret, ...(synthesized.length > 1 ? { other } : {}) };
    const resampling = resamplingOf(tableOf(variables), [...synthesized]);
    const counts = resamplesOf(resampling, { radii: [], matchers: [] }, bound, 4000).map(({ disclosures }) => disclosures.count);
    const { mean, standardError } = estimate(counts);
    expect(standardError).toBeGreaterThan(0);
    expect(Math.abs(mean - exact)).toBeLessThan(4 * standardError);
  });

  it('agree variable by variable as well', () => {
    const resampling = resamplingOf(table, [1, 2]);
    for (const [bound, exact] of [
      ['minimum', [15 / 4, 15 / 2]],
      ['maximum', [expectedMaximum([secret]), expectedMaximum([other])]],
    ] as const) {
      const found = resamplesOf(resampling, { radii: [], matchers: [] }, bound, 4000);
      for (const [k, value] of exact.entries()) {
        const { mean, standardError } = estimate(found.map(({ disclosures }) => disclosures.countByVariable[k]!));
        expect(Math.abs(mean - value)).toBeLessThan(4 * standardError);
      }
    }
  });

  it('of a number count what lies within the radius', () => {
    const income = Float64Array.of(100, 109, 0, 0, -50, 1000, 1100, 1);
    const group = Uint8Array.of(0, 0, 0, 0, 0, 1, 1, 1);
    const withNumber = tableOf({ group, income });
    const near = (truth: number, value: number) => Math.abs(value - truth) <= 0.1 * Math.abs(truth) + 1e-9;
    const distinct = [...new Set(income)];
    const exact = {
      minimum: income.reduce((sum, truth) => sum + distinct.filter((x) => near(truth, x)).length / distinct.length, 0),
      maximum: [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, i) => {
        const pool = [...income].filter((_, j) => group[j] === group[i]);
        return sum + pool.filter((x) => near(income[i]!, x)).length / pool.length;
      }, 0),
    };
    const rule = { radii: [undefined, { relative: 0.1 }], matchers: [] };
    for (const bound of BOUNDS) {
      const counts = resamplesOf(resamplingOf(withNumber, [1]), rule, bound, 4000);
      const { mean, standardError } = estimate(counts.map(({ disclosures }) => disclosures.count));
      expect(Math.abs(mean - exact[bound])).toBeLessThan(4 * standardError);
    }
  });
});

describe('identification risk under the bounds', () => {
  const table = tableOf({ K: Uint8Array.of(0, 0, 0, 1, 1), L: Uint8Array.of(0, 1, 1, 0, 0), S: Uint8Array.of(0, 1, 0, 2, 0) });
  let resampling: Resampling;

  beforeEach(() => {
    resampling = resamplingOf(table, [2]);
  });

  /** Every dataset that a bound can draw, with its probability. */
  function* everyDataset(bound: Bound): Generator<{ synthetic: Table; probability: number }> {
    const secret = [0, 1, 0, 2, 0];
    const pools =
      bound === 'minimum'
        ? secret.map(() => [0, 1, 2])
        : secret.map((_, i) =>
            secret.filter((__, j) => cell(table, 0, i) === cell(table, 0, j) && cell(table, 1, i) === cell(table, 1, j)),
          );
    const outcomes = pools.reduce((product, pool) => product * pool.length, 1);
    for (let outcome = 0; outcome < outcomes; outcome++) {
      let rest = outcome;
      const codes = Uint8Array.from(pools, (pool) => {
        const value = pool[rest % pool.length]!;
        rest = Math.floor(rest / pool.length);
        return value;
      });
      const columns = [...table.columns.slice(0, 2), { type: 'categorical' as const, codes }];
      yield { synthetic: { ...table, columns }, probability: 1 / outcomes };
    }
  }

  it.each([
    ['minimum', [0, 1, 2]],
    ['maximum', [0, 1, 2]],
    ['minimum', [0, 2]],
    ['maximum', [0, 2]],
    ['maximum', [2]],
  ] as const)('agrees under the %s with enumeration, matching on variables %j', (bound, variables) => {
    const exact = { expectedMatchRisk: 0, trueMatchRate: 0, uniqueMatches: 0 };
    let [falses, defined] = [0, 0];
    for (const { synthetic, probability } of everyDataset(bound)) {
      const risk = plainMatchRisk(table, variables, synthetic);
      for (const name of ['expectedMatchRisk', 'trueMatchRate', 'uniqueMatches'] as const) exact[name] += probability * risk[name];
      if (risk.falseMatchRate !== null) {
        falses += probability * risk.falseMatchRate;
        defined += probability;
      }
    }
    const rule: DisclosureRule = { radii: [], matchers: [(synthetic) => plainMatchRisk(table, variables, synthetic)] };
    const found = resamplesOf(resampling, rule, bound, 3000).map(({ matchFigures }) => matchFigures[0]!);
    for (const name of ['expectedMatchRisk', 'trueMatchRate', 'uniqueMatches'] as const) {
      const { mean, standardError } = estimate(found.map((risk) => risk[name]));
      expect(Math.abs(mean - exact[name])).toBeLessThanOrEqual(4 * standardError + 1e-12);
    }
    const rates = found.map(({ falseMatchRate }) => falseMatchRate).filter((rate) => rate !== null);
    const { mean, standardError } = estimate(rates);
    expect(Math.abs(mean - falses / defined)).toBeLessThanOrEqual(4 * standardError + 1e-12);
  });

  it('is that of a copy of the table where every record is alone in its pattern', () => {
    const alone = tableOf({ K: Uint8Array.of(0, 1, 2, 3), S: Uint8Array.of(1, 0, 1, 0) });
    const rule: DisclosureRule = { radii: [], matchers: [(drawn) => plainMatchRisk(alone, [0, 1], drawn)] };
    for (const measures of resamplesOf(resamplingOf(alone, [1]), rule, 'maximum', 5)) {
      expect(measures.disclosures.count).toBe(4);
      expect(measures.matchFigures[0]).toEqual({ expectedMatchRisk: 4, trueMatchRate: 1, falseMatchRate: 0, uniqueMatches: 4 });
    }
  });
});
