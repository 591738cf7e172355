import type { Command } from 'commander';
import { RunConflictError } from '../../../shared/contracts/errors.ts';
import { noteEnd } from '../../../shared/pipeline/life/run-state.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { readExecution, requireRunState } from '../../cloud/run-status.ts';

/** `cloud cancel RUN`: stops a run; what it has stored stays. */
export function addCancel(cloud: Command): void {
  addCloudFlags(cloud.command('cancel'))
    .description('stop a run; what it has done stays, and `cloud resume` goes on with it')
    .argument('<run>', 'id of a run')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud cancel 4f1c0a9b2d3e5f60`,
    )
    .action(async (run: string, flags: CloudFlags) => {
      const runId = requireRunId(run);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      await requireRunState(store, runId);
      const { arn, state } = await readExecution(environment, store, runId);
      if (!state?.running) {
        throw new RunConflictError('not-running', `The run ${runId} is not under way: there is nothing to stop.`);
      }
      await environment.stop(arn);
      // Its last step may have finished the run in the meantime.
      await noteEnd(store, runId, { status: 'interrupted' }, ['running']);
      printOutcome({ runId, status: 'interrupted' }, [`Run ${runId}: stopped`], flags);
    });
}
