import { dirichlet } from '../shared/random/distributions.ts';
import { RandomStream } from '../shared/random/random-stream.ts';
import { CELL_EVALUATIONS, type CellSet } from '../shared/risk/cell-evaluations.ts';
import { createCellScorer } from '../shared/risk/cell-scorer.ts';
import type { CellProblem } from '../shared/risk/cell-sums.ts';
import { type CellDraws, referenceCellSums } from '../shared/risk/cell-sums-reference.ts';

/** One row of the benchmark: milliseconds of this process's CPU, and for the kernel the multiply-adds behind r_x. */
export interface CellBenchRow {
  readonly work: string;
  readonly kernel: number;
  readonly plain: number;
  /** Of the matrix product of combinations and cells over draws, all other work of a block counted as time. */
  readonly multiplyAddsPerSecond: number;
}

const DATASETS = 5;

/** Sets of `augmented` with fewer draws than by default, so that the plain program comes to an end. */
function sets(drawsPerChain: number): CellSet[] {
  const side = (name: string, coefficient: number) =>
    Array.from({ length: DATASETS }, (_, l): CellSet => {
      return { name: `${name}/${l}`, coefficient, pool: 'arithmetic', chains: 8, drawsPerChain };
    });
  return [
    ...side('stacked', 1),
    ...side('alone', 1 / DATASETS - 1),
    { name: 'base', coefficient: -1, pool: 'arithmetic', chains: 32, drawsPerChain },
  ];
}

function randomDraws(
  random: RandomStream,
  sizes: readonly number[],
  classes: number,
  draws: number,
): CellDraws {
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  const weights = new Float64Array(draws * classes);
  const probabilities = new Float64Array(draws * categories * classes);
  for (let d = 0; d < draws; d++) {
    weights.set(dirichlet(random, new Float64Array(classes).fill(0.5)), d * classes);
    for (let f = 0; f < classes; f++) {
      let at = d * categories;
      for (const size of sizes) {
        for (const p of dirichlet(random, new Float64Array(size).fill(2))) {
          probabilities[at++ * classes + f] = p;
        }
      }
    }
  }
  return { draws, weights, probabilities };
}

function milliseconds(call: () => void): number {
  const started = process.cpuUsage();
  call();
  return process.cpuUsage(started).user / 1000;
}

function problemOf(sizes: readonly number[], rows: number, drawsPerChain: number) {
  const random = new RandomStream(1, 'bench/all-cells');
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) =>
    random.below(sizes[i % sizes.length]!),
  );
  const problem: CellProblem = { sizes, codes, classes: 40, sets: sets(drawsPerChain), seed: 1, slope: 1 };
  const chain = randomDraws(random, sizes, problem.classes, drawsPerChain);
  const chains = problem.sets.flatMap((set) => new Array<CellDraws>(set.chains).fill(chain));
  return { problem, chains };
}

/**
 * How long the kernel of whole-table candidates takes, and the plain program on one block of the same cells.
 *
 * @param rows combinations of the batch
 * @param drawsPerChain draws of each of 112 chains
 */
function benchRow(rows: number, drawsPerChain: number): CellBenchRow {
  const whole = problemOf([8, 8, 10, 10, 10], rows, drawsPerChain);
  const scorer = createCellScorer(whole.problem);
  for (const [c, draws] of whole.chains.entries()) scorer.load(c, draws);
  scorer.addBlock(0);
  const blocks = 10;
  const cells = (blocks * 64_000) / scorer.blocks;
  const kernel = milliseconds(() => {
    for (let block = 1; block <= blocks; block++) scorer.addBlock(block);
  });
  // One block and few combinations for the plain program, whose time grows with both.
  const small = problemOf([8, 8], 4, drawsPerChain);
  const plain = milliseconds(() => referenceCellSums(small.problem, small.chains));
  const pairs = rows * cells;
  return {
    work: `all cells: ${rows} combinations x ${cells} cells x ${drawsPerChain * whole.chains.length} draws, ${CELL_EVALUATIONS} evaluations`,
    kernel,
    plain: (plain * pairs) / (4 * 64),
    multiplyAddsPerSecond: (1000 * pairs * drawsPerChain * whole.chains.length) / kernel,
  };
}

/** The rows of the benchmark: as many draws as 45 in each chain, and as few as 10, where evaluations weigh more. */
export function benchAllCells(): CellBenchRow[] {
  return [benchRow(256, 45), benchRow(256, 10)];
}
