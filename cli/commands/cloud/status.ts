import type { Command } from 'commander';
import { runIdSchema, type UploadOutcome } from '../../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { outcomeKey } from '../../../shared/contracts/keys.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { readRunStatus } from '../../cloud/run-status.ts';
import { statusLine } from '../../cloud/status-line.ts';
import { awaitUploadOutcome, readUploadOutcome } from '../../cloud/uploads.ts';
import { watchRun } from '../../cloud/watch-run.ts';
import { answerInWords } from '../../print/answer-in-words.ts';

interface StatusFlags extends CloudFlags {
  readonly wait?: boolean;
}

/**
 * What became of the upload of this name: the table itself is not looked for, since that would tell its size. Throws
 * InvalidConfigError when nothing has yet, or there is none.
 */
async function outcomeOf(store: Store, name: string, wait: boolean): Promise<UploadOutcome> {
  const key = outcomeKey(`incoming/${name}/table.csv`);
  if (key === null) {
    throw new InvalidConfigError(
      'malformed-name',
      `No upload can have the name "${name}". A table is uploaded as incoming/<name>/table.csv, with a name that does not begin with a dot.`,
    );
  }
  const outcome = await readUploadOutcome(store, { outcome: key });
  if (outcome !== null) return outcome;
  if (wait) {
    process.stderr.write(`Nothing has become of an upload of the name ${name} yet: waiting for its run\n`);
    return awaitUploadOutcome(store, { outcome: key });
  }
  throw new InvalidConfigError(
    'no-outcome',
    `No run has the id ${name}, and nothing has become of an upload of that name. Where its run has yet to begin: --wait.`,
  );
}

/** `cloud status RUN`: how a run is doing; with `--wait`, until it has ended. */
export function addStatus(cloud: Command, exit: (code: number) => void): void {
  addCloudFlags(cloud.command('status'))
    .description('how a run is doing: chains and batches done, time left, what its compute has cost')
    .argument('<run>', 'id of a run, or name of an upload')
    .option('--wait', 'show it until the run has ended; exit code 3 when it failed, 130 when it was stopped')
    .addHelpText(
      'after',
      `
What it has cost is a bound, at list prices, on the compute alone. With --bucket the environment is not looked up, and
the bound is left out.

Examples:
  synthrisk cloud status 4f1c0a9b2d3e5f60
  synthrisk cloud status 4f1c0a9b2d3e5f60 --wait && synthrisk cloud fetch 4f1c0a9b2d3e5f60
  synthrisk cloud status survey-2026 --environment prod --json`,
    )
    .action(async (run: string, flags: StatusFlags) => {
      const environment = await openEnvironment(flags);
      const found = flags.bucket === undefined ? await environment.find() : null;
      const store = await environment.store();
      const outcome = runIdSchema.safeParse(run).success ? { runId: run } : await outcomeOf(store, run, flags.wait ?? false);
      for (const one of 'earlier' in outcome ? (outcome.earlier ?? []) : []) {
        const became = 'runId' in one ? `the run ${one.runId}` : `refused: ${answerInWords(one.error)}`;
        process.stderr.write(`An earlier table of this name: ${became}\n`);
      }
      if ('error' in outcome) {
        const { error } = outcome;
        printOutcome({ upload: run, status: 'failed', error }, [`Upload ${run}: refused`], flags);
        process.stderr.write(`Error: ${answerInWords(error)}\n`);
        exit(flags.wait ? 3 : 0);
        return;
      }
      const read = () => readRunStatus(environment, store, found, outcome.runId);
      const status = flags.wait ? await watchRun(read) : await read();
      printOutcome(status, [statusLine(status)], flags);
      if (status.error) process.stderr.write(`Error: ${answerInWords(status.error)}\n`);
      if (status.status === 'interrupted') {
        process.stderr.write(`Stopped, or out of time. synthrisk cloud resume ${status.runId} goes on with it.\n`);
      }
      if (flags.wait) exit({ finished: 0, failed: 3, interrupted: 130, running: 0 }[status.status]);
    });
}
