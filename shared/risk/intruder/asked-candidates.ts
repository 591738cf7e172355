import type { Candidates } from '../../contracts/candidates.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import { inList } from '../../contracts/in-command.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { type CandidateSpace, candidateSpace } from './candidate-space.ts';

/** What an intruder guesses at. */
export interface AskedCandidates {
  /** Candidates that are listed, of categorical variables; only the record itself where a continuous one is all that is unknown. */
  readonly space: CandidateSpace;
  /** Continuous variables, whose candidates are masses and cells: places among those that can be guessed at. */
  readonly continuous: readonly number[];
}

/**
 * What an intruder guesses at of a table with these variables: as {@link candidateSpace} where all are categorical. Each continuous
 * variable is guessed at by itself, all others being known.
 *
 * @param names of the categorical variables, of these sizes
 * @param continuous names of the continuous ones that can be guessed at
 * @throws InvalidConfigError as `candidateSpace` does
 * @throws UnsupportedOptionError `unknown-number` where a continuous variable is unknown together with another; and as `candidateSpace`
 */
export function askedCandidates(
  candidates: Candidates,
  names: readonly string[],
  sizes: readonly number[],
  continuous: readonly string[],
): AskedCandidates {
  const all = [...continuous.keys()];
  if (typeof candidates === 'string') return { space: candidateSpace(candidates, names, sizes), continuous: all };
  const { unknown } = candidates;
  const stranger = unknown.find((name) => !names.includes(name) && !continuous.includes(name));
  if (stranger !== undefined) throw unknownVariable('attributeRisk.candidates', stranger, [...names, ...continuous]);
  const asked = all.filter((j) => unknown.includes(continuous[j]!));
  if (asked.length === 0) return { space: candidateSpace(candidates, names, sizes), continuous: [] };
  if (unknown.length === 1) return { space: candidateSpace({ unknown: [] }, names, sizes), continuous: asked };
  throw new UnsupportedOptionError(
    'unknown-number',
    `attributeRisk.candidates: ${continuous[asked[0]!]} is continuous, and guessed at by itself: name it alone ({unknown: [${continuous[asked[0]!]}]}, --unknown ${inList(continuous[asked[0]!]!)}), and the other variables in a scenario of their own.`,
  );
}
