import { isImpossible, type Support } from '../../table/support/support.ts';
import { type CandidateSpace, candidateChanges } from './candidate-space.ts';

/**
 * The candidates that the intruder considers for a combination, as numbers in its {@link CandidateSpace}, the truth
 * first: those that change no missing value, of which there is nothing to learn, and that are possible.
 *
 * @param codes of the combination
 * @param support the possible cells, when some are not
 */
export function consideredCandidates(space: CandidateSpace, codes: Uint16Array, support: Support | undefined): Uint32Array {
  const { sizes, perCombination } = space;
  const considered = [0];
  for (let candidate = 1; candidate < perCombination; candidate++) {
    const changes = candidateChanges(space, codes, candidate);
    if (changes.some(({ variable }) => codes[variable] === sizes[variable])) continue;
    if (support !== undefined) {
      const changed = codes.slice();
      for (const { variable, code } of changes) changed[variable] = code;
      if (isImpossible(support, changed, 0, sizes)) continue;
    }
    considered.push(candidate);
  }
  return Uint32Array.from(considered);
}

/**
 * {@link consideredCandidates} of every combination, or undefined where all consider all.
 *
 * @param codes combinations x variables
 */
export function considerCandidates(
  space: CandidateSpace,
  codes: Uint16Array,
  support: Support | undefined,
): readonly Uint32Array[] | undefined {
  const { sizes } = space;
  const variables = sizes.length;
  const isWhole = codes.every((code, i) => code < sizes[i % variables]!);
  if (isWhole && support === undefined) return undefined;
  return Array.from({ length: codes.length / variables }, (_, row) =>
    consideredCandidates(space, codes.subarray(row * variables, (row + 1) * variables), support),
  );
}
