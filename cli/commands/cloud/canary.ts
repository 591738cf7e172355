import { randomInt, randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { householdTable } from '../../../examples/household-table.ts';
import { uploadKeys } from '../../../shared/contracts/keys.ts';
import { formatDuration } from '../../../shared/report/words/format-duration.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { readRunStatus } from '../../cloud/run-status.ts';
import { statusLine } from '../../cloud/status-line.ts';
import { uploadTable } from '../../cloud/uploads.ts';
import { watchRun } from '../../cloud/watch-run.ts';
import { positiveNumber } from '../../flags/parse-flag.ts';
import { answerInWords } from '../../print/answer-in-words.ts';

interface CanaryFlags extends CloudFlags {
  readonly within: number;
}

/** Enough to go through every step, and no more. */
const SETTINGS = `synthesis: { datasets: 2 }
mcmc: { chains: 2, burnIn: 100, draws: 4, thin: 2, pairedChains: 2, pairedDraws: 4, pairedThin: 1 }
`;
const RECORDS = 300;

/** Invented tables: with as many, none is likely to be that of an earlier canary, whose run would be found finished. */
const TABLES = 2 ** 31;

/** `cloud canary`: one evaluation of an invented table from upload to report, to see that the environment still works. */
export function addCanary(cloud: Command, exit: (code: number) => void): void {
  addCloudFlags(cloud.command('canary'))
    .description('evaluate an invented table from upload to report, to see that the environment works')
    .option('--within <minutes>', 'fail when it has not ended by then; it goes on', positiveNumber, 60)
    .addHelpText(
      'after',
      `
The table is nobody's data: 300 invented households, others each time. Exit code 0 says that upload, chains, batches and report
went through, 3 that they did not, or took longer. It works in the role Submitter; \`cloud purge\` in the role Purger removes what
it leaves, which otherwise expires as the runs of the environment do.

Examples:
  synthrisk cloud canary --environment prod
  synthrisk cloud canary --environment prod --within 30 --json`,
    )
    .action(async (flags: CanaryFlags) => {
      const begin = performance.now();
      const upload = uploadKeys(`incoming/canary-${randomUUID()}/table.csv`)!;
      const environment = await openEnvironment(flags);
      const found = flags.bucket === undefined ? await environment.find() : null;
      const store = await environment.store();
      const announce = (line: string) => void (flags.json || process.stderr.write(line));
      const config = new TextEncoder().encode(SETTINGS);
      const runId = await uploadTable(store, upload, { config, table: householdTable(randomInt(TABLES), RECORDS) }, announce);
      const deadline = begin + flags.within * 60_000;
      const status = await watchRun(() => readRunStatus(environment, store, found, runId), deadline);
      const seconds = (performance.now() - begin) / 1000;
      printOutcome({ ...status, seconds }, [`${statusLine(status)}, after ${formatDuration(seconds)}`], flags);
      if (status.error) process.stderr.write(`Error: ${answerInWords(status.error)}\n`);
      if (status.status === 'running') process.stderr.write(`It has not ended within ${flags.within} minutes, and goes on.\n`);
      exit(status.status === 'finished' ? 0 : 3);
    });
}
