import type { Command } from 'commander';
import { runIdSchema } from '../../../shared/contracts/cloud/workflow.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { formatQuantity } from '../../../shared/report/words/format-number.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { purgeRun, purgeUpload, requireRun, requireUpload } from '../../cloud/purge-run.ts';
import { readExecution } from '../../cloud/run-status.ts';

interface PurgeFlags extends CloudFlags {
  readonly yes?: boolean;
  readonly bypassGovernance?: boolean;
}

/** `cloud purge RUN`: deletes a run and what was uploaded for it, with all versions. */
export function addPurge(cloud: Command): void {
  addCloudFlags(cloud.command('purge'))
    .description('delete a run and the tables uploaded for it, with all versions, and prove that they are gone')
    .argument('<run>', 'id of a run, or name of an upload that came to none')
    .option('--yes', 'delete; without it, what would be deleted is counted and nothing is')
    .option('--bypass-governance', 'also what Object Lock holds in governance mode')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud purge 4f1c0a9b2d3e5f60
  synthrisk cloud purge 4f1c0a9b2d3e5f60 --yes
  synthrisk cloud purge survey-2026 --yes`,
    )
    .action(async (run: string, flags: PurgeFlags) => {
      const isUpload = !runIdSchema.safeParse(run).success && /^[^/]+(\/[^/]+)*$/.test(run);
      const runId = isUpload ? run : requireRunId(run);
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const objects = await environment.objects();
      const isRunning = async () => {
        if ((await store.head(runKeys(runId).lock)) === null) return false;
        return (await readExecution(environment, store, runId)).state?.running ?? false;
      };
      const purged = flags.yes ?? false;
      const bypass = flags.bypassGovernance ?? false;
      const ofUpload = async () => ({
        uploads: [run],
        versions: purged ? await purgeUpload(objects, store, { name: run, bypass }) : await requireUpload(objects, store, run),
      });
      const ofRun = () => (purged ? purgeRun(objects, store, { runId, isRunning, bypass }) : requireRun(objects, store, runId));
      const { uploads, versions } = await (isUpload ? ofUpload() : ofRun());
      const deleteMarkers = versions.filter(({ isMarker }) => isMarker).length;
      const counts = { versions: versions.length - deleteMarkers, deleteMarkers };
      const whose = isUpload
        ? `the upload ${run}, which came to no run`
        : `the run ${runId} and of ${formatQuantity(uploads.length, 'upload')}`;
      const what = `${formatQuantity(counts.versions, 'version')} and ${formatQuantity(deleteMarkers, 'delete marker')} of ${whose}`;
      printOutcome(
        { runId: isUpload ? null : runId, purged, ...counts, uploads },
        [purged ? `Purged: ${what}. A list of all versions finds none.` : `To be purged: ${what}. --yes deletes them for good.`],
        flags,
      );
    });
}
