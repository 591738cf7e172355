import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { createCellScorer } from '../../shared/risk/cells/cell-scorer.ts';
import { CELL_EVALUATIONS, type CellDraws, type CellProblem, type CellSet } from '../../shared/risk/cells/cell-sums.ts';
import { referenceCellSums } from '../plain/cell-sums-reference.ts';
import { dirichlet } from '../plain/dirichlet.ts';
import { compared, type Measurement, milliseconds } from './measure.ts';
import { peakMs } from './scoring.ts';

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

function randomDraws(random: RandomStream, sizes: readonly number[], classes: number, draws: number): CellDraws {
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

function problemOf(sizes: readonly number[], rows: number, drawsPerChain: number) {
  const random = new RandomStream(1, 'bench/all-cells');
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) => random.below(sizes[i % sizes.length]!));
  const streams = seededStreams(1);
  const problem: CellProblem = { sizes, codes, classes: 40, sets: sets(drawsPerChain), streams, slope: 1 };
  const chain = randomDraws(random, sizes, problem.classes, drawsPerChain);
  const chains = problem.sets.flatMap((set) => new Array<CellDraws>(set.chains).fill(chain));
  return { problem, chains };
}

/**
 * Scoring all cells: blocks of the kernel against the plain program on one block of its own, whose time is taken in
 * proportion, and against the machine's peak, one multiplication and addition for each combination, cell and draw. So
 * the ratio to the peak counts densities, evaluations and sums as time alone.
 *
 * @param rows combinations of the batch
 * @param drawsPerChain draws of each of 112 chains
 */
function measureRow(rows: number, drawsPerChain: number): Measurement[] {
  const { problem, chains } = problemOf([8, 8, 10, 10, 10], rows, drawsPerChain);
  const scorer = createCellScorer(problem);
  for (const [c, draws] of chains.entries()) scorer.load(c, draws);
  const cells = Math.round(scorer.order.cells / scorer.blocks);
  let block = 0;
  const kernelMs = milliseconds(2, () => scorer.addBlock(block++));
  const small = problemOf([8, 8], 4, drawsPerChain);
  const plainMs = milliseconds(1, () => referenceCellSums(small.problem, small.chains));
  const draws = drawsPerChain * chains.length;
  const work = `all cells: ${rows} combinations, ${cells} of 64,000 cells, ${draws} draws, ${CELL_EVALUATIONS} evaluations`;
  return [
    compared(work, kernelMs, 'plain TypeScript', (plainMs * rows * cells) / (4 * 64)),
    compared(work, kernelMs, 'multiply-add peak', peakMs(rows * cells * draws)),
  ];
}

/** Scoring all cells with as many draws as in a run, and with few, where evaluations weigh more. */
export function measureAllCells(): Measurement[] {
  return [...measureRow(256, 45), ...measureRow(256, 10)];
}
