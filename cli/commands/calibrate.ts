import type { Command } from 'commander';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { calibrationSchema, type StoredCalibration } from '../../shared/contracts/results/calibration.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import type { PlannedRun } from '../../shared/pipeline/plan/planned-run.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';
import { flagSettings } from '../flags/flag-settings.ts';
import { addRiskFlags } from '../flags/risk-flags.ts';
import { addCalibrationFlags, addCommonFlags, addModelFlags, addSynthesisFlags, type RunFlags } from '../flags/run-flags.ts';
import { printCalibration } from '../print/print-calibration.ts';
import { inTerminal } from '../print/write-lines.ts';
import { carryOut } from '../run/local-run.ts';
import { readConfig } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

/** What a calibration will take, for a person who waits: replicates take equally long. */
function announce({ replicates, plan }: PlannedRun, jobs: number): string {
  const first = replicates[0]!;
  const { minutes, diskMiB } = estimateRun(first, jobs);
  const count = replicates.length;
  const targets = plan.batches.at(-1)!.to;
  return inTerminal(
    `${formatQuantity(count, 'replicate')} of ${formatQuantity(targets, 'target')}: about ${formatDuration(60 * minutes * count)} with ${formatQuantity(jobs, 'job')}, and ${formatMemory(diskMiB * count)} of disk`,
  );
}

/** `calibrate TABLE`: whether the risk estimate achieves on this table what it claims. */
export function addCalibrate(program: Command): void {
  const command = program
    .command('calibrate')
    .description('whether the risk estimate achieves on this table what it claims (proper scoring)')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addRiskFlags(addSynthesisFlags(addModelFlags(addCalibrationFlags(addCommonFlags(command)))))
    .addHelpText(
      'after',
      `
Each replicate replaces targets of the table by random members of their candidate sets, runs the synthesizer and the
estimator on that table, and sees how much probability the estimate gives to the true values.

Examples:
  synthrisk calibrate table.csv
  synthrisk calibrate table.csv --targets 500 --replicates 6 --jobs 8
  synthrisk calibrate --config run.yaml --out runs/calibration --json
  synthrisk calibrate table.csv --slope 0.85 --seed 2          a slope that was found, on other targets
  synthrisk report runs/first --calibration runs/calibration   its section in the report of a run`,
    )
    .action(async (table: string | undefined, flags: RunFlags) => {
      const calibration = { targets: flags.targets, replicates: flags.replicates };
      const config = await readConfig(flags.config, { ...flagSettings(flags, table), calibration });
      const { store, ...run } = await carryOut(
        { purpose: 'calibrate', config, ...(await readRunFiles(config)), ...(flags.batchSize ? { batchSize: flags.batchSize } : {}) },
        { ...flags, resume: flags.resume ?? false, quiet: flags.quiet ?? false, announce },
      );
      const key = runKeys(run.state.runId).confidential.calibration;
      const found: StoredCalibration = await readJson(store, key, calibrationSchema);
      printCalibration(run, found, flags);
    });
}
