import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { chainCounts, HALF_SPLITS, halfEvaluation, WHOLE_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';
import {
  CELL_EVALUATIONS,
  type CellSet,
  chainSubsets,
  HALF_SAMPLES,
  halfOfCells,
  prepareCellSets,
} from '../../../shared/risk/cells/cell-sums.ts';

/** The chains that an evaluation takes. */
function taken(name: string, chains: number, evaluation: number): number[] {
  const { subsets, choices } = chainSubsets(seededStreams(5), name, chains);
  return [...subsets[choices[evaluation]!]!];
}

const all = (chains: number) => Array.from({ length: chains }, (_, c) => c);

describe('the evaluations of cells', () => {
  it('are the estimate, half-samples, and halves of the base chains alone, each in one place', () => {
    const halves = all(HALF_SPLITS).flatMap((split) => [halfOfCells(split, 0), halfOfCells(split, 1)]);
    expect(new Set(halves).size).toBe(2 * HALF_SPLITS);
    for (const half of halves.slice(0, 2 * WHOLE_SPLITS)) expect(half).toBeLessThanOrEqual(HALF_SAMPLES);
    for (const half of halves.slice(2 * WHOLE_SPLITS)) expect(half).toBeGreaterThan(HALF_SAMPLES);
    expect(Math.max(...halves)).toBe(CELL_EVALUATIONS - 1);
  });

  it('begin with all chains', () => expect(taken('base', 7, 0)).toEqual(all(7)));

  it.each(['base', 'stacked/1'])('of %s have the halves of the resampling', (name) => {
    const counts = chainCounts(seededStreams(5), name, 9);
    for (let split = 0; split < HALF_SPLITS; split++) {
      for (const half of [0, 1] as const) {
        const row = halfEvaluation(split, half) * 9;
        const expected = all(9).filter((c) => counts[row + c]! > 0);
        expect(taken(name, 9, halfOfCells(split, half))).toEqual(expected);
      }
    }
  });

  it.each([2, 3, 8, 9])('take half of %i chains in every half-sample, each chain about equally often', (chains) => {
    const times = new Float64Array(chains);
    for (let seed = 1; seed <= 100; seed++) {
      const { subsets, choices } = chainSubsets(seededStreams(seed), 'base', chains);
      for (let b = 1; b <= HALF_SAMPLES; b++) {
        const own = subsets[choices[b]!]!;
        expect(Math.abs(own.length - chains / 2)).toBeLessThanOrEqual(0.5);
        expect([...own]).toEqual([...new Set(own)].sort((a, b) => a - b));
        for (const c of own) times[c]!++;
      }
    }
    for (const count of times) expect(count / (100 * HALF_SAMPLES)).toBeCloseTo(0.5, 1);
  });

  it('take a single chain always', () => {
    for (let b = 0; b < CELL_EVALUATIONS; b++) expect(taken('generating/1', 1, b)).toEqual([0]);
  });

  it('vary as the mean over all chains does: the squares of their deviations have its variance', () => {
    const chains = 8;
    const values = Float64Array.from({ length: chains }, (_, c) => (c * c) % 11);
    const mean = values.reduce((sum, value) => sum + value, 0) / chains;
    const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / (chains - 1);
    let squares = 0;
    const seeds = 400;
    for (let seed = 1; seed <= seeds; seed++) {
      const { subsets, choices } = chainSubsets(seededStreams(seed), 'base', chains);
      for (let b = 1; b <= HALF_SAMPLES; b++) {
        const own = subsets[choices[b]!]!;
        const half = own.reduce((sum, c) => sum + values[c]!, 0) / own.length;
        squares += ((half - mean) * (half - mean)) / (seeds * HALF_SAMPLES);
      }
    }
    expect(squares / (variance / chains)).toBeCloseTo(1, 1);
  });
});

describe('prepareCellSets', () => {
  const set = (coefficient: number, chains: number): CellSet => ({
    name: `set/${coefficient}`,
    coefficient,
    pool: 'arithmetic',
    chains,
    drawsPerChain: 3,
  });

  it('lays chains end to end, each set in its role', () => {
    const { sets, chains, draws, commonPower } = prepareCellSets([set(1, 4), set(-0.5, 6), set(-1, 2)], seededStreams(1));
    expect(sets.map(({ firstChain, role }) => [firstChain, role])).toEqual([
      [0, 'numerator'],
      [4, 'raised'],
      [10, 'denominator'],
    ]);
    expect({ chains, draws, commonPower }).toEqual({ chains: 12, draws: 36, commonPower: -0.5 });
  });

  it('refuses several powers, which no estimator has', () => {
    expect(() => prepareCellSets([set(-0.5, 4), set(-0.75, 4)], seededStreams(1))).toThrow(RangeError);
  });
});
