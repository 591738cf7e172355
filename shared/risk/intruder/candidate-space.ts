import { type Candidates, scoresCells } from '../../contracts/candidates.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { isImpossible, type Support } from '../../table/support/support.ts';
import { cellOrder, codesOf } from './cell-order.ts';

/** More candidates than this for each combination belong to the whole table, not to a list. */
const MOST_CANDIDATES = 65_536;

/**
 * The values that an intruder considers for a record, laid out the same way for every combination.
 * Candidate 0 is the combination itself. Under `one-change` the others are, for each variable in turn, each
 * of its other categories (Hu et al. 2014, section 3.1, R_i). Under `two-changes` these are followed by the pairs of such
 * changes in two variables: for each change in turn, every change of a later variable, in the same order. Under
 * `unknown` the others are the other values of the unknown variables, the last of them running fastest
 * (Hu et al. 2014, eq. 16). Under `all-cells` candidate x > 0 is cell x - 1 of `cell-order.ts`, and the number of the combination's
 * own cell is not used.
 */
export interface CandidateSpace {
  readonly kind: 'one-change' | 'two-changes' | 'all-cells' | 'unknown';
  readonly sizes: readonly number[];
  /** Indices of the variables the intruder does not know: all of them unless the kind is `unknown`. */
  readonly unknown: readonly number[];
  /** Candidates of each combination, the truth among them. */
  readonly perCombination: number;
}

/** Whether there is anything to rank: with no categorical variable to guess at the one candidate is the record itself. */
export const ranksCandidates = ({ unknown }: Pick<CandidateSpace, 'unknown'>): boolean => unknown.length > 0;

/**
 * Lays out the candidates of a table with these names and sizes of variables, in column order.
 *
 * @throws InvalidConfigError for an unknown variable that the table does not have, or names twice
 * @throws UnsupportedOptionError for more than 65,536 candidates of a combination, or more cells than can be numbered
 */
export function candidateSpace(candidates: Candidates, names: readonly string[], sizes: readonly number[]): CandidateSpace {
  if (candidates === 'one-change' || candidates === 'two-changes') {
    const changes = sizes.reduce((sum, size) => sum + size - 1, 0);
    const squares = sizes.reduce((sum, size) => sum + (size - 1) * (size - 1), 0);
    const pairs = candidates === 'two-changes' ? (changes * changes - squares) / 2 : 0;
    const perCombination = limited(1 + changes + pairs);
    return { kind: candidates, sizes, unknown: [...sizes.keys()], perCombination };
  }
  if (scoresCells(candidates)) {
    const { cells } = cellOrder(sizes);
    if (cells > Number.MAX_SAFE_INTEGER) {
      throw new UnsupportedOptionError(
        'too-many-cells',
        `The variables have ${cells} cells, which cannot be numbered. Leave variables out, or merge rare categories.`,
      );
    }
    return { kind: 'all-cells', sizes, unknown: [...sizes.keys()], perCombination: cells };
  }
  const unknown = candidates.unknown.map((name) => {
    const variable = names.indexOf(name);
    if (variable < 0) {
      throw unknownVariable('attributeRisk.candidates', name, names);
    }
    return variable;
  });
  if (new Set(unknown).size < unknown.length) {
    throw new InvalidConfigError('repeated-variable', 'attributeRisk.candidates names a variable twice.');
  }
  unknown.sort((a, b) => a - b);
  const values = unknown.reduce((product, variable) => product * sizes[variable]!, 1);
  return { kind: 'unknown', sizes, unknown, perCombination: limited(values) };
}

function limited(perCombination: number): number {
  if (perCombination > MOST_CANDIDATES) {
    throw new UnsupportedOptionError(
      'too-many-candidates',
      `Each combination would have more than the ${MOST_CANDIDATES} candidates that are possible. Let the intruder know more variables, or merge rare categories.`,
    );
  }
  return perCombination;
}

/** What a candidate changes in a combination: variables in column order with their new codes. */
export function candidateChanges(space: CandidateSpace, codes: ArrayLike<number>, candidate: number): { variable: number; code: number }[] {
  if (candidate === 0) return [];
  if (space.kind === 'all-cells') {
    const cell = codesOf(cellOrder(space.sizes), candidate - 1);
    return Array.from(cell, (code, variable) => ({ variable, code })).filter(({ variable, code }) => code !== codes[variable]);
  }
  if (space.kind !== 'unknown') return listedChanges(space, codes, candidate);
  let rest = candidate <= unknownIndex(space, codes) ? candidate - 1 : candidate;
  const changes: { variable: number; code: number }[] = [];
  for (const variable of space.unknown.toReversed()) {
    const code = rest % space.sizes[variable]!;
    rest = (rest - code) / space.sizes[variable]!;
    if (code !== codes[variable]) changes.unshift({ variable, code });
  }
  return changes;
}

/** The changes of a candidate but the truth, under `one-change` and `two-changes`. */
function listedChanges({ kind, sizes }: CandidateSpace, codes: ArrayLike<number>, candidate: number): { variable: number; code: number }[] {
  const changes = sizes.reduce((sum, size) => sum + size - 1, 0);
  const single = (change: number) => {
    let rest = change;
    let variable = 0;
    while (rest >= sizes[variable]! - 1) rest -= sizes[variable++]! - 1;
    return { variable, code: rest < codes[variable]! ? rest : rest + 1 };
  };
  if (candidate <= changes) return [single(candidate - 1)];
  let pair = candidate - 1 - changes;
  // For each change of a variable there is one pair with every change of a later variable.
  let later = changes;
  let before = 0;
  for (const size of kind === 'two-changes' ? sizes : []) {
    later -= size - 1;
    const pairs = (size - 1) * later;
    if (pair < pairs) {
      const first = before + Math.floor(pair / later);
      return [single(first), single(changes - later + (pair % later))];
    }
    pair -= pairs;
    before += size - 1;
  }
  throw new RangeError(`no candidate ${candidate}`);
}

/** Position of a combination's own value among all values of the unknown variables, the last fastest. */
export function unknownIndex(space: CandidateSpace, codes: ArrayLike<number>): number {
  return space.unknown.reduce((index, variable) => index * space.sizes[variable]! + codes[variable]!, 0);
}

/**
 * The candidates that the intruder considers for a combination, the truth first: those that change no missing value, of
 * which there is nothing to learn, and that are possible.
 *
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

/** {@link consideredCandidates} of every combination (codes: combinations x variables), or undefined where all consider all. */
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
