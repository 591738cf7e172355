/** The variate of shared/random/binomial.ts, operation by operation. */
import { stirlingRemainder } from '../math/gamma-function';
import { exp, log, log1p } from '../math/portable-math';
import { uniform } from './stream';

const REJECTION_MEAN: f64 = 10;

/** Successes among `trials` of probability `probability`. */
export function binomial(trials: f64, probability: f64): f64 {
  if (probability > 0.5) return trials - fewer(trials, 1 - probability);
  return fewer(trials, probability);
}

function fewer(trials: f64, probability: f64): f64 {
  const mean = trials * probability;
  if (mean == 0) return 0;
  return mean < REJECTION_MEAN ? byInversion(trials, probability) : byRejection(trials, probability);
}

function byInversion(trials: f64, probability: f64): f64 {
  let rest = uniform();
  if (rest < 1 - trials * probability) return 0;
  const odds = probability / (1 - probability);
  let mass = exp(trials * log1p(-probability));
  let successes: f64 = 0;
  while (rest >= mass && successes < trials) {
    rest -= mass;
    mass *= ((trials - successes) / (successes + 1)) * odds;
    successes += 1;
  }
  return successes;
}

function byRejection(trials: f64, probability: f64): f64 {
  const failure = 1 - probability;
  const deviation = sqrt<f64>(trials * probability * failure);
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const c = trials * probability + 0.5;
  const accepted = 0.92 - 4.2 / b;
  while (true) {
    const u = uniform() - 0.5;
    const v = uniform();
    const distance = 0.5 - abs<f64>(u);
    const k = floor<f64>(((2 * a) / distance + b) * u + c);
    if (distance >= 0.07 && v <= accepted) return k;
    if (k < 0 || k > trials) continue;
    const height = (v * (2.83 + 5.1 / b) * deviation) / (a / (distance * distance) + b);
    if (log(height) <= logMassFromMode(trials, probability, k)) return k;
  }
  return NaN;
}

function logMassFromMode(trials: f64, probability: f64, k: f64): f64 {
  const odds = probability / (1 - probability);
  const mode = floor<f64>((trials + 1) * probability);
  return (
    (mode + 0.5) * log((mode + 1) / (odds * (trials - mode + 1))) +
    (trials + 1) * log((trials - mode + 1) / (trials - k + 1)) +
    (k + 0.5) * log((odds * (trials - k + 1)) / (k + 1)) +
    (stirlingRemainder(mode + 1) + stirlingRemainder(trials - mode + 1)) -
    (stirlingRemainder(k + 1) + stirlingRemainder(trials - k + 1))
  );
}
