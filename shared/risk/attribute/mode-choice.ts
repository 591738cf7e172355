import { exp } from '../../numeric/portable-math.ts';

/**
 * How far chains choose their mode by a record: 0 where a mode lasts, so that a record has no say in which one a chain is in; 1
 * where chains cross between modes, and are in each as often as the posterior asks. It is 1 - r^4, with r the correlation over
 * base chains of log E[1 / f(x_i | Theta)] half way through burn-in with the same over the draws that are kept: what was decided
 * by then, from a start that knows no record, is not decided by one. The fourth power was chosen on leave-one-out chains
 * (docs/explanation/estimators.md, how far chains choose their mode by a record).
 *
 * @param early for each base chain, the logarithm of the mean of 1 / f(x_i | Theta) around half its burn-in, an entry a row
 * @param kept the same over the draws that are kept
 * @returns an entry a row; 1 for fewer than three chains, and where they all agree
 */
export function modeChoice(early: readonly Float64Array[], kept: readonly Float64Array[]): Float64Array {
  const rows = kept[0]?.length ?? 0;
  return Float64Array.from({ length: rows }, (_, row) => {
    if (kept.length < 3) return 1;
    const [before, after] = [deviations(early, row), deviations(kept, row)];
    const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, c) => sum + value * b[c]!, 0);
    const together = product(before, after);
    if (!(together > 0)) return 1;
    const square = (together * together) / (product(before, before) * product(after, after));
    return Math.max(0, 1 - square * square);
  });
}

/** What is at a row less its mean over chains. */
function deviations(values: readonly Float64Array[], row: number): Float64Array {
  const own = Float64Array.from(values, (ofChain) => ofChain[row]!);
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  return own.map((value) => value - mean);
}

/**
 * Gives every base chain its weight in p(x | D_-i), in place: its mean of r_x times E[1 / f(x_i | Theta)] to the power of
 * (choice - 1), up to a factor. A chain of the table holds the record. Without it the chain would be in its mode with a
 * probability that is larger by E[1 / f(x_i | Theta)] to the power of the choice, and there it gives x the probability
 * E[r_x] / E[1 / f(x_i | Theta)].
 *
 * @param means for each chain, the mean of r_x, rows x candidates
 * @param kept,choice see {@link modeChoice}
 */
export function weighModes(means: readonly Float64Array[], kept: readonly Float64Array[], choice: Float64Array): void {
  for (const [row, power] of choice.entries()) {
    const candidates = means[0]!.length / choice.length;
    const largest = kept.reduce((most, ofChain) => Math.max(most, ofChain[row]!), -Infinity);
    for (const [c, mean] of means.entries()) {
      const weight = exp((power - 1) * (kept[c]![row]! - largest));
      for (let at = row * candidates; at < (row + 1) * candidates; at++) mean[at]! *= weight;
    }
  }
}
