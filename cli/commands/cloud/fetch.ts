import { join } from 'node:path';
import type { Command } from 'commander';
import { formatQuantity } from '../../../shared/report/words/format-number.ts';
import { fetchRun } from '../../cloud/fetch-run.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { usedLine } from '../../cloud/status-line.ts';

interface FetchFlags extends CloudFlags {
  readonly out?: string;
  readonly releaseOnly?: boolean;
  readonly allowUnsigned?: boolean;
}

/** `cloud fetch RUN`: copies the results of a finished run into a folder. */
export function addFetch(cloud: Command): void {
  addCloudFlags(cloud.command('fetch'))
    .description('copy the results of a finished run into a folder, checked against its signed manifest')
    .argument('<run>', 'id of a run')
    .option('--out <dir>', 'folder (default: synthrisk-runs/<runId>)')
    .option('--release-only', 'the synthetic datasets alone, once they are approved, as the role ReleaseReader may read them')
    .option('--allow-unsigned', 'take a manifest that nobody signed, of a run from before there was a key')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud fetch 4f1c0a9b2d3e5f60
  synthrisk cloud fetch 4f1c0a9b2d3e5f60 --release-only --out release-2026`,
    )
    .action(async (run: string, flags: FetchFlags) => {
      const runId = requireRunId(run);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const directory = flags.out ?? join('synthrisk-runs', runId);
      const releaseFor = flags.releaseOnly ? await environment.caller() : null;
      const publicKey = flags.allowUnsigned ? null : await environment.publicKey();
      const fetched = await fetchRun(store, runId, { directory, releaseFor, publicKey });
      printOutcome(
        fetched,
        [
          `${formatQuantity(fetched.files, 'file')} in ${directory}, as the ${fetched.signed ? 'signed' : 'unsigned'} manifest describes them`,
          ...(fetched.used ? [usedLine(fetched.used)] : []),
        ],
        flags,
      );
    });
}
