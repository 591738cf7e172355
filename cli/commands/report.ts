import { join } from 'node:path';
import type { Command } from 'commander';
import { writeNames } from '../../shared/artifacts/report-heading.ts';
import { readRunKey } from '../../shared/artifacts/stored-keys.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { sameKey } from '../../shared/contracts/secret-key.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { publishRun } from '../../shared/pipeline/public/publish-summary.ts';
import { holdResults } from '../../shared/pipeline/release/release-state.ts';
import { reportCalibration } from '../../shared/pipeline/results/calibrate-run.ts';
import { reportEvidence } from '../../shared/pipeline/results/report-evidence.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { flagSettings } from '../flags/flag-settings.ts';
import { addReportFlags, type RunFlags } from '../flags/run-flags.ts';
import { includeAttack, includeRemedies } from '../run/include-beside.ts';
import { includeCalibration } from '../run/include-calibration.ts';
import { type OpenedRun, openRun } from '../run/open-run.ts';
import { readReleaseKey } from '../run/read-config.ts';

interface ReportFlags extends Pick<RunFlags, 'tableName' | 'by'> {
  readonly calibration?: string;
  readonly attack?: string;
  readonly remedies?: string;
  readonly public?: boolean;
  readonly evidence?: boolean;
  readonly releaseKey?: string;
  readonly json?: boolean;
}

/** `report RUN`: the HTML report again, from a run's files, with what other commands found of it where that is named. */
export function addReport(program: Command): void {
  const command = program
    .command('report')
    .description("write the HTML report again, from a run's files")
    .argument('<run>', 'folder of a finished run')
    .option('--calibration <dir>', 'folder of a `calibrate` run of the same table and settings, to include')
    .option('--attack <dir>', 'folder of `attack` on this release: what other tools measure, to include')
    .option('--remedies <dir>', 'folder of `remedies` of this run: what was tried to lower its risk, to include')
    .option('--public', 'write the page that anybody may read: confidential/public.html and public.json')
    .option('--evidence', 'write the evidence pack for an approval: confidential/evidence.html and evidence.docx')
    .option('--release-key <file>', 'with --public, of a run that has left its release key elsewhere')
    .option('--json', 'one JSON document on standard output');
  addReportFlags(command)
    .addHelpText(
      'after',
      `
Examples:
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --calibration synthrisk-runs/77d0e2c41b9a8f35
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --remedies synthrisk-runs/4f1c0a9b2d3e5f60-remedies
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --table-name "Household survey 2026" --by "A. Officer"
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --public
  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60 --evidence`,
    )
    .action(async (directory: string, flags: ReportFlags) => {
      const { calibration, attack, remedies, json } = flags;
      const run = await openRun(directory);
      await holdResults(run.store, run.plan.runId);
      if (flags.public && flags.evidence) {
        throw new InvalidConfigError(
          'public-evidence',
          'Write the public page and the evidence pack in two calls: the pack is confidential.',
        );
      }
      const { report: names } = completeConfig(flagSettings(flags, undefined));
      if (names && (flags.public || flags.evidence)) {
        throw new InvalidConfigError(
          'names-in-report',
          'Name the table and who ran it in a call of its own: the report and later evidence packs then have the names, and the public page never.',
        );
      }
      if (flags.public) return publish(run, directory, flags);
      if (flags.releaseKey !== undefined) {
        throw new InvalidConfigError('without-public', 'The release key is of use with --public alone.');
      }
      const { plan, store } = run;
      const calibrated = plan.purpose === 'calibrate';
      const includes = [calibration, attack, remedies, names].some((given) => given !== undefined);
      if (plan.purpose === 'synthesize' || (calibrated && includes)) {
        throw new InvalidConfigError('nothing-to-report', `The run in ${directory} assessed no risk.`);
      }
      if (calibration !== undefined) await includeCalibration(run, calibration);
      if (attack !== undefined) await includeAttack(run, attack);
      if (remedies !== undefined) await includeRemedies(run, remedies);
      if (names) await writeNames(store, plan, names);
      if (flags.evidence) return packEvidence(run, directory, json ?? false);
      await (calibrated ? reportCalibration : reportRun)(store, plan);
      await writeManifest(store, plan);
      const report = join(directory, 'confidential', calibrated ? 'calibration.html' : 'report.html');
      process.stdout.write(json ? `${JSON.stringify({ report })}\n` : `${report}\n`);
    });
}

/** Writes the evidence pack, and says where it is. */
async function packEvidence({ plan, store }: OpenedRun, directory: string, json: boolean): Promise<void> {
  if (plan.purpose !== 'evaluate' && plan.purpose !== 'assess') {
    throw new InvalidConfigError('nothing-to-report', `The run in ${directory} assessed no risk.`);
  }
  await reportEvidence(store, plan);
  await writeManifest(store, plan);
  const [page, document] = ['evidence.html', 'evidence.docx'].map((name) => join(directory, 'confidential', name));
  process.stdout.write(json ? `${JSON.stringify({ page, document })}\n` : `${page}\n${document}\n`);
}

/** Writes the page that anybody may read, and tells where it is. */
async function publish(run: OpenedRun, directory: string, flags: ReportFlags): Promise<void> {
  const { plan, store } = run;
  if (plan.purpose !== 'evaluate' && plan.purpose !== 'assess') {
    throw new InvalidConfigError('nothing-to-report', `The run in ${directory} assessed no risk.`);
  }
  const beside = (['calibration', 'attack', 'remedies'] as const).find((flag) => flags[flag] !== undefined);
  if (beside !== undefined) {
    throw new InvalidConfigError(`public-${beside}`, `The public page has no --${beside}: name it in another call.`);
  }
  await publishRun(store, plan, await keyOf(run, flags.releaseKey));
  await writeManifest(store, plan);
  const [page, document] = ['public.html', 'public.json'].map((name) => join(directory, 'confidential', name));
  process.stdout.write(flags.json ? `${JSON.stringify({ page, document })}\n` : `${page}\n`);
}

/** The release key of a run, from its folder or from a file. */
async function keyOf({ store, plan }: OpenedRun, file: string | undefined): Promise<Uint8Array> {
  const stored = await readRunKey(store, plan.runId);
  const given = await readReleaseKey(file);
  if (stored !== null && given !== undefined && !sameKey(stored, given)) {
    throw new InvalidConfigError('other-release-key', 'The run has another release key than this file.');
  }
  const key = stored ?? given;
  if (key === undefined) {
    throw new InvalidConfigError(
      'no-release-key',
      'The noise of the public page is drawn from the release key, which is not in this folder: name its file with --release-key.',
    );
  }
  return key;
}
