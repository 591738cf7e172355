import { join } from 'node:path';
import type { StoredCalibration } from '../../shared/contracts/results/calibration.ts';
import { namedCalibrationGroups } from '../../shared/report/words/calibration-groups-in-words.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatEstimate, formatMemory, formatPercentEstimate, formatQuantity } from '../../shared/report/words/format-number.ts';
import type { CarriedOutRun } from '../run/local-run.ts';
import { type Printing, writeFindings } from './write-lines.ts';

/** A calibration as lines for a person. */
function calibrationLines({ directory, state }: FinishedCalibration, found: StoredCalibration): string[] {
  const { targets, replicates, datasets, slope, slopeSe } = found;
  return [
    found.verdict.message,
    '',
    `${formatQuantity(replicates, 'replicate')} of ${formatQuantity(targets, 'target')} among ${formatQuantity(found.table.records, 'record')}, ${formatQuantity(datasets, 'synthetic dataset')} each`,
    '',
    `Calibration of ${found.estimator}, candidates ${found.candidates} (${found.candidatesPerTarget} for each target)`,
    `  claimed                 ${formatEstimate(found.claimedBits, found.claimedBitsSe)} bits a record`,
    `  achieved                ${formatEstimate(found.achievedBits, found.achievedBitsSe)} bits a record`,
    `  claimed less achieved   ${formatEstimate(found.excessBits, found.excessBitsSe)} bits a record`,
    slope === null || slopeSe === null
      ? `  slope                   undefined: ${found.slopeReason}`
      : `  slope                   ${formatEstimate(slope, slopeSe)} (1 = calibrated, below 1 = overclaims)`,
    ...groupLines(found),
    ...found.warnings.flatMap(({ code, message }) => ['', `Warning (${code}): ${message}`]),
    '',
    `${formatDuration(state.seconds.total)}, ${formatMemory(state.peakMemoryMiB)} of memory at most`,
    `Confidential report:  ${join(directory, 'confidential', 'calibration.html')}`,
  ];
}

/** A table of the groups of targets that are judged by themselves. */
function groupLines(found: StoredCalibration): string[] {
  const rows = namedCalibrationGroups(found).map(([name, group]) => [
    name,
    formatEstimate(group.claimedBits, group.claimedBitsSe),
    formatEstimate(group.achievedBits, group.achievedBitsSe),
    formatEstimate(group.excessBits, group.excessBitsSe),
    formatPercentEstimate(group.firstGuessClaimed, group.firstGuessClaimedSe),
    formatPercentEstimate(group.firstGuessRight, group.firstGuessRightSe),
  ]);
  const reason = found.groupsReason === undefined ? [] : [`  (${found.groupsReason})`];
  if (rows.length === 0) return reason;
  const table = [['', 'claimed', 'achieved', 'less achieved', 'first guess', 'is right'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return [
    '',
    'By what is claimed for the targets, and for records that were unique (bits a record)',
    ...table.map(
      (row) => `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`,
    ),
    ...reason,
  ];
}

type FinishedCalibration = Pick<CarriedOutRun, 'directory' | 'state'>;

/** Prints what a calibration found: its file as JSON with seconds and memory, or lines for a person. */
export function printCalibration(run: FinishedCalibration, found: StoredCalibration, printing: Printing): void {
  const { seconds, peakMemoryMiB } = run.state;
  if (printing.json) process.stdout.write(`${JSON.stringify({ ...found, seconds, peakMemoryMiB }, null, 2)}\n`);
  else writeFindings(calibrationLines(run, found), printing);
}
