import type { Comparison } from '../../contracts/results/comparison.ts';
import { meanInWords } from './group-in-words.ts';
import { isWithinErrors } from './within-errors.ts';

/** A figure of a run or a difference, with its standard error where it has one. */
export const figureInWords = ({ value, se }: { readonly value: number | null; readonly se: number | null }) =>
  meanInWords(value === null ? null : { mean: value, standardError: se });

/** A difference of two runs with its standard error, or that it is no larger than errors make of none. */
export const differenceInWords = ({ difference, se, halfWidth }: Comparison['differences'][number]): string =>
  `${figureInWords({ value: difference, se })}${isWithinErrors(difference, halfWidth) ? ', within errors' : ''}`;

/** A run that dominates another. */
export const dominationInWords = ({ run, beyondErrors }: Comparison['dominated'][number]['by'][number]): string =>
  `${run}${beyondErrors ? ', beyond errors' : ', within errors'}`;
