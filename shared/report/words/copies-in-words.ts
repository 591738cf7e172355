import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { formatCount, formatEstimate, formatQuantity } from './format-number.ts';

/**
 * How many of the table's unique records are in the datasets as whole rows, and how many are expected, as the beginning of a
 * sentence.
 *
 * @param sampleUniques combinations of the table that one record alone has
 */
export function copiesInWords(
  { uniques, uniquesExpected, uniquesExpectedSe, datasets }: CopiesSummary,
  sampleUniques: number,
): string {
  const where = datasets.length === 1 ? 'dataset' : `${datasets.length} datasets`;
  const expected =
    uniquesExpected === null
      ? ''
      : `; the model expects ${formatEstimate(uniquesExpected, uniquesExpectedSe!)}`;
  return `Exact copies in the ${where}: ${formatCount(uniques)} of the table's ${formatQuantity(sampleUniques, 'unique record')}${expected}`;
}
