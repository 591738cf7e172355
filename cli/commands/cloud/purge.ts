import type { Command } from 'commander';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { formatQuantity } from '../../../shared/report/words/format-number.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { listRun, purgeRun } from '../../cloud/purge-run.ts';
import { readExecution } from '../../cloud/run-status.ts';

interface PurgeFlags extends CloudFlags {
  readonly yes?: boolean;
  readonly bypassGovernance?: boolean;
}

/** `cloud purge RUN`: deletes a run and what was uploaded for it, with all versions. */
export function addPurge(cloud: Command): void {
  addCloudFlags(cloud.command('purge'))
    .description('delete a run and the tables uploaded for it, with all versions, and prove that they are gone')
    .argument('<run>', 'id of a run')
    .option('--yes', 'delete; without it, what would be deleted is counted and nothing is')
    .option('--bypass-governance', 'also what Object Lock holds in governance mode')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud purge 4f1c0a9b2d3e5f60
  synthrisk cloud purge 4f1c0a9b2d3e5f60 --yes`,
    )
    .action(async (run: string, flags: PurgeFlags) => {
      const runId = requireRunId(run);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const objects = await environment.objects();
      const isRunning = async () => {
        if ((await store.head(runKeys(runId).lock)) === null) return false;
        return (await readExecution(environment, store, runId)).state?.running ?? false;
      };
      const purged = flags.yes ?? false;
      const { uploads, versions } = purged
        ? await purgeRun(objects, store, { runId, isRunning, bypass: flags.bypassGovernance ?? false })
        : await listRun(objects, store, runId);
      const deleteMarkers = versions.filter(({ isMarker }) => isMarker).length;
      const counts = { versions: versions.length - deleteMarkers, deleteMarkers };
      const what = `${formatQuantity(counts.versions, 'version')} and ${formatQuantity(deleteMarkers, 'delete marker')} of the run ${runId} and of ${formatQuantity(uploads.length, 'upload')}`;
      printOutcome(
        { runId, purged, ...counts, uploads },
        [purged ? `Purged: ${what}. A list of all versions finds none.` : `To be purged: ${what}. --yes deletes them for good.`],
        flags,
      );
    });
}
