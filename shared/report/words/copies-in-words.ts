import type { CopiesSummary } from '../../contracts/results/copies.ts';
import { formatCount, formatEstimate, formatQuantity } from './format-number.ts';

/**
 * How many of the table's unique records are in the datasets as whole rows, and how many are expected, as the beginning of a
 * sentence.
 *
 * @param sampleUniques combinations of the table that one record alone has
 */
export function copiesInWords({ uniques, uniquesExpected, uniquesExpectedSe, datasets }: CopiesSummary, sampleUniques: number): string {
  const where = datasets.length === 1 ? 'dataset' : `${datasets.length} datasets`;
  const expected = uniquesExpected === null ? '' : `; the model expects ${formatEstimate(uniquesExpected, uniquesExpectedSe!)}`;
  return `Exact copies in the ${where}: ${formatCount(uniques)} of the table's ${formatQuantity(sampleUniques, 'unique record')}${expected}`;
}

/** The same as lines, with what is the table itself and so no release of synthetic data. */
export function copiesLines(copies: CopiesSummary, sampleUniques: number): string[] {
  const { identicalDatasets, datasets } = copies;
  const which =
    datasets.length === 1
      ? 'The dataset is'
      : `Of ${datasets.length} datasets ${identicalDatasets} ${identicalDatasets === 1 ? 'is' : 'are'}`;
  const follows =
    identicalDatasets === datasets.length
      ? 'every figure is of the table, and none of synthetic data'
      : 'figures of all datasets together are not of synthetic data alone. Leave such datasets out';
  return [
    `${copiesInWords(copies, sampleUniques)}.`,
    ...(identicalDatasets === 0 ? [] : [`${which} the confidential table itself, in this or another order: ${follows}.`]),
  ];
}
