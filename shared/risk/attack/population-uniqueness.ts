import type { KeyCounts } from '../../contracts/results/attack.ts';
import { exp, log1p } from '../../numeric/portable-math.ts';

/** What is estimated of the records that are alone with their keys. */
type PopulationUniqueness = KeyCounts['populationUniqueness'];

/** Terms of the sum over sizes in the population, at least and at most. */
const [FEWEST_SIZES, MOST_SIZES] = [100, 10_000];

/**
 * How probably a record that is alone with its keys in the file is alone with them in the population, by the three short formulas of
 * riskutility's `population_uniqueness` (`.pu_pitman`, `.pu_zayatz`, `.pu_snb`), which are simpler than what they are named after.
 *
 * @param counts records of each combination of keys that the file has, at least one
 * @param fraction of the population in the file, between 0 and 1
 */
export function populationUniqueness(counts: Uint32Array, fraction: number): PopulationUniqueness {
  const records = counts.reduce((sum, count) => sum + count, 0);
  const uniques = counts.filter((count) => count === 1).length;
  const figures = (pUnique: number) => ({ pUnique, globalRisk: (uniques * pUnique) / records, populationUniques: uniques * pUnique });
  return {
    samplingFraction: fraction,
    pitman: figures(byPitman(counts, { records, uniques, fraction })),
    zayatz: figures(exp((1 / fraction - 1) * log1p(-fraction))),
    snb: figures(byNegativeBinomial(counts, fraction)),
  };
}

/** alpha / (alpha + n p), with alpha from the combinations of one and of two records. */
function byPitman(counts: Uint32Array, { records, uniques, fraction }: { records: number; uniques: number; fraction: number }): number {
  const pairs = counts.filter((count) => count === 2).length;
  const alpha = pairs > 0 ? (uniques * uniques) / (2 * pairs) : uniques > 0 ? uniques : 1;
  const bounded = Math.max(alpha, 0.01);
  return bounded / (bounded + records * fraction);
}

/**
 * The probability of size 1 among sizes j of a negative binomial distribution, each weighed by the chance j (1 - p)^(j - 1) that one
 * of its records is in the file. Its parameters are from mean and variance of the file's own counts.
 */
function byNegativeBinomial(counts: Uint32Array, fraction: number): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) * (count - mean), 0) / (counts.length - 1);
  const ratio = variance / mean;
  // No variance is defined of a single combination.
  const q = Math.min(0.999, Math.max(0.001, ratio > 1 ? (ratio - 1) / (ratio + fraction) : 0.01));
  const r = Math.max(0.01, (mean * (1 - q)) / (fraction * q));
  const sizes = Math.min(MOST_SIZES, Math.max(FEWEST_SIZES, 5 * Math.ceil(r * q)));
  // Each term by the first, which may itself be too small for a double.
  let [term, sum] = [1, 0];
  for (let j = 1; j <= sizes && sum < Number.POSITIVE_INFINITY; j++) {
    sum += term;
    term *= ((j + r) / j) * (q / (1 + q)) * (1 - fraction);
  }
  return 1 / sum;
}
