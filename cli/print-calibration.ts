import { join } from 'node:path';
import type { StoredCalibration } from '../shared/contracts/calibration.ts';
import { formatEstimate, formatQuantity } from '../shared/report/format-number.ts';
import type { CarriedOutRun } from './local-run.ts';
import { formatDuration } from './progress.ts';
import { writeLines } from './write-lines.ts';

/** A calibration as lines for a person. */
function calibrationLines({ directory, state }: FinishedCalibration, found: StoredCalibration): string[] {
  const { targets, replicates, datasets, slope, slopeSe } = found;
  return [
    `${formatQuantity(replicates, 'replicate')} of ${formatQuantity(targets, 'target')} among ${formatQuantity(found.table.records, 'record')}, ${formatQuantity(datasets, 'synthetic dataset')} each`,
    '',
    `Calibration of ${found.estimator}, candidates ${found.candidates} (${found.candidatesPerTarget} for each target)`,
    `  claimed                 ${formatEstimate(found.claimedBits, found.claimedBitsSe)} bits a record`,
    `  achieved                ${formatEstimate(found.achievedBits, found.achievedBitsSe)} bits a record`,
    `  claimed less achieved   ${formatEstimate(found.excessBits, found.excessBitsSe)} bits a record`,
    slope === null || slopeSe === null
      ? `  slope                   undefined: ${found.slopeReason}`
      : `  slope                   ${formatEstimate(slope, slopeSe)} (1 = calibrated, below 1 = overclaims)`,
    '',
    found.verdict.message,
    ...found.warnings.flatMap(({ code, message }) => ['', `Warning (${code}): ${message}`]),
    '',
    `${formatDuration(state.seconds.total)} minutes, ${Math.round(state.peakMemoryMiB)} MiB at most`,
    `Confidential report:  ${join(directory, 'confidential', 'calibration.html')}`,
  ];
}

type FinishedCalibration = Pick<CarriedOutRun, 'directory' | 'state'>;

/** Prints what a calibration found: its file as JSON with seconds and memory, or lines for a person. */
export function printCalibration(run: FinishedCalibration, found: StoredCalibration, json: boolean): void {
  const { seconds, peakMemoryMiB } = run.state;
  if (json) process.stdout.write(`${JSON.stringify({ ...found, seconds, peakMemoryMiB }, null, 2)}\n`);
  else writeLines(calibrationLines(run, found));
}
