import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { RunConflictError, ServiceError } from '../../../shared/contracts/errors.ts';
import { VERSION } from '../../../shared/contracts/version.ts';
import type { Store } from '../../../shared/storage/store.ts';
import type { AwsEnvironment } from '../../cloud/aws-environment.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { readExecution, requireRunState } from '../../cloud/run-status.ts';
import { dollarAmount } from '../../flags/parse-flag.ts';

const POLL_MILLISECONDS = 2_000;

/**
 * Waits until an execution holds the run: until then, whoever asks for its status would hear of the one before. Throws
 * ServiceError when the execution ends before.
 */
async function awaitHolder(environment: AwsEnvironment, store: Store, runId: string, arn: string) {
  for (;;) {
    const state = await environment.execution(arn);
    if ((await readExecution(environment, store, runId)).arn === arn) return;
    if (!state?.running) {
      const { name = 'Unknown', cause = '' } = state?.error ?? {};
      throw new ServiceError(name, `The execution ended before it could go on with the run. ${cause}`);
    }
    await setTimeout(POLL_MILLISECONDS);
  }
}

interface ResumeFlags extends CloudFlags {
  readonly budget?: number;
}

/** `cloud resume RUN`: goes on with a run that failed or was stopped. */
export function addResume(cloud: Command): void {
  addCloudFlags(cloud.command('resume'))
    .description('go on with a run that failed or was stopped; only what is missing is done')
    .argument('<run>', 'id of a run')
    .option('--budget <dollars>', 'what the run may cost, all told, in place of what it was given', dollarAmount)
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud resume 4f1c0a9b2d3e5f60
  synthrisk cloud resume 4f1c0a9b2d3e5f60 --budget 40
  synthrisk cloud resume 4f1c0a9b2d3e5f60 && synthrisk cloud status 4f1c0a9b2d3e5f60 --wait`,
    )
    .action(async (run: string, flags: ResumeFlags) => {
      const runId = requireRunId(run);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const { status, version } = await requireRunState(store, runId);
      if (status === 'finished') {
        throw new RunConflictError('finished-run', `The run ${runId} has finished: fetch its results.`);
      }
      const { arn, state: last } = await readExecution(environment, store, runId);
      if (last?.running) {
        throw new RunConflictError(
          'already-running',
          `The run ${runId} is under way: \`synthrisk cloud status ${runId} --wait\` waits for its end.`,
        );
      }
      const input = {
        runId,
        resume: true,
        // Of two who do this at once, one goes on with the run. The code of an earlier version would refuse the word.
        ...(version === VERSION ? { after: arn } : {}),
        ...(flags.budget === undefined ? {} : { budgetDollars: flags.budget }),
      };
      // With the code that the run began with, also after a deployment.
      const started = await environment.start(input, last?.workflowVersion);
      await awaitHolder(environment, store, runId, started);
      printOutcome({ runId, execution: started }, [`Run ${runId}: goes on`], flags);
    });
}
