import type { AttributeRisk, WITHOUT_FIGURES } from './attribute-risk.ts';
import type { HalvesStandFor } from './attribute-summary.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from './chain-evaluations.ts';
import { type FigureErrors, joinErrors } from './release-error.ts';
import { releaseError } from './release-figures.ts';

/** Figures of a record whose means over some records are given with errors. */
export const GROUP_FIGURES = ['truthRankedFirstShare', 'rankMean', 'probabilityMean', 'informationBitsMean'] as const;

/** A mean over records with its errors. */
interface GroupMean extends FigureErrors {
  readonly mean: number;
}

/** What a figure is of a row: in the estimate, in the halves of the chains, and of paired chains of half their length. */
interface Source {
  readonly own: Float64Array;
  readonly halves: Float64Array;
  readonly halfLength: Float64Array;
  readonly figure: (value: number) => number;
  readonly without: (typeof WITHOUT_FIGURES)[number];
}

const itself = (value: number) => value;

function sourceOf(risk: AttributeRisk, name: (typeof GROUP_FIGURES)[number]): Source {
  const rank = { own: risk.rank, halves: risk.halfRanks, halfLength: risk.halfLengthRank, without: 'rank' } as const;
  switch (name) {
    case 'truthRankedFirstShare':
      return { ...rank, figure: (value) => (value === 1 ? 1 : 0) };
    case 'rankMean':
      return { ...rank, figure: itself };
    case 'probabilityMean':
      return {
        own: risk.probability,
        halves: risk.halfProbabilities,
        halfLength: risk.halfLengthProbability,
        figure: itself,
        without: 'probability' as const,
      };
    case 'informationBitsMean':
      return {
        own: risk.informationBits,
        halves: risk.halfInformationBits,
        halfLength: risk.halfLengthInformationBits,
        figure: itself,
        without: 'informationBits' as const,
      };
  }
}

/**
 * Means over the records of some rows, each with its errors, over releases as those of a file (`release-figures.ts`). All rows share their chains, so that the error is
 * not that of independent rows: it is of halves of the chains, as that of the privacy loss, in each of which the mean is
 * taken over all of the rows. It is no less than what half the length of the paired chains changes, where some are paired.
 *
 * @param rows places of the rows (from 0), at least one
 * @param counts records of every row
 */
export function groupMeans(
  risk: AttributeRisk,
  rows: readonly number[],
  counts: ArrayLike<number>,
  standFor: HalvesStandFor,
): Record<(typeof GROUP_FIGURES)[number], GroupMean> {
  const records = rows.reduce((sum, row) => sum + counts[row]!, 0);
  const means = GROUP_FIGURES.map((name): [string, GroupMean] => {
    const { own, halves, halfLength, figure, without } = sourceOf(risk, name);
    const meanOf = (value: (row: number) => number) =>
      rows.reduce((sum, row) => {
        const measured = value(row);
        return sum + counts[row]! * figure(Number.isNaN(measured) ? own[row]! : measured);
      }, 0) / records;
    const ofHalf = (half: number) => meanOf((row) => halves[row * 2 * HALF_SPLITS + half]!);
    let squares = 0;
    for (let split = 0; split < WHOLE_SPLITS; split++) {
      const difference = ofHalf(2 * split) - ofHalf(2 * split + 1);
      // Two halves that stand for all chains differ by the root of two errors; as the halves that they are, by two.
      squares += (difference * difference) / (standFor === 'all' ? 2 : 4);
    }
    const mean = meanOf((row) => own[row]!);
    const change = Math.abs(mean - meanOf((row) => halfLength[row]!));
    const release = releaseError(risk, without, (values) => meanOf((row) => values[row]!));
    return [name, { mean, ...joinErrors(Math.max(Math.sqrt(squares / WHOLE_SPLITS), change), release) }];
  });
  return Object.fromEntries(means) as Record<(typeof GROUP_FIGURES)[number], GroupMean>;
}
