import type { Command } from 'commander';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { approveRelease, withdrawApproval } from '../../../shared/pipeline/release/decide-release.ts';
import { readApproval, readFetches } from '../../../shared/pipeline/release/release-state.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { requireRunState } from '../../cloud/run-status.ts';
import { verifyManifest } from '../../cloud/verify-manifest.ts';
import { addReleaseFlags, type ReleaseFlags, readDecision } from '../../flags/release-flags.ts';
import { approvalLines, decisionLines } from '../../print/print-release.ts';

/** `cloud release RUN`: approves the release of a run, withdraws that, or says how it stands. */
export function addRelease(cloud: Command): void {
  addReleaseFlags(addCloudFlags(cloud.command('release')))
    .description('approve the release of a finished run, or withdraw that; readers of releases see approved ones alone')
    .argument('<run>', 'id of a run')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud release 4f1c0a9b2d3e5f60
  synthrisk cloud release 4f1c0a9b2d3e5f60 --approve
  synthrisk cloud release 4f1c0a9b2d3e5f60 --approve --despite-rules "the rule is of the wrong scenario"
  synthrisk cloud release 4f1c0a9b2d3e5f60 --withdraw`,
    )
    .action(async (run: string, flags: CloudFlags & ReleaseFlags) => {
      const runId = requireRunId(run);
      const wanted = readDecision(flags);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const { status } = await requireRunState(store, runId);
      if (wanted === null) {
        const [approval, notes] = [await readApproval(store, runId), await readFetches(store, runId)];
        printOutcome({ runId, approval, ...notes }, approvalLines(runId, approval, notes), flags);
        return;
      }
      const objects = await environment.objects();
      const decider = { runId, by: await environment.caller(), at: new Date().toISOString() };
      if (wanted === 'withdraw') {
        const decision = await withdrawApproval(store, decider, objects);
        printOutcome(decision, decisionLines(decision), flags);
        return;
      }
      if (status !== 'finished') {
        throw new InvalidConfigError('unfinished-run', `The run ${runId} has not finished.`);
      }
      const keys = runKeys(runId);
      const publicKey = await environment.publicKey();
      for (const listed of [keys.confidential, keys]) await verifyManifest(store, { ...listed, runId }, publicKey);
      const reason = flags.despiteRules ?? null;
      const decision = await approveRelease(store, { ...decider, reason }, objects);
      printOutcome(decision, decisionLines(decision), flags);
    });
}
