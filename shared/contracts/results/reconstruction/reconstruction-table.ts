import { double, flag, int32, type ResultTable, VARIABLES } from '../../column.ts';

/** The combinations that somebody would name who knows nothing, in the order of their confidence. */
export interface NamedCombinations {
  readonly names: readonly string[];
  readonly text: (row: number, variable: number) => string | null;
  readonly probability: (row: number) => number;
  readonly confidence: (row: number) => number;
  readonly baseline: (row: number) => number;
  readonly releasedShare: (row: number) => number;
  readonly isInTable: (row: number) => boolean;
}

/** `confidential/reconstruction.csv`. Names of columns are reserved in runs that have it. */
export const RECONSTRUCTION = {
  file: 'reconstruction',
  row: 'one of the 1,000 combinations that an intruder who knows nothing but the release (`knows: nothing`) is most confident of',
  columns: {
    rank: int32('From 1.', (_, row) => row + 1),
    [VARIABLES]: {
      type: 'variables',
      meaning: 'The category of each variable.',
      names: ({ names }) => names,
      value: ({ text }, row, v) => text(row, v),
    },
    probability: double('Probability that a record has it, given the release.', ({ probability }, row) => probability(row)),
    confidence: double('Probability that the table has it, given the release.', ({ confidence }, row) => confidence(row)),
    baseline_confidence: double('Probability that as many people of the baseline have it.', ({ baseline }, row) => baseline(row)),
    released_share: double('Share of the released records that have it.', ({ releasedShare }, row) => releasedShare(row)),
    in_table: flag('Whether a record of the table has it.', ({ isInTable }, row) => isInTable(row)),
  },
} as const satisfies ResultTable<NamedCombinations>;
