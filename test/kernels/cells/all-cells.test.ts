import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceCellSums } from '../../../bench/plain/cell-sums-reference.ts';
import { dirichlet } from '../../../bench/plain/dirichlet.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { createCellScorer } from '../../../shared/risk/cells/cell-scorer.ts';
import {
  CELL_CHUNK,
  CELL_EVALUATIONS,
  type CellDraws,
  type CellProblem,
  type CellSet,
  type CellSums,
  type PreparedSet,
  prepareCellSets,
} from '../../../shared/risk/cells/cell-sums.ts';

interface Shape {
  readonly sizes: readonly number[];
  readonly classes: number;
  readonly rows: number;
  readonly sets: readonly CellSet[];
  readonly seed: number;
  /** Shape of the Dirichlet that category probabilities come from: small ones are near 0 or 1. */
  readonly spread?: number;
  /** Multiplies every class weight: densities become as small. */
  readonly density?: number;
  readonly slope?: number;
}

/** A problem with random combinations, and random draws for all of its chains. */
function randomProblem(shape: Shape): { problem: CellProblem; chains: CellDraws[] } {
  const { sizes, classes, rows, sets, seed, spread = 0.7, density = 1, slope = 1 } = shape;
  const random = new RandomStream(seed, 'test/all-cells');
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) => random.below(sizes[i % sizes.length]!));
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  const chains = sets.flatMap((set) =>
    Array.from({ length: set.chains }, (): CellDraws => {
      const draws = set.drawsPerChain;
      const weights = new Float64Array(draws * classes);
      const probabilities = new Float64Array(draws * categories * classes);
      for (let d = 0; d < draws; d++) {
        const pi = dirichlet(random, new Float64Array(classes).fill(0.5));
        weights.set(
          pi.map((weight) => weight * density),
          d * classes,
        );
        for (let f = 0; f < classes; f++) {
          let at = d * categories;
          for (const size of sizes) {
            for (const p of dirichlet(random, new Float64Array(size).fill(spread))) {
              probabilities[at++ * classes + f] = p;
            }
          }
        }
      }
      return { draws, weights, probabilities };
    }),
  );
  return { problem: { sizes, codes, classes, sets, streams: seededStreams(seed), slope }, chains };
}

function kernelSums(problem: CellProblem, chains: readonly CellDraws[], blockCells?: number): CellSums {
  const scorer = createCellScorer(problem, blockCells);
  for (const [chain, draws] of chains.entries()) scorer.load(chain, draws);
  for (let block = 0; block < scorer.blocks; block++) scorer.addBlock(block);
  return scorer.sums();
}

/** Sets of `augmented` for m datasets, with the sides pooled as for own datasets or for those made elsewhere. */
function augmentedSets(m: number, paired: number, base: number, draws: number, pool: CellSet['pool'] = 'arithmetic'): CellSet[] {
  const side = (name: string, coefficient: number): CellSet[] =>
    Array.from({ length: m }, (_, l) => ({ name: `${name}/${l}`, coefficient, pool, chains: paired, drawsPerChain: draws + 1 }));
  return [
    ...side('stacked', 1),
    ...(m > 1 ? side('alone', 1 / m - 1) : []),
    { name: 'base', coefficient: -1, pool: 'arithmetic', chains: base, drawsPerChain: draws },
  ];
}

function expectSameBits(shape: Shape): void {
  const { problem, chains } = randomProblem(shape);
  const expected = referenceCellSums(problem, chains);
  for (const [name, values] of Object.entries(kernelSums(problem, chains))) {
    expect(values, name).toEqual(expected[name as keyof CellSums]);
  }
}

describe('the kernel of whole-table candidates gives the bits of the plain program', () => {
  it('on random tables, parameters and numbers of chains', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom('arithmetic' as const, 'geometric' as const),
        fc.nat(1000),
        (sizes, classes, rows, m, paired, pool, seed) => {
          expectSameBits({ sizes, classes, rows, sets: augmentedSets(m, paired, 3, 2, pool), seed });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('with the base chains as the prior', () => {
    const base: CellSet = { name: 'base', coefficient: 1, pool: 'arithmetic', chains: 3, drawsPerChain: 2, isPrior: true };
    for (const sets of [augmentedSets(1, 4, 3, 2), augmentedSets(7, 3, 2, 1)]) {
      expectSameBits({ sizes: [5, 4, 6], classes: 3, rows: 4, sets: [...sets, base], seed: 8 });
    }
  });

  it('with several blocks and a last one that is not full', () => {
    expectSameBits({ sizes: [7, 3, 5, 4], classes: 5, rows: 6, sets: augmentedSets(2, 4, 6, 3), seed: 3 });
  });

  it('with one generating draw in the place of the stacked side, and a slope', () => {
    const generating: CellSet = { name: 'generating/1', coefficient: 1, pool: 'arithmetic', chains: 1, drawsPerChain: 1 };
    const sets = [generating, { ...generating, name: 'generating/2' }, ...augmentedSets(2, 2, 3, 2).slice(2)];
    expectSameBits({ sizes: [4, 9, 3], classes: 3, rows: 5, sets, seed: 4, slope: 0.7 });
  });

  it('with likelihoods so far apart that sums have to be scaled down and weights vanish', () => {
    const sets = augmentedSets(9, 2, 2, 1);
    const shape = { sizes: [6, 5, 6], classes: 2, rows: 4, sets, seed: 5, spread: 0.02 };
    const { problem, chains } = randomProblem(shape);
    const { largest } = kernelSums(problem, chains);
    expect(Math.max(...largest)).toBeGreaterThan(700);
    expectSameBits(shape);
  });

  it('with densities near 1e-390, which doubles alone cannot hold', () => {
    const sets = augmentedSets(2, 3, 3, 2);
    const shape = { sizes: [5, 4, 6], classes: 3, rows: 3, sets, seed: 6 };
    const { problem, chains } = randomProblem({ ...shape, density: 1e-300 });
    // Category probabilities as small as they come make up for the rest.
    for (const { probabilities } of chains) for (let i = 0; i < probabilities.length; i++) probabilities[i]! *= 1e-30;
    const sums = kernelSums(problem, chains);
    expect(sums).toEqual(referenceCellSums(problem, chains));
    // Scaling all densities of a draw alike changes no ratio.
    const plain = randomProblem(shape);
    const expected = kernelSums(plain.problem, plain.chains);
    for (const [i, value] of sums.guessValues.entries()) expect(value).toBeCloseTo(expected.guessValues[i]!, 9);
  });
});

it.each(['arithmetic', 'geometric'] as const)('a half-sample has, to five digits, the sums of its chains alone (%s)', (pool) => {
  const base: CellSet = { name: 'prior', coefficient: 1, pool: 'arithmetic', chains: 6, drawsPerChain: 2, isPrior: true };
  const { problem, chains } = randomProblem({
    sizes: [9, 5, 8],
    classes: 6,
    rows: 5,
    sets: [...augmentedSets(6, 7, 9, 3, pool), base],
    seed: 9,
    spread: 0.3,
  });
  const all = kernelSums(problem, chains);
  const { sets } = prepareCellSets(problem.sets, problem.streams);
  for (const b of [1, 6, 20, 40]) {
    const takenOf = ({ subsets, choices }: PreparedSet) => subsets[choices[b]!]!;
    const own = problem.sets.map((set, t) => ({ ...set, chains: takenOf(sets[t]!).length }));
    const alone = kernelSums(
      { ...problem, sets: own },
      sets.flatMap((set) => Array.from(takenOf(set), (chain) => chains[set.firstChain + chain]!)),
    );
    for (let row = 0; row < 5; row++) {
      const [half, whole] = [row * CELL_EVALUATIONS + b, row * CELL_EVALUATIONS];
      for (const name of ['above', 'equal'] as const) expect(all[name][half], name).toBe(alone[name][whole]);
      for (const name of ['sums', 'others', 'logSums', 'priorLogSums'] as const) {
        const scaled = all[name][half]! * Math.exp(all.largest[half]! - alone.largest[whole]!);
        expect(Math.abs(scaled - alone[name][whole]!) / alone.sums[whole]!, name).toBeLessThan(1e-5);
      }
    }
  }
});

describe('the sums over cells', () => {
  const { problem, chains } = randomProblem({ sizes: [9, 5, 8], classes: 6, rows: 11, sets: augmentedSets(2, 4, 5, 3), seed: 7 });

  it('do not depend on the cells of a block', () => {
    const expected = kernelSums(problem, chains, CELL_CHUNK);
    for (const blockCells of [2 * CELL_CHUNK, 5 * CELL_CHUNK, 16 * CELL_CHUNK]) {
      expect(kernelSums(problem, chains, blockCells)).toEqual(expected);
    }
  });

  it('of a combination do not depend on which others are in its batch', () => {
    const all = kernelSums(problem, chains);
    const variables = problem.sizes.length;
    for (const [from, to] of [
      [0, 1],
      [3, 8],
    ] as const) {
      const codes = problem.codes.slice(from * variables, to * variables);
      for (const [name, values] of Object.entries(kernelSums({ ...problem, codes }, chains))) {
        const width = values.length / (to - from);
        expect(values, name).toEqual(all[name as keyof CellSums].slice(from * width, to * width));
      }
    }
  });
});
