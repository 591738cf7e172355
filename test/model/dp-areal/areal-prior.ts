import { beta } from '../../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { factorize } from '../../../shared/numeric/cholesky.ts';
import { categoricalFromSums, gamma } from '../../../shared/random/distributions.ts';
import type { RandomStream } from '../../../shared/random/random-stream.ts';
import { exponential, normal } from '../../../shared/random/ziggurat.ts';
import type { Combinations } from '../../../shared/table/combinations.ts';

/** A small DP-areal: all patterns of some kept variables, and one synthesized variable after them. */
export interface ArealModel {
  readonly known: readonly number[];
  readonly categories: number;
  readonly clusters: number;
  readonly concentration: { readonly shape: number; readonly rate: number };
}

/** All parameters but those of cells, in plain arrays. */
interface Hyperparameters {
  readonly alpha: number;
  readonly mu: number;
  readonly tau: { readonly rates: number; readonly theta: number; readonly intercept: number };
  readonly sigma: number[];
  /** R x R. */
  readonly omega: number[][];
  readonly rho: number[];
  readonly theta: number[];
  /** Clusters x R. */
  readonly phi: number[][];
}

/** All parameters; those of cells are patterns x categories. */
export interface PriorDraw extends Hyperparameters {
  readonly z: number[][];
  readonly logRates: number[][];
}

/** Values of the kept variables of every pattern, the last fastest. */
export function patternsOf({ known }: ArealModel): number[][] {
  return known.reduce<number[][]>((rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, c) => [...row, c])), [[]]);
}

/** Columns of a pattern among the R regressors. */
function regressorsOf({ known }: ArealModel, pattern: readonly number[]): number[] {
  let offset = 0;
  return pattern.map((code, k) => {
    const column = offset + code;
    offset += known[k]!;
    return column;
  });
}

/** A correlation matrix of density det^(shape - 1) by the onion method (Lewandowski, Kurowicka & Joe 2009, section 3.2). */
function lkjCorrelations(random: RandomStream, size: number, shape: number): number[][] {
  const omega = [[1]];
  let b = shape + (size - 2) / 2;
  for (let k = 1; k < size; k++) {
    // The squared length of the new row: for k = 1 the square of 2 Beta(b, b) - 1, which is Beta(1/2, b).
    const length = Math.sqrt(beta(random, k / 2, b));
    b -= 0.5;
    const direction = Array.from({ length: k }, () => normal(random));
    const norm = Math.hypot(...direction);
    const factor = Float64Array.from(omega.flat());
    factorize(factor, k);
    const row = Array.from({ length: k }, (_, i) => {
      let sum = 0;
      for (let m = 0; m <= i; m++) sum += (factor[i * k + m]! * direction[m]! * length) / norm;
      return sum;
    });
    for (let i = 0; i < k; i++) omega[i]!.push(row[i]!);
    omega.push([...row, 1]);
  }
  return omega;
}

/** All parameters but those of cells from their priors, as Hu & Savitsky (2018) write the model down. */
function drawHyperparameters(model: ArealModel, random: RandomStream): Hyperparameters {
  const { clusters, concentration } = model;
  const size = model.known.reduce((sum, one) => sum + one, 0);
  const alpha = gamma(random, concentration.shape) / concentration.rate;
  const tau = { rates: gamma(random, 1), theta: gamma(random, 1), intercept: gamma(random, 1) };
  const mu = normal(random) / Math.sqrt(tau.intercept);
  const sigma = Array.from({ length: size }, () => Math.abs(normal(random) / Math.sqrt((2 * gamma(random, 1.5)) / 3)));
  const omega = lkjCorrelations(random, size, 2);
  const factor = Float64Array.from(omega.flat());
  factorize(factor, size);
  const rho: number[] = [];
  let rest = 1;
  for (let k = 0; k < clusters; k++) {
    const stick = k === clusters - 1 ? 1 : beta(random, 1, alpha);
    rho.push(rest * stick);
    rest *= 1 - stick;
  }
  const theta = rho.map(() => normal(random) / Math.sqrt(tau.theta));
  const phi = rho.map(() => {
    const white = sigma.map(() => normal(random));
    return sigma.map((scale, r) => {
      let sum = 0;
      for (let s = 0; s <= r; s++) sum += factor[r * size + s]! * white[s]!;
      return scale * sum;
    });
  });
  return { alpha, mu, tau, sigma, omega, rho, theta, phi };
}

/** Parameters from their priors: so many draws of z and of the log rates for one of all others. */
export function drawPriors(model: ArealModel, random: RandomStream, count: number): PriorDraw[] {
  const others = drawHyperparameters(model, random);
  const { mu, tau, rho, theta, phi } = others;
  const { clusters, categories } = model;
  const patterns = patternsOf(model);
  const sums = Float64Array.from(rho);
  for (let k = 1; k < clusters; k++) sums[k]! += sums[k - 1]!;
  const means = patterns.map((pattern) => {
    const own = regressorsOf(model, pattern);
    return phi.map((effects, k) => own.reduce((sum, r) => sum + effects[r]!, mu + theta[k]!));
  });
  return Array.from({ length: count }, () => {
    const z = patterns.map(() => Array.from({ length: categories }, () => categoricalFromSums(random, sums, 0, clusters)));
    const logRates = z.map((row, b) => row.map((k) => means[b]![k]! + normal(random) / Math.sqrt(tau.rates)));
    return { ...others, z, logRates };
  });
}

/** Poisson variate, by the gaps of a Poisson process while few, and by halving with a gamma where many. */
export function poisson(random: RandomStream, mean: number): number {
  let rest = mean;
  let count = 0;
  while (rest > 20) {
    // The time of event number m of the process; if it is past, the others are uniform before it.
    const m = Math.floor(rest * 0.875);
    const time = gamma(random, m);
    if (time > rest) {
      for (let event = 1; event < m; event++) if (random.uniform() * time < rest) count++;
      return count;
    }
    count += m;
    rest -= time;
  }
  for (let time = exponential(random); time < rest; time += exponential(random)) count++;
  return count;
}

/** The state that a prior draw would be, in the layout of DP-areal. */
export function stateOfPrior(model: ArealModel, draw: PriorDraw): ChainState {
  const { alpha, mu, tau, sigma, omega, rho, theta, phi, logRates } = draw;
  const latent = Float64Array.from([
    ...logRates.flat(),
    ...theta.flatMap((own, k) => [own, ...phi[k]!]),
    ...rho.map((weight) => Math.log(Math.max(weight, 1e-300))),
    ...sigma,
    ...omega.flat(),
    mu,
    tau.rates,
    tau.theta,
    tau.intercept,
  ]);
  const patterns = logRates.length;
  const size = sigma.length + model.categories;
  return {
    weights: new Float64Array(patterns).fill(1 / patterns),
    probabilities: new Float64Array(size * patterns),
    concentration: alpha,
    occupiedClasses: 0,
    latent,
  };
}

/** Category of each of some counted records, in order. */
const categoriesOf = (counts: readonly number[]) => counts.flatMap((n, i) => new Array<number>(n).fill(i));

/**
 * Counts of every category in every pattern as combinations, those of zero too; the synthesized variable is last. A
 * synthetic dataset of as many records in each pattern stands in a further column.
 */
export function combinationsOf(
  model: ArealModel,
  counts: readonly (readonly number[])[],
  synthetic?: readonly (readonly number[])[],
): Combinations {
  const size = model.categories;
  const cells = patternsOf(model).flatMap((pattern, b) => {
    if (!synthetic) return counts[b]!.map((count, i) => ({ row: [...pattern, i], count }));
    const pairs = new Float64Array(size * size);
    const beside = categoriesOf(synthetic[b]!);
    for (const [h, i] of categoriesOf(counts[b]!).entries()) pairs[i * size + beside[h]!]!++;
    return Array.from(pairs, (count, at) => ({ row: [...pattern, Math.floor(at / size), at % size], count }));
  });
  return {
    variables: model.known.length + (synthetic ? 2 : 1),
    count: cells.length,
    codes: Uint16Array.from(cells.flatMap(({ row }) => row)),
    counts: Uint32Array.from(cells, ({ count }) => count),
  };
}

/** The variable of each column of a table with a synthetic dataset beside it. */
export const columnsBeside = ({ known }: ArealModel) => [...known.keys(), known.length, known.length];
