import type { Candidates } from '../../shared/contracts/candidates.ts';
import { type ChainDraws, eachDraw } from '../../shared/model/chains/chain-draws.ts';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { multiplyAddPeakBinary } from '../../shared/numeric/kernel-binaries.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type CandidateSpace, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { otherPeople } from '../../shared/risk/membership/other-people.ts';
import { leaveOut } from '../../shared/risk/scoring/leave-out.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../shared/risk/scoring/ratio-scorer.ts';
import { createReferenceScorer } from '../plain/likelihood-ratio-reference.ts';
import type { BenchTable } from '../tables/bench-table.ts';
import { compared, type Growth, growth, type Measurement, milliseconds } from './measure.ts';

/** Combinations scored together, as in a large batch of a run. */
const SCORED = 1000;
const CLASSES = 40;
const DRAWS = 10;

const names = (sizes: readonly number[]) => sizes.map((_, k) => `v${k}`);

/**
 * Draws of a chain that has left its random start.
 *
 * @param allocated the first combinations whose classes are kept, for phi to be integrated out
 */
function someDraws({ combinations, sizes }: BenchTable, classes: number, draws: number, allocated = 0): ChainDraws {
  const model = createDpmpm(combinations, sizes, { classes, concentration: { shape: 0.25, rate: 0.25 } });
  const random = new RandomStream(1, 'bench/scoring');
  const schedule = { burnIn: 100, draws, thin: 1, keepAllocation: allocated };
  return sampleChain(model, model.init(random), random, schedule, { name: 'bench' }).draws;
}

/** The scoring of the first combinations under every draw of a chain, added up, and how many candidates they have. */
function scoring(table: BenchTable, candidates: Candidates, rows: number, draws: ChainDraws) {
  const { combinations, sizes } = table;
  const space = candidateSpace(candidates, names(sizes), sizes);
  const codes = combinations.codes.subarray(0, rows * combinations.variables);
  const length = rows * space.perCombination;
  const kernel = createRatioScorer(space, codes);
  const plain = draws.allocation ? plainIntegrated(space, codes) : createReferenceScorer(space, codes);
  return {
    candidates: space.perCombination,
    kernelMs: (calls: number) => milliseconds(calls, () => ratioMeans(kernel, draws, length)),
    plainMs: () => milliseconds(1, () => ratioMeans(plain, draws, length)),
  };
}

/** The plain program with phi integrated out: row by row, since each leaves its own record out. */
function plainIntegrated(space: CandidateSpace, codes: Uint16Array): RatioScorer {
  const variables = space.sizes.length;
  return (weights, _, ratios, __, allocation) => {
    for (let row = 0; row < codes.length / variables; row++) {
      const own = codes.subarray(row * variables, (row + 1) * variables);
      const phi = leaveOut(allocation!, row, own, space.sizes, weights.length);
      const from = row * space.perCombination;
      createReferenceScorer(space, own)(weights, phi, ratios.subarray(from, from + space.perCombination));
    }
  };
}

/** Milliseconds of so many multiplications and additions of doubles, where nothing comes from memory. */
export function peakMs(multiplyAdds: number): number {
  const bytes = Uint8Array.from(atob(multiplyAddPeakBinary), (character) => character.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { PAIRS, multiplyAdd } = exports as unknown as {
    PAIRS: WebAssembly.Global;
    multiplyAdd(rounds: number, factor: number, term: number): number;
  };
  const rounds = 1_000_000;
  return (milliseconds(1, () => multiplyAdd(rounds, 0.9, 0.1)) * multiplyAdds) / (2 * PAIRS.value * rounds);
}

/**
 * Scoring each kind of candidates: against the plain program, and against the machine's peak, one multiplication and
 * addition for each candidate and class. The kernel's times hold the sums over draws; what rows share may bring it
 * beyond the peak, and `ratio` to the peak is the share of it that is reached.
 */
export function measureScoring(table: BenchTable): Measurement[] {
  const rows = Math.min(SCORED, table.combinations.count);
  const draws = someDraws(table, CLASSES, DRAWS);
  const last = table.sizes.length - 1;
  const kinds: Candidates[] = ['one-change', 'two-changes', { unknown: [`v${last - 1}`, `v${last}`] }];
  const allocated = someDraws(table, CLASSES, DRAWS, rows);
  return kinds.flatMap((kind) => {
    const { candidates, kernelMs, plainMs } = scoring(table, kind, rows, draws);
    const name = typeof kind === 'string' ? kind : 'two unknown variables';
    const work = `score ${rows} combinations, ${name}, ${candidates} candidates, ${CLASSES} classes, ${DRAWS} draws`;
    const kernel = kernelMs(3);
    const integrated = scoring(table, kind, rows, allocated);
    const integratedWork = `${work}, phi integrated out`;
    const integratedKernel = integrated.kernelMs(3);
    return [
      compared(work, kernel, 'plain TypeScript', plainMs()),
      compared(work, kernel, 'multiply-add peak', peakMs(rows * candidates * CLASSES * DRAWS)),
      compared(integratedWork, integratedKernel, 'plain TypeScript', integrated.plainMs()),
      compared(integratedWork, integratedKernel, 'the kernel, phi as drawn', kernel),
    ];
  });
}

/** Scoring people who are not in the table, beside the candidates of as many combinations under the same draws. */
export function measureMembership(table: BenchTable): Measurement[] {
  const { combinations, sizes } = table;
  const rows = Math.min(SCORED, combinations.count);
  const draws = someDraws(table, CLASSES, DRAWS, rows);
  const people = otherPeople(combinations.codes.subarray(0, rows * combinations.variables), sizes);
  const { candidates, kernelMs } = scoring(table, 'one-change', rows, draws);
  const work = `score ${rows} other people, ${CLASSES} classes, ${DRAWS} draws, phi integrated out`;
  const membership = milliseconds(20, () => people.score(eachDraw(draws), 0));
  return [compared(work, membership, `${candidates} candidates each of as many combinations`, kernelMs(20))];
}

/** How the time of scoring one-change candidates grows with combinations, classes and draws, the others fixed. */
export function growScoring(table: BenchTable): Growth[] {
  const { count } = table.combinations;
  const rows = Math.min(SCORED, count);
  const time = (own: number, classes: number, draws: number) =>
    scoring(table, 'one-change', own, someDraws(table, classes, draws)).kernelMs(3);
  const points = (sizes: number[], timeOf: (size: number) => number) => sizes.map((size) => ({ size, milliseconds: timeOf(size) }));
  return [
    growth(
      `score one-change candidates, ${CLASSES} classes, ${DRAWS} draws`,
      'combinations',
      points(
        [8, 4, 2, 1].map((part) => Math.floor(count / part)),
        (own) => time(own, CLASSES, DRAWS),
      ),
    ),
    growth(
      `score one-change candidates of ${rows} combinations, ${DRAWS} draws`,
      'classes',
      points([20, 40, 80, 160], (classes) => time(rows, classes, DRAWS)),
    ),
    growth(
      `score one-change candidates of ${rows} combinations, ${CLASSES} classes`,
      'draws',
      points([5, 10, 20, 40], (draws) => time(rows, CLASSES, draws)),
    ),
  ];
}
