import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { exp } from '../../numeric/portable-math.ts';

/** Most values of one set of variables: beyond, its distribution belongs to a list of guesses. */
const MOST_VALUES = 65_536;

/** Variables whose joint distribution is asked for, in the order in which they are named. */
export type MarginalVariables = readonly number[];

/**
 * The sets of variables whose distributions a run gives of every combination (Hu et al. 2014, eq. 17): those that are named, or each
 * variable by itself.
 *
 * @throws InvalidConfigError `unknown-variable` and `repeated-variable`
 * @throws UnsupportedOptionError `too-many-marginals` when a set has more than 65,536 values
 */
export function askedMarginals(
  asked: readonly (readonly string[])[] | undefined,
  names: readonly string[],
  sizes: readonly number[],
): MarginalVariables[] {
  if (asked === undefined) return [...sizes.keys()].map((variable) => [variable]);
  return asked.map((set) => {
    const variables = set.map((name) => {
      const variable = names.indexOf(name);
      if (variable >= 0) return variable;
      throw unknownVariable('attributeRisk.marginals', name, names);
    });
    if (new Set(variables).size < variables.length) {
      throw new InvalidConfigError('repeated-variable', 'attributeRisk.marginals names a variable twice in one set.');
    }
    const values = marginalValues(variables, sizes);
    if (values > MOST_VALUES) {
      throw new UnsupportedOptionError(
        'too-many-marginals',
        `A set of attributeRisk.marginals has more than the ${MOST_VALUES} values that are possible. Name fewer variables, or merge rare categories.`,
      );
    }
    return variables;
  });
}

/** Values that a set of variables has together. */
export function marginalValues(variables: MarginalVariables, sizes: readonly number[]): number {
  return variables.reduce((product, variable) => product * sizes[variable]!, 1);
}

/** Values of all sets, one after the other: the numbers that each combination has. */
export function marginalWidth(marginals: readonly MarginalVariables[], sizes: readonly number[]): number {
  return marginals.reduce((sum, variables) => sum + marginalValues(variables, sizes), 0);
}

/**
 * Distributions of sets of variables for every combination of a batch (Hu et al. 2014, eq. 17): sums of the posterior over the cells
 * that have each value, block after block. The last variable of a set runs fastest.
 */
export class SubsetMarginals {
  readonly #marginals: readonly MarginalVariables[];
  readonly #sizes: readonly number[];
  readonly #width: number;
  /** Of each combination, the largest log-likelihood so far, and the sum of exp(log-likelihood - largest). */
  readonly #largest: Float64Array;
  readonly #totals: Float64Array;
  /** combinations x values of all sets. */
  readonly #sums: Float64Array;

  /** @param sizes number of categories of each variable, in column order */
  constructor(rows: number, marginals: readonly MarginalVariables[], sizes: readonly number[]) {
    this.#marginals = marginals;
    this.#sizes = sizes;
    this.#width = marginalWidth(marginals, sizes);
    this.#largest = new Float64Array(rows).fill(-Infinity);
    this.#totals = new Float64Array(rows);
    this.#sums = new Float64Array(rows * this.#width);
  }

  /** Where the values of a cell stand among those of a combination, set by set. */
  #placesOf(codes: ArrayLike<number>): number[] {
    let from = 0;
    return this.#marginals.map((variables) => {
      const value = variables.reduce((at, variable) => at * this.#sizes[variable]! + codes[variable]!, 0);
      const place = from + value;
      from += marginalValues(variables, this.#sizes);
      return place;
    });
  }

  /** Adds cells, by their codes, to every combination; `values` are their log-likelihoods, combinations x `stride`, cells first. */
  add(cells: readonly ArrayLike<number>[], values: Float64Array, stride: number): void {
    const places = Uint32Array.from(cells.flatMap((codes) => this.#placesOf(codes)));
    for (let row = 0; row < this.#largest.length; row++) {
      for (let x = 0; x < cells.length; x++) this.#addCell(row, places, x, values[row * stride + x]!);
    }
  }

  /** Adds to one combination a cell, whose places come after those of so many others. */
  #addCell(row: number, places: Uint32Array, before: number, value: number): void {
    const from = row * this.#width;
    if (value > this.#largest[row]!) {
      const factor = exp(this.#largest[row]! - value);
      this.#largest[row] = value;
      this.#totals[row]! *= factor;
      for (let at = from; at < from + this.#width; at++) this.#sums[at]! *= factor;
    }
    const weight = exp(value - this.#largest[row]!);
    this.#totals[row]! += weight;
    const sets = this.#marginals.length;
    for (let at = before * sets; at < (before + 1) * sets; at++) this.#sums[from + places[at]!]! += weight;
  }

  /** combinations x values of all sets: posterior probabilities, relative to the cells that were added. */
  probabilities(): Float64Array {
    return this.#sums.map((sum, at) => sum / this.#totals[Math.floor(at / this.#width)]!);
  }
}
