import { type NormalPrior, normalPosterior } from '../../model/mixed/normal-prior.ts';
import { lgamma } from '../../numeric/gamma-function.ts';
import { isWhole, logLowerGamma } from '../../numeric/incomplete-gamma.ts';
import { logNormalMass } from '../../numeric/normal-mass.ts';
import { exp, log, log1p } from '../../numeric/portable-math.ts';

/** Values of a class: how many, their mean, and the sum of their squared distances from it. */
export interface ValueSums {
  readonly number: number;
  readonly average: number;
  readonly squares: number;
}

/** The sums without one of the values. */
export function withoutValue({ number, average, squares }: ValueSums, value: number): ValueSums {
  if (number <= 1) return { number: 0, average: 0, squares: 0 };
  const left = average - (value - average) / (number - 1);
  return { number: number - 1, average: left, squares: Math.max(0, squares - (value - average) * (value - left)) };
}

/** The sums with a value more. */
export function withValue({ number, average, squares }: ValueSums, value: number): ValueSums {
  const now = average + (value - average) / (number + 1);
  return { number: number + 1, average: now, squares: squares + (value - average) * (value - now) };
}

/**
 * The density of a further value of a class on the unit scale, mu and sigma^2 integrated out given the values that it has: Student's t
 * with 2 a degrees of freedom (DeGroot 1970, section 9.6), times what the smallest standard deviation makes of it.
 */
export interface Predictive {
  readonly location: number;
  readonly scale: number;
  /** Logarithm of the density at a value. */
  logDensity(value: number): number;
}

/**
 * The predictive of a class.
 *
 * @param smallest standard deviation of a class, below which sigma has no prior
 */
export function predictiveOf({ number, average, squares }: ValueSums, prior: NormalPrior, smallest: number): Predictive {
  const { kappa, mean: location, shape, rate } = normalPosterior(prior, number, average, squares);
  // Of a further value at the distance d: rate + d^2 kappa / (2 (kappa + 1)).
  const spread = (2 * rate * (kappa + 1)) / kappa;
  const constant = lgamma(shape + 0.5) - lgamma(shape) - log(Math.PI * spread) / 2;
  const scale = Math.sqrt(spread / (2 * shape));
  const student = (value: number) => constant - (shape + 0.5) * log1p(((value - location) * (value - location)) / spread);
  const floor = smallest * smallest;
  // The smallest standard deviation makes the less of it the farther the further value is.
  if (isWhole(shape, rate / floor) && isWhole(shape + 0.5, rate / floor)) return { location, scale, logDensity: student };
  const logCut = logLowerGamma(shape, rate / floor);
  return {
    location,
    // sigma is no less than the smallest.
    scale: Math.max(scale, smallest),
    logDensity(value) {
      const further = rate + ((value - location) * (value - location) * rate) / spread;
      return student(value) + logLowerGamma(shape + 0.5, further / floor) - logCut;
    },
  };
}

/** Logarithm of the share of a class's numbers within the range, by the normal of the predictive's location and scale. */
export const logWithin = ({ location, scale }: Predictive): number => logNormalMass(-location / scale, (1 - location) / scale);

/** Steps of u in which a density that is narrower than a cell is added up, with value = location + scale sinh u. */
const STEP = 0.25;

const asinh = (x: number): number => (x < 0 ? -asinh(-x) : log1p(x + (x * x) / (1 + Math.sqrt(1 + x * x))));

/**
 * Probabilities of cells of equal width on the unit scale: the density in their middle times the width, where the class is no narrower
 * than a cell. A narrower class is added up in steps that are short near its location, so that it is not lost between two middles.
 *
 * @param masses receives one entry a cell
 */
export function cellMasses({ location, scale, logDensity }: Predictive, masses: Float64Array): void {
  const width = 1 / masses.length;
  if (scale >= width) {
    for (let c = 0; c < masses.length; c++) masses[c] = width * exp(logDensity((c + 0.5) * width));
    return;
  }
  let from = asinh(-location / scale);
  for (let c = 0; c < masses.length; c++) {
    const to = asinh(((c + 1) * width - location) / scale);
    const steps = Math.max(1, Math.ceil((to - from) / STEP));
    const step = (to - from) / steps;
    let sum = 0;
    for (let i = 0; i < steps; i++) {
      const above = exp(from + (i + 0.5) * step);
      const [sinh, cosh] = [(above - 1 / above) / 2, (above + 1 / above) / 2];
      sum += exp(logDensity(location + scale * sinh)) * cosh;
    }
    masses[c] = sum * scale * step;
    from = to;
  }
}
