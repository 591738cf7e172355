import { join } from 'node:path';
import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { reportRun } from '../../shared/pipeline/report-run.ts';
import { writeManifest } from '../../shared/pipeline/write-manifest.ts';
import { openRun } from '../open-run.ts';

/** `report RUN`: the HTML report again, from a run's files. */
export function addReport(program: Command): void {
  program
    .command('report')
    .description("write the HTML report again, from a run's files")
    .argument('<run>', 'folder of a finished run')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  synthrisk report synthrisk-runs/4f1c0a9b2d3e5f60')
    .action(async (directory: string, { json }: { json?: boolean }) => {
      const { plan, store } = await openRun(directory);
      if (plan.purpose === 'synthesize') {
        throw new InvalidConfigError('nothing-to-report', `The run in ${directory} assessed no risk.`);
      }
      await reportRun(store, plan);
      await writeManifest(store, plan);
      const report = join(directory, 'confidential', 'report.html');
      process.stdout.write(json ? `${JSON.stringify({ report })}\n` : `${report}\n`);
    });
}
