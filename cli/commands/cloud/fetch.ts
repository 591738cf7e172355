import { join } from 'node:path';
import type { Command } from 'commander';
import { fetchRun } from '../../cloud/fetch-run.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { usedLine } from '../../cloud/used-line.ts';

interface FetchFlags extends CloudFlags {
  readonly out?: string;
  readonly releaseOnly?: boolean;
}

/** `cloud fetch RUN`: copies the results of a finished run into a folder. */
export function addFetch(cloud: Command): void {
  addCloudFlags(cloud.command('fetch'))
    .description('copy the results of a finished run into a folder, checked against its manifest')
    .argument('<run>', 'id of a run')
    .option('--out <dir>', 'folder (default: synthrisk-runs/<runId>)')
    .option('--release-only', 'the synthetic datasets alone, as the role ReleaseReader may read them')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud fetch 4f1c0a9b2d3e5f60
  synthrisk cloud fetch 4f1c0a9b2d3e5f60 --release-only --out release-2026`,
    )
    .action(async (run: string, flags: FetchFlags) => {
      const runId = requireRunId(run);
      const store = await (await openEnvironment(flags)).store();
      const directory = flags.out ?? join('synthrisk-runs', runId);
      const fetched = await fetchRun(store, runId, { directory, releaseOnly: flags.releaseOnly ?? false });
      printOutcome(
        fetched,
        [
          `${fetched.files} files in ${directory}, as the manifest describes them`,
          ...(fetched.used ? [usedLine(fetched.used)] : []),
        ],
        flags,
      );
    });
}
