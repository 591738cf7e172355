import type { Comparison } from '../../contracts/results/comparison.ts';
import { formatFigure } from './format-number.ts';
import { meanInWords } from './group-in-words.ts';
import { measureInWords } from './measures-in-words.ts';
import { isWithinErrors } from './within-errors.ts';

/** A figure of a run or a difference, with its standard error where it has one. */
export const figureInWords = ({ value, se }: { readonly value: number | null; readonly se: number | null }) =>
  meanInWords(value === null ? null : { mean: value, standardError: se });

/**
 * A difference of two runs with its standard error, or that it is no larger than errors make of none: then with half of its 95 %
 * interval, which with few datasets is many standard errors.
 */
export const differenceInWords = ({ difference, se, halfWidth }: Comparison['differences'][number]): string =>
  `${figureInWords({ value: difference, se })}${isWithinErrors(difference, halfWidth) ? `, within errors (95 % interval: ± ${formatFigure(halfWidth!)})` : ''}`;

/** A run that dominates another: where errors could have done it, or where they are not known, perhaps by chance. */
export const dominationInWords = ({ run, beyondErrors }: Comparison['dominated'][number]['by'][number]): string =>
  `${run}${beyondErrors ? ', beyond errors' : ', perhaps by chance'}`;

/** Differences that are listed at most. */
const LISTED_DIFFERENCES = 12;

/** Runs side by side as lines: the two measures of the map, which runs are dominated by them, and why that may mislead. */
export function mapLines({ runs, map, mapReason, measures, dominated, differences }: Comparison): string[] {
  if (map === null) return [mapReason!];
  const ofMap = differences.filter(({ measure }) => measure === map.risk || measure === map.utility);
  const cautioned = measures.filter(({ name, caution }) => caution !== undefined && (name === map.risk || name === map.utility));
  const width = Math.max(...runs.map(({ name }) => name.length));
  return [
    `${measureInWords(map.risk)}; ${measureInWords(map.utility)}`,
    ...runs.map(
      ({ name, risk, utility }) => `  ${name.padEnd(width)}   ${figureInWords(risk[map.risk]!)}; ${figureInWords(utility[map.utility]!)}`,
    ),
    '',
    'Differences',
    ...ofMap
      .slice(0, LISTED_DIFFERENCES)
      .map(
        (own) =>
          `  ${measureInWords(own.measure)}: ${own.b} less ${own.a} ${differenceInWords(own)}${own.seReason === undefined ? '' : ` (no error: ${own.seReason})`}`,
      ),
    ...(ofMap.length > LISTED_DIFFERENCES ? [`  ... ${ofMap.length} in all: differences.csv`] : []),
    '',
    ...(dominated.length === 0
      ? ['No run dominates another by these two measures.']
      : dominated.map(({ run, by }) => `${run} is dominated by ${by.map(dominationInWords).join('; ')}`)),
    ...cautioned.map(({ name, caution }) => `Not comparable: ${measureInWords(name)}. ${caution!}`),
  ];
}
