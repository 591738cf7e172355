import { join } from 'node:path';
import type { Comparison } from '../../shared/contracts/results/comparison.ts';
import { mapLines } from '../../shared/report/words/comparison-in-words.ts';

/**
 * Runs side by side as lines for a terminal, and where the rest of them is.
 *
 * @param out folder of the page and the tables, if there is one
 */
export function comparisonLines(found: Comparison, out: string | undefined): string[] {
  return [
    ...mapLines(found),
    '',
    ...(out === undefined
      ? ['--out FOLDER writes all measures, their differences and a map as a page']
      : [
          `Confidential page:     ${join(out, 'confidential', 'comparison.html')}`,
          `Confidential tables:   ${join(out, 'confidential', 'comparison.csv')}, differences.csv`,
        ]),
  ];
}
