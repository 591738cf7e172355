import type { Streams } from '../../random/streams.ts';
import { chainCounts, HALF_SPLITS, halfEvaluation, WHOLE_SPLITS } from '../attribute/chain-evaluations.ts';

/** Halves of splits of all chains, which are half-samples as well as halves. */
const WHOLE_HALVES = 2 * WHOLE_SPLITS;

/** Half-samples beside them, one half each of as many splits: they tell more than second halves would. */
const OTHER_HALVES = 16;

/** Half-samples of the chains behind every standard error and interval of whole-table candidates. */
export const HALF_SAMPLES = WHOLE_HALVES + OTHER_HALVES;

/**
 * Evaluations of every cell: the estimate itself, its half-samples, then the halves of splits of the base chains alone.
 * docs/explanation/estimators.md (whole-table candidates) says why half-samples.
 */
export const CELL_EVALUATIONS = 1 + HALF_SAMPLES + 2 * (HALF_SPLITS - WHOLE_SPLITS);

/** Evaluation that holds half `half` (0 or 1) of split `split`, which are those of `chain-evaluations.ts`. */
export function halfOfCells(split: number, half: 0 | 1): number {
  return 1 + 2 * split + half + (split < WHOLE_SPLITS ? 0 : OTHER_HALVES);
}

/** A set of chains whose expectation of r_x is one term of the estimator. */
export interface CellSet {
  readonly name: string;
  readonly coefficient: number;
  readonly pool: 'arithmetic' | 'geometric';
  readonly chains: number;
  readonly drawsPerChain: number;
  /** Whether its term is of the intruder's prior, not of the likelihood. */
  readonly isPrior?: true;
}

/**
 * How a set enters an evaluation: as a factor, a divisor, a factor raised to a power that such sets share, or, pooled
 * geometrically, as a term of its logarithm. The place of each is its code in kernels/cells/cell-evaluations.ts.
 */
export const CELL_ROLES = ['numerator', 'denominator', 'raised', 'geometric'] as const;

/**
 * Sets of a role that a half-sample multiplies before it takes the logarithm: as many shares of at least 2^-23 as single
 * precision holds the product of.
 */
const MOST_FACTORS = 5;

/** A {@link CellSet} with what each evaluation takes of it. */
export interface PreparedSet extends CellSet {
  /** Places of chains in the set, increasing: first all of them, then every half that some evaluation takes. */
  readonly subsets: readonly Uint32Array[];
  /** For each evaluation, which of the subsets it takes. */
  readonly choices: readonly number[];
  /** Number of its first chain when the chains of all sets are laid end to end. */
  readonly firstChain: number;
  readonly role: (typeof CELL_ROLES)[number];
  /** Whether a half-sample takes the logarithm of its product so far before this set enters it. */
  readonly folds: boolean;
}

/** All sets of an estimator, with what the kernel and the plain program share. */
export interface PreparedSets {
  readonly sets: readonly PreparedSet[];
  readonly chains: number;
  readonly draws: number;
  /** Coefficient of the sets whose role is `raised`. */
  readonly commonPower: number;
}

/** What the evaluations of cells take of a set of the given name; of a single chain always the whole. */
export function chainSubsets(streams: Streams, name: string, chains: number): Pick<PreparedSet, 'subsets' | 'choices'> {
  const all = Uint32Array.from({ length: chains }, (_, c) => c);
  const subsets = [all];
  const choices = new Array<number>(CELL_EVALUATIONS).fill(0);
  if (chains === 1) return { subsets, choices };
  const counts = chainCounts(streams, name, chains);
  for (let split = 0; split < HALF_SPLITS; split++) {
    for (const half of [0, 1] as const) {
      const from = halfEvaluation(split, half) * chains;
      const counted = all.filter((c) => counts[from + c]! > 0);
      if (counted.length < chains) choices[halfOfCells(split, half)] = subsets.push(counted) - 1;
    }
  }
  const random = streams.open(`half-samples/${name}`);
  const order = all.slice();
  for (let b = 0; b < OTHER_HALVES; b++) {
    for (let c = chains - 1; c > 0; c--) {
      const other = random.below(c + 1);
      [order[c], order[other]] = [order[other]!, order[c]!];
    }
    // Of an odd number, the smaller half and the larger by turns.
    const taken = Math.floor((chains + (b % 2)) / 2);
    choices[1 + WHOLE_HALVES + b] = subsets.push(order.slice(0, taken).sort()) - 1;
  }
  return { subsets, choices };
}

/** The sets of a posterior: those of the likelihood, which is raised to the slope, and that of the prior, which is not. */
export const posteriorSets = (likelihood: readonly CellSet[], prior: CellSet, slope: number): CellSet[] => [
  ...likelihood,
  { ...prior, coefficient: 1 / slope },
];

function roleOf({ pool, coefficient }: CellSet): PreparedSet['role'] {
  if (pool === 'geometric') return 'geometric';
  if (coefficient === 1) return 'numerator';
  return coefficient === -1 ? 'denominator' : 'raised';
}

/**
 * Prepares the sets of an estimator.
 *
 * @throws RangeError when arithmetic sets have several coefficients other than 1 and -1, which no estimator has
 */
export function prepareCellSets(sets: readonly CellSet[], streams: Streams): PreparedSets {
  const prepared: PreparedSet[] = [];
  let factors = new Map<PreparedSet['role'], number>();
  let chains = 0;
  let draws = 0;
  for (const set of sets) {
    const role = roleOf(set);
    const folds = factors.get(role) === MOST_FACTORS;
    if (folds) factors = new Map();
    if (role !== 'geometric') factors.set(role, (factors.get(role) ?? 0) + 1);
    prepared.push({ ...set, firstChain: chains, role, folds, ...chainSubsets(streams, set.name, set.chains) });
    chains += set.chains;
    draws += set.chains * set.drawsPerChain;
  }
  const powers = new Set(prepared.filter(({ role }) => role === 'raised').map((set) => set.coefficient));
  if (powers.size > 1) throw new RangeError('sets of chains have several powers');
  return { sets: prepared, chains, draws, commonPower: [...powers][0] ?? 0 };
}

/** Cells that are added up together; sums are merged chunk by chunk, whatever the blocks. */
export const CELL_CHUNK = 64;

/** Most probable cells that are kept of every combination. */
export const GUESSES = 10;

/**
 * Densities are carried times this power of two, which changes none of their bits and keeps those down to 1e-460
 * from underflow; in r_x it cancels.
 */
export const DENSITY_SCALE = 1.3407807929942597e154;

/** Combinations whose r_x is wanted in all cells, and the chains that give its expectations. */
export interface CellProblem {
  /** Number of categories of each variable, in column order. */
  readonly sizes: readonly number[];
  /** combinations x variables. */
  readonly codes: Uint16Array;
  readonly classes: number;
  readonly sets: readonly CellSet[];
  readonly streams: Streams;
  readonly slope: number;
}

/**
 * What is left of the log-likelihoods l_x (that of the truth is 0) of all cells x that were scored. A weight is
 * w_x = exp(l_x - `largest`). Arrays are combinations x CELL_EVALUATIONS unless another shape is given.
 */
export interface CellSums {
  /** The largest l_x, at least 0. */
  readonly largest: Float64Array;
  /** Sum of w_x. */
  readonly sums: Float64Array;
  /** The same over the cells with l_x other than 0 alone: what is left of the sum beside a truth that outweighs all others. */
  readonly others: Float64Array;
  /** Sum of w_x l_x. */
  readonly logSums: Float64Array;
  /** Sum of w_x times the logarithm of the prior of x against the truth's; 0 where no set is the prior. */
  readonly priorLogSums: Float64Array;
  /** Cells with l_x > 0, and with l_x = 0 (the truth among them). */
  readonly above: Float64Array;
  readonly equal: Float64Array;
  /** combinations x GUESSES: the largest l_x of the estimate itself; -1e300 where there are fewer cells. */
  readonly guessValues: Float64Array;
  /** combinations x GUESSES: their cells (see `cell-order.ts`). */
  readonly guessCells: Float64Array;
  /** Of each combination, the logarithm of the prior of its most probable cell against the truth's. */
  readonly firstPriorLogs: Float64Array;
  /** combinations x categories of all variables: sum of w_x over the cells that have the category. */
  readonly marginals: Float64Array;
}

/** The draws of one chain, as `ChainDraws` has them. */
export interface CellDraws {
  readonly draws: number;
  /** draws x classes. */
  readonly weights: Float64Array;
  /** draws x categories of all variables x classes. */
  readonly probabilities: Float64Array;
}
