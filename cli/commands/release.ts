import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parseArtifact } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { requireFinished } from '../../shared/pipeline/life/finished-run.ts';
import { approveRelease, withdrawApproval } from '../../shared/pipeline/release/decide-release.ts';
import { verifyRelease } from '../../shared/pipeline/release/release-state.ts';
import { verifiedLines } from '../../shared/report/words/release-in-words.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { personName } from '../flags/parse-flag.ts';
import { addReleaseFlags, type ReleaseFlags, readDecision } from '../flags/release-flags.ts';
import { decisionLines } from '../print/print-release.ts';
import { writeLines } from '../print/write-lines.ts';
import { readFolderState } from '../run/open-run.ts';

interface Flags extends ReleaseFlags {
  readonly json?: boolean;
}

/**
 * The run whose release lies in a folder, which has to have finished. To look at it the manifest is enough: whoever was sent a
 * release may have nothing else of the run.
 */
async function releasedRun(directory: string, isLooked: boolean): Promise<string> {
  const manifest = join(directory, 'manifest.json');
  if (isLooked && existsSync(manifest) && !existsSync(join(directory, 'run.json'))) {
    return parseArtifact(await readFile(manifest), manifest, manifestSchema).runId;
  }
  const state = await readFolderState(directory);
  requireFinished(state, directory);
  return state.runId;
}

/** `release RUN`: approves the release in a run's folder, withdraws that, or says how it stands. */
export function addRelease(program: Command): void {
  addReleaseFlags(program.command('release'))
    .description("approve the release in a run's folder, or withdraw that; release/APPROVED.json says how it stands")
    .argument('<run>', 'folder of a finished run')
    .option('--by <name>', 'who decides (default: the user of this machine)', personName)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60 --approve --by "A. Officer"
  synthrisk release synthrisk-runs/4f1c0a9b2d3e5f60 --withdraw`,
    )
    .action(async (directory: string, { json, ...flags }: Flags) => {
      const wanted = readDecision(flags);
      const runId = await releasedRun(directory, wanted === null);
      const store = new FileStore(directory, runKeys(runId).root);
      const print = (document: object, lines: readonly string[]) => {
        if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
        else writeLines(lines);
      };
      if (wanted === null) {
        const verified = await verifyRelease(store, runId);
        print(verified, verifiedLines(verified));
        return;
      }
      const decider = { runId, by: flags.by ?? userInfo().username, at: new Date().toISOString() };
      const decision =
        wanted === 'withdraw'
          ? await withdrawApproval(store, decider)
          : await approveRelease(store, { ...decider, reason: flags.despiteRules ?? null });
      print(decision, decisionLines(decision));
    });
}
