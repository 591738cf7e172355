import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { approveRelease, withdrawApproval } from '../../shared/pipeline/release/decide-release.ts';
import { readApproval, requireApproved } from '../../shared/pipeline/release/release-state.ts';
import { addReleaseFlags, type ReleaseFlags, readDecision } from '../flags/release-flags.ts';
import { approvalLines, decisionLines } from '../print/print-release.ts';
import { openRun } from '../run/open-run.ts';

interface Flags extends ReleaseFlags {
  readonly by?: string;
  readonly json?: boolean;
}

/** `release RUN`: approves the release in a run's folder, withdraws that, or says how it stands. */
export function addRelease(program: Command): void {
  addReleaseFlags(program.command('release'))
    .description("approve the release in a run's folder, or withdraw that; release/APPROVED.json says how it stands")
    .argument('<run>', 'folder of a finished run')
    .option('--by <name>', 'who decides (default: the user of this machine)')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60 --approve --by "A. Officer"
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60 --withdraw`,
    )
    .action(async (directory: string, { by, json, ...flags }: Flags) => {
      const wanted = readDecision(flags);
      const { plan, store } = await openRun(directory);
      const { runId } = plan;
      const print = (document: object, lines: readonly string[]) =>
        process.stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : `${lines.join('\n')}\n`);
      if (wanted === null) {
        const approval = await readApproval(store, runId);
        // One that was approved is held to what was approved.
        if (approval?.status === 'approved') await requireApproved(store, runId);
        print({ runId, approval }, approvalLines(runId, approval, []));
        return;
      }
      const decider = { runId, by: by ?? userInfo().username, at: new Date().toISOString() };
      const decision =
        wanted === 'withdraw'
          ? await withdrawApproval(store, decider)
          : await approveRelease(store, { ...decider, reason: flags.despiteRules ?? null });
      print(decision, decisionLines(decision));
    });
}
