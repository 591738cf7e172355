import { double, flag, int32, type ResultTable, text } from '../../column.ts';
import type { Tolerance } from '../../continuous.ts';

/** Numbers that a row of {@link CONTINUOUS_RISK} shows as they are. */
export type ContinuousNumber =
  | `${'within' | 'crps' | 'low' | 'high' | 'median'}${'Before' | 'After'}`
  | 'withinSe'
  | 'gainBits'
  | 'claimedBits';

/**
 * What is known of each continuous variable of each record under a scenario: a row is a variable of a record. Values are found when they are
 * asked for.
 */
export interface ContinuousRows {
  readonly rows: number;
  readonly scenario: string;
  /** The record, from 1. */
  readonly recordOf: (row: number) => number;
  readonly variableOf: (row: number) => string;
  /** The true value. */
  readonly truthOf: (row: number) => number;
  readonly figure: (row: number, name: ContinuousNumber) => number;
}

/** How near is near, in words. */
export const toleranceInWords = (within: Tolerance): string =>
  'share' in within ? `within ${Number((100 * within.share).toPrecision(6))} %` : `within ${within.amount}`;

/** True for a value that the release discloses: near it with more than one half, and not before. */
export const isDisclosed = (withinBefore: number, withinAfter: number): boolean => withinBefore <= 0.5 && withinAfter > 0.5;

const figure = (name: ContinuousNumber) => (of: ContinuousRows, row: number) => of.figure(row, name);

/** `confidential/continuous-risk.csv`. */
export const CONTINUOUS_RISK = {
  file: 'continuous-risk',
  row: 'a continuous variable of a record',
  columns: {
    record: int32('Number from 1.', ({ recordOf }, row) => recordOf(row)),
    variable: text('The variable.', ({ variableOf }, row) => variableOf(row)),
    value: double('Its true value.', ({ truthOf }, row) => truthOf(row)),
    within_before: double('Probability near the true value without the release: within 10 %, or what is declared.', figure('withinBefore')),
    within_after: double('The same with it.', figure('withinAfter')),
    within_se: double('Monte Carlo standard error of that.', figure('withinSe')),
    interval_low_before: double('Lower end of the central 90 % interval without the release.', figure('lowBefore')),
    interval_high_before: double('Upper end.', figure('highBefore')),
    median_before: double('Median without the release.', figure('medianBefore')),
    interval_low_after: double('The same with it.', figure('lowAfter')),
    interval_high_after: double('Upper end.', figure('highAfter')),
    median_after: double('The same with it.', figure('medianAfter')),
    crps_before: double('Continuous ranked probability score without the release, in the variable’s units.', figure('crpsBefore')),
    crps_after: double('The same with it.', figure('crpsAfter')),
    gain_bits: double('log2 of the density at the true value after over before.', figure('gainBits')),
    claimed_bits: double('The gain that the estimate itself expects.', figure('claimedBits')),
    given_away: flag('Whether `within_after`, not `within_before`, is above 0.5.', (of, row) =>
      isDisclosed(of.figure(row, 'withinBefore'), of.figure(row, 'withinAfter')),
    ),
    scenario: text('Name of the scenario.', ({ scenario }) => scenario),
  },
} satisfies ResultTable<ContinuousRows>;
