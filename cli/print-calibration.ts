import { join } from 'node:path';
import type { StoredCalibration } from '../shared/contracts/calibration.ts';
import type { CarriedOutRun } from './local-run.ts';
import { formatDuration } from './progress.ts';

/** A calibration as lines for a person. */
function calibrationLines({ directory, state }: FinishedCalibration, found: StoredCalibration): string[] {
  const { targets, replicates, datasets, slope, slopeSe } = found;
  const count = replicates === 1 ? '1 replicate' : `${replicates} replicates`;
  const estimate = (value: number, standardError: number) =>
    `${value.toFixed(3)} ± ${standardError.toFixed(3)}`;
  return [
    `${count} of ${targets} targets among ${found.table.records} records, ${datasets} synthetic datasets each`,
    '',
    `Calibration of ${found.estimator}, candidates ${found.candidates} (${found.candidatesPerTarget} for each target)`,
    `  claimed                 ${estimate(found.claimedBits, found.claimedBitsSe)} bits a record`,
    `  achieved                ${estimate(found.achievedBits, found.achievedBitsSe)} bits a record`,
    `  claimed less achieved   ${estimate(found.excessBits, found.excessBitsSe)} bits a record`,
    slope === null || slopeSe === null
      ? `  slope                   undefined: ${found.slopeReason}`
      : `  slope                   ${estimate(slope, slopeSe)} (1 = calibrated, below 1 = overclaims)`,
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
  const text = json
    ? JSON.stringify({ ...found, seconds, peakMemoryMiB }, null, 2)
    : calibrationLines(run, found).join('\n');
  process.stdout.write(`${text}\n`);
}
