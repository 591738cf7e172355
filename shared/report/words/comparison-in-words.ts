import type { Comparison } from '../../contracts/results/comparison.ts';
import { meanInWords } from './left-out-in-words.ts';

/** A figure of a run or a difference, with its standard error where it has one. */
export const figureInWords = ({ value, se }: { readonly value: number | null; readonly se: number | null }) =>
  meanInWords(value === null ? null : { mean: value, standardError: se });

/** A run that dominates another. */
export const dominationInWords = ({
  run,
  beyondErrors,
}: Comparison['dominated'][number]['by'][number]): string =>
  `${run}${beyondErrors ? ', beyond errors' : ', within errors'}`;
