import { join } from 'node:path';
import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { reportCalibration } from '../../shared/pipeline/results/report-calibration.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { includeAttack, includeRemedies } from '../run/include-beside.ts';
import { includeCalibration } from '../run/include-calibration.ts';
import { openRun } from '../run/open-run.ts';

interface ReportFlags {
  readonly calibration?: string;
  readonly attack?: string;
  readonly remedies?: string;
  readonly json?: boolean;
}

/** `report RUN`: the HTML report again, from a run's files, with what other commands found of it where that is named. */
export function addReport(program: Command): void {
  program
    .command('report')
    .description("write the HTML report again, from a run's files")
    .argument('<run>', 'folder of a finished run')
    .option('--calibration <dir>', 'folder of a `calibrate` run of the same table and settings, to include')
    .option('--attack <dir>', 'folder of `attack` on this release: what other tools measure, to include')
    .option(
      '--remedies <dir>',
      'folder of `remedies` of this run: what was tried to lower its risk, to include',
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --calibration synthrisk-runs/77d0e2c41b9a8f35
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --remedies synthrisk-runs/4f1c0a9b2d3e5f60-remedies`,
    )
    .action(async (directory: string, { calibration, attack, remedies, json }: ReportFlags) => {
      const run = await openRun(directory);
      const { plan, store } = run;
      const calibrated = plan.purpose === 'calibrate';
      const includes = calibration !== undefined || attack !== undefined || remedies !== undefined;
      if (plan.purpose === 'synthesize' || (calibrated && includes)) {
        throw new InvalidConfigError('nothing-to-report', `The run in ${directory} assessed no risk.`);
      }
      if (calibration !== undefined) await includeCalibration(run, calibration);
      if (attack !== undefined) await includeAttack(run, attack);
      if (remedies !== undefined) await includeRemedies(run, remedies);
      await (calibrated ? reportCalibration : reportRun)(store, plan);
      await writeManifest(store, plan);
      const report = join(directory, 'confidential', calibrated ? 'calibration.html' : 'report.html');
      process.stdout.write(json ? `${JSON.stringify({ report })}\n` : `${report}\n`);
    });
}
