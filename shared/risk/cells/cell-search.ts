import { log } from '../../numeric/portable-math.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import type { Streams } from '../../random/streams.ts';
import { cellOf, codesOf } from '../intruder/cell-order.ts';
import { type BoundCells, doublesAt, paddedClasses, writeCodes } from './cell-kernel.ts';

/** Chains of a search, each of which proposes one cell a step: as many as fill a block of cells. */
export const SEARCH_CHAINS = 64;

/** In place of a chain's number where several chains scored a cell. */
const SEVERAL = -1;

/** What a search found, whatever the combination: a posterior is scored on its cells afterwards. */
export interface FoundCells {
  /** Numbers of the cells that were scored, increasing. */
  readonly cells: Float64Array;
  /** Log of the target at each, up to a constant. */
  readonly logTargets: Float64Array;
  /** The chain (from 0) that alone scored each, or SEVERAL. */
  readonly scoredBy: Int16Array;
  /** Cells + 1: where the visits to each begin. */
  readonly visitStart: Uint32Array;
  /** Of each visit its chain, and for how many steps it stayed there in all, burn-in left out. */
  readonly visitChain: Uint8Array;
  readonly visitSteps: Uint32Array;
}

/** How far a search goes. */
interface SearchSettings {
  /** Cells to score at most, repetitions counted. */
  readonly most: number;
  /** Power of the likelihood. */
  readonly slope: number;
  readonly streams: Streams;
  /** Called after each step of all chains, at most once for SEARCH_CHAINS cells. */
  readonly onStep: () => void;
}

/** A chain of the search: where it is, and where it would go. */
interface SearchChain {
  readonly random: RandomStream;
  at: number;
  proposed: number;
}

/**
 * Searches the cells with {@link SEARCH_CHAINS} Metropolis chains that change one variable at a time. Their target is the
 * estimator's posterior with the weights 1 / f(x_i) left out: exp of the sum over sets of coefficient times log E[f(x)],
 * to the power `slope`, which is the same for all combinations. Each chain starts at a cell drawn from the mixture of a
 * draw that is drawn itself; no combination's own cell is used. The first half of the steps is burn-in.
 *
 * @param bound with the draws of all chains, and no cells listed yet
 * @throws RangeError when a density is not a number
 */
export function searchCells(bound: BoundCells, { most, slope, streams, onStep }: SearchSettings): FoundCells {
  const { order } = bound;
  const movable = order.variables.filter((_, digit) => order.sizes[digit]! > 1);
  const sizeOf = new Map(order.variables.map((variable, digit) => [variable, order.sizes[digit]!]));
  const indexOf = new Map<number, number>();
  const cells: number[] = [];
  const logTargets: number[] = [];
  const scoredBy: number[] = [];
  /** Index of the cell x chains + chain: steps. */
  const visits = new Map<number, number>();

  /** Scores the proposed cells that are new. */
  const score = (chains: readonly SearchChain[]) => {
    const first = cells.length;
    for (const [k, { proposed }] of chains.entries()) {
      const index = indexOf.get(proposed);
      if (index === undefined) {
        indexOf.set(proposed, cells.length);
        cells.push(proposed);
        scoredBy.push(k);
      } else if (scoredBy[index] !== k) scoredBy[index] = SEVERAL;
    }
    for (let from = first; from < cells.length; from += bound.blockCells) {
      logTargets.push(...logTargetsOf(bound, cells.slice(from, from + bound.blockCells), slope));
    }
  };

  const chains = Array.from({ length: SEARCH_CHAINS }, (_, k): SearchChain => {
    const random = streams.open(`search/${k}`);
    const at = startOf(bound, random);
    return { random, at, proposed: at };
  });
  score(chains);
  onStep();
  const steps = movable.length === 0 ? 0 : Math.floor(most / SEARCH_CHAINS) - 1;
  for (let step = 0; step < steps; step++) {
    for (const chain of chains) {
      const codes = codesOf(order, chain.at);
      const variable = movable[chain.random.below(movable.length)]!;
      const code = chain.random.below(sizeOf.get(variable)! - 1);
      codes[variable] = code < codes[variable]! ? code : code + 1;
      chain.proposed = cellOf(order, codes);
    }
    score(chains);
    onStep();
    for (const [k, chain] of chains.entries()) {
      const gain = logTargets[indexOf.get(chain.proposed)!]! - logTargets[indexOf.get(chain.at)!]!;
      if (log(chain.random.uniform()) < gain) chain.at = chain.proposed;
      if (step < Math.floor(steps / 2)) continue;
      const visit = indexOf.get(chain.at)! * SEARCH_CHAINS + k;
      visits.set(visit, (visits.get(visit) ?? 0) + 1);
    }
  }
  return inOrder({ cells, logTargets, scoredBy, visits });
}

/** What a search found, by the number of the cell. */
function inOrder(found: {
  readonly cells: readonly number[];
  readonly logTargets: readonly number[];
  readonly scoredBy: readonly number[];
  readonly visits: ReadonlyMap<number, number>;
}): FoundCells {
  const sorted = Uint32Array.from(found.cells.keys()).sort((a, b) => found.cells[a]! - found.cells[b]!);
  const place = new Uint32Array(sorted.length);
  for (const [at, index] of sorted.entries()) place[index] = at;
  const visits = Array.from(found.visits, ([visit, steps]) => ({
    at: place[Math.floor(visit / SEARCH_CHAINS)]!,
    chain: visit % SEARCH_CHAINS,
    steps,
  })).sort((a, b) => a.at - b.at || a.chain - b.chain);
  const visitStart = new Uint32Array(sorted.length + 1);
  for (const { at } of visits) visitStart[at + 1]!++;
  for (let at = 0; at < sorted.length; at++) visitStart[at + 1]! += visitStart[at]!;
  return {
    cells: Float64Array.from(sorted, (index) => found.cells[index]!),
    logTargets: Float64Array.from(sorted, (index) => found.logTargets[index]!),
    scoredBy: Int16Array.from(sorted, (index) => found.scoredBy[index]!),
    visitStart,
    visitChain: Uint8Array.from(visits, ({ chain }) => chain),
    visitSteps: Uint32Array.from(visits, ({ steps }) => steps),
  };
}

/** A cell from the mixture of a draw, drawn from all draws of all chains. */
function startOf({ kernel, order, prepared, classes }: BoundCells, random: RandomStream): number {
  const padded = paddedClasses(classes);
  const vector = (1 + order.categories) * padded;
  const from = random.below(prepared.draws) * vector;
  const parameters = doublesAt(kernel, kernel.parameters, prepared.draws * vector).subarray(from, from + vector);
  const pick = (count: number, weight: (item: number) => number) => {
    let total = 0;
    for (let item = 0; item < count; item++) total += weight(item);
    let rest = random.uniform() * total;
    for (let item = 0; item < count - 1; item++) {
      rest -= weight(item);
      if (rest < 0) return item;
    }
    return count - 1;
  };
  const latent = pick(classes, (f) => parameters[f]!);
  const codes = new Uint16Array(order.variables.length);
  for (const [digit, variable] of order.variables.entries()) {
    const first = (1 + order.offsets[digit]!) * padded + latent;
    codes[variable] = pick(order.sizes[digit]!, (code) => parameters[first + code * padded]!);
  }
  return cellOf(order, codes);
}

/** Log of the search's target at some cells, a block at most; densities are scaled, which is the same for all. */
function logTargetsOf(bound: BoundCells, cells: readonly number[], slope: number): Float64Array {
  const { kernel, order, prepared, blockCells, firstDraw } = bound;
  for (const [item, cell] of cells.entries()) writeCodes(bound, item, codesOf(order, cell));
  const panels = doublesAt(kernel, kernel.panel, blockCells * prepared.draws);
  const targets = new Float64Array(cells.length);
  for (const { firstChain, chains, drawsPerChain, pool, coefficient } of prepared.sets) {
    const sums = new Float64Array(cells.length);
    for (let chain = firstChain; chain < firstChain + chains; chain++) {
      kernel.densitiesOfListed(chain, cells.length);
      const panel = panels.subarray(blockCells * firstDraw[chain]!);
      for (let item = 0; item < cells.length; item++) {
        const mean = panelSum(panel, item, drawsPerChain) / drawsPerChain;
        if (pool === 'geometric') targets[item]! += (coefficient * log(mean)) / chains;
        else sums[item]! += mean;
      }
    }
    if (pool === 'geometric') continue;
    for (let item = 0; item < cells.length; item++) targets[item]! += coefficient * log(sums[item]! / chains);
  }
  if (targets.some((target) => Number.isNaN(target))) throw new RangeError('a cell has no finite density');
  return targets.map((target) => slope * target);
}

/** Sum of an item's densities over a chain's draws; the panel is strips of 4 items x draws x 4. */
function panelSum(panel: Float64Array, item: number, draws: number): number {
  const from = Math.floor(item / 4) * draws * 4 + (item % 4);
  let sum = 0;
  for (let at = from; at < from + 4 * draws; at += 4) sum += panel[at]!;
  return sum;
}
