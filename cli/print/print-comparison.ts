import { join } from 'node:path';
import type { Comparison } from '../../shared/contracts/results/comparison.ts';
import { differenceInWords, dominationInWords, figureInWords } from '../../shared/report/words/comparison-in-words.ts';
import { measureInWords } from '../../shared/report/words/measures-in-words.ts';

/** Differences that are listed at most. */
const LISTED_DIFFERENCES = 12;

/**
 * Runs side by side as lines: the two measures of the map, and which runs are dominated by them.
 *
 * @param out folder of the page and the tables, if there is one
 */
export function comparisonLines(found: Comparison, out: string | undefined): string[] {
  const { runs, map, mapReason, dominated, differences } = found;
  const files =
    out === undefined
      ? ['', '--out FOLDER writes all measures, their differences and a map as a page']
      : [
          '',
          `Confidential page:     ${join(out, 'confidential', 'comparison.html')}`,
          `Confidential tables:   ${join(out, 'confidential', 'comparison.csv')}, differences.csv`,
        ];
  if (map === null) return [mapReason!, ...files];
  const ofMap = differences.filter(({ measure }) => measure === map.risk || measure === map.utility);
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
    ...files,
  ];
}
