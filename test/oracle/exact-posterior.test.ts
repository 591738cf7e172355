import { describe, expect, it } from 'vitest';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import {
  allValues,
  exactLogLikelihoods,
  exactPartialLogLikelihoods,
  logMarginal,
  normalized,
  oneChange,
  oneClassLogLikelihoods,
  rankOfFirst,
  replaced,
} from '../exact-posterior.ts';

/** All tables of some records, as codes. */
function allTables(sizes: readonly number[], records: number): number[][] {
  let tables: number[][] = [[]];
  for (let i = 0; i < records * sizes.length; i++) {
    const size = sizes[i % sizes.length]!;
    tables = tables.flatMap((table) => Array.from({ length: size }, (_, c) => [...table, c]));
  }
  return tables;
}

describe('logMarginal()', () => {
  it.each([
    [1, 0.7],
    [2, 0.7],
    [2, 5],
  ] as const)('adds up to one over all tables, with %i classes and alpha %d', (classes, alpha) => {
    for (const records of [1, 2, 3]) {
      const total = allTables([2, 3], records).reduce((sum, codes) => sum + Math.exp(logMarginal(codes, [2, 3], classes, alpha)), 0);
      expect(total).toBeCloseTo(1, 12);
    }
  });

  it('is 1 / (cells) for one record, and known by hand for two equal ones', () => {
    expect(Math.exp(logMarginal([0, 2], [2, 3], 2, 1.3))).toBeCloseTo(1 / 6, 12);
    // One class: 1/6 x 2/3 x 2/4. Two classes: the same when they share one, 1/36 when they do not.
    expect(Math.exp(logMarginal([0, 2, 0, 2], [2, 3], 1, 1))).toBeCloseTo(1 / 18, 12);
    const apart = 2 * (1 / 2 - 1 / 3);
    // alpha = 1: P(same) = E[V^2 + (1 - V)^2] = 2/3.
    expect(Math.exp(logMarginal([0, 2, 0, 2], [2, 3], 2, 1))).toBeCloseTo((1 - apart) / 18 + apart / 36, 12);
  });

  it('does not depend on the order of records', () => {
    const one = logMarginal([0, 1, 1, 2, 0, 0], [2, 3], 2, 0.4);
    expect(logMarginal([1, 2, 0, 0, 0, 1], [2, 3], 2, 0.4)).toBeCloseTo(one, 12);
  });
});

describe('exactLogLikelihoods()', () => {
  it('gives what Bayes’ rule over all possible datasets gives', () => {
    const space = candidateSpace('one-change', ['a', 'b'], [2, 3]);
    const release = { codes: Uint16Array.of(0, 0, 1, 2), datasets: [Uint16Array.of(0, 0, 0, 1)], space };
    const values = exactLogLikelihoods(release, 0, 2, 0.8);
    for (let x = 0; x < space.perCombination; x++) {
      const table = [...replaced(release, 0, x)];
      const total = allTables([2, 3], 2).reduce((sum, dataset) => sum + Math.exp(logMarginal([...table, ...dataset], [2, 3], 2, 0.8)), 0);
      const own = Math.exp(logMarginal([...table, 0, 0, 0, 1], [2, 3], 2, 0.8));
      expect(values[x]).toBeCloseTo(Math.log(own / total), 12);
    }
  });

  it('is turned into probabilities and the rank of the truth', () => {
    expect([...normalized(Float64Array.of(0, Math.log(3)))].map((p) => p.toFixed(12))).toEqual(['0.250000000000', '0.750000000000']);
    expect(rankOfFirst(Float64Array.of(-1, 0, -2, -1, 3))).toBe(3.5);
  });
});

describe('oneClassLogLikelihoods()', () => {
  const sizes = [2, 3];
  const codes = Uint16Array.of(...[0, 0], ...[1, 2], ...[0, 2], ...[1, 1]);
  const datasets = [Uint16Array.of(0, 0, 0, 1, 1, 1, 0, 0), Uint16Array.of(1, 2, 1, 0, 1, 2, 0, 1)];
  const sorted = (values: Float64Array) => [...normalized(values)].sort((a, b) => a - b);

  it('is what the marginal probabilities of the tables give, for full and for partial synthesis', () => {
    const space = candidateSpace('one-change', ['a', 'b'], sizes);
    const full = exactLogLikelihoods({ codes, datasets, space }, 1, 1, 1);
    const found = oneClassLogLikelihoods({ codes, sizes }, datasets, [0, 1], [1, 2], oneChange([1, 2], sizes));
    expect(normalized(found)[0]).toBeCloseTo(normalized(full)[0]!, 12);
    for (const [i, value] of sorted(found).entries()) expect(value).toBeCloseTo(sorted(full)[i]!, 12);

    const unknown = candidateSpace({ unknown: ['b'] }, ['a', 'b'], sizes);
    const synthesized = datasets.map((dataset) => dataset.filter((_, at) => at % 2 === 1));
    const partial = exactPartialLogLikelihoods({ codes, datasets: synthesized, space: unknown }, [1], 1, 1, 1);
    const own = oneClassLogLikelihoods({ codes, sizes }, datasets, [1], [1, 2], allValues([1, 2], sizes, [1]));
    expect(normalized(own)[0]).toBeCloseTo(normalized(partial)[0]!, 12);
  });

  it('does not count what is missing', () => {
    const gaps = Uint16Array.of(...codes, ...[0, 3], ...[2, 1]);
    const without = { codes: Uint16Array.of(...codes, ...[0, 0]), sizes };
    const candidates = oneChange([0, 3], sizes);
    expect(candidates).toEqual([
      [0, 3],
      [1, 3],
    ]);
    // Of the first variable nothing is missing but in the last record.
    const found = oneClassLogLikelihoods({ codes: gaps, sizes }, datasets, [0, 1], [0, 3], candidates);
    const expected = oneClassLogLikelihoods(
      without,
      datasets,
      [0],
      [0, 0],
      [
        [0, 0],
        [1, 0],
      ],
    );
    expect(found).toEqual(expected);
  });
});
