import type { Command } from 'commander';
import { chooseReleaseKey, obtainPlaceKey } from '../../../shared/artifacts/stored-keys.ts';
import { newRunState, readRunState, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { addEvaluationFlags } from '../../flags/evaluation-flags.ts';
import { flagSettings, withStarter } from '../../flags/flag-settings.ts';
import type { RunFlags } from '../../flags/run-flags.ts';
import { type LocalRequest, planForOthers } from '../../run/local-run.ts';
import { defaultMemoryLimit, requireMemory } from '../../run/memory-limit.ts';
import { readConfig, readReleaseKey } from '../../run/read-config.ts';
import { readRunFiles } from '../../run/read-run-files.ts';
import { inRanges, listBatch, openBatch } from './open-batch.ts';
import { bucketToPlanIn, openBucket } from './run-place.ts';

/** `batch plan TABLE`: plans an evaluation, whose tasks are carried out one by one. */
export function addBatchPlan(batch: Command): void {
  const command = batch
    .command('plan')
    .description('plan an evaluation in a folder, or a bucket, that all machines reach')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addEvaluationFlags(command)
    .addHelpText(
      'after',
      `
It takes the flags of \`synthrisk evaluate\`. --jobs and --resume are of no use here: machines carry the tasks out, and a run that is
planned already stays as it is.

Examples:
  synthrisk batch plan table.csv --out /shared/runs/first
  synthrisk batch plan --config run.yaml --out /shared/runs/first --json
  synthrisk batch plan table.csv --out s3://bucket       prints the address of the run, s3://bucket/RUN`,
    )
    .action(async (table: string | undefined, flags: RunFlags) => {
      const config = withStarter(await readConfig(flags.config, flagSettings(flags, table)), flags);
      const files = await readRunFiles(config);
      const request = { purpose: 'evaluate' as const, config, ...files, ...(flags.batchSize ? { batchSize: flags.batchSize } : {}) };
      const bucket = bucketToPlanIn(flags.out);
      const directory =
        bucket === undefined
          ? await planForOthers(request, { ...flags, resume: false, quiet: true })
          : await planInBucket(request, bucket, flags);
      const { list } = await listBatch(await openBatch(directory));
      if (flags.json) {
        process.stdout.write(`${JSON.stringify({ ...list, directory }, null, 2)}\n`);
        return;
      }
      process.stdout.write(
        [
          `Planned in ${directory}: ${list.total} tasks, of which ${inRanges(list.tasks) || 'none'} can be carried out now.`,
          '',
          `  synthrisk batch list ${directory}       the tasks that can be carried out now, one a line`,
          `  synthrisk batch run ${directory} 1      carries out a task, or several: 1-8`,
          `  synthrisk batch close ${directory}      when none is left: adds a round, or puts the results together`,
          '',
        ].join('\n'),
      );
    });
}

/** Plans a run in a bucket, under the key of that place. One that is there already stays as it is. */
async function planInBucket(request: LocalRequest, bucket: string, flags: RunFlags): Promise<string> {
  const { store } = await openBucket(bucket);
  const given = await readReleaseKey(flags.releaseKey);
  const memory = { limitBytes: flags.memory ?? defaultMemoryLimit(), jobs: 1 };
  const planned = await planRun({
    ...request,
    placeKey: await obtainPlaceKey(store),
    releaseKey: (runId) => chooseReleaseKey(store, runId, given),
    memory,
  });
  const { runId } = planned.plan;
  if ((await readRunState(store, runId)) === null) {
    requireMemory(planned, memory.jobs, memory.limitBytes);
    await storePlannedRun(store, planned);
    await writeRunState(store, newRunState(planned.plan));
  }
  return `s3://${bucket}/${runId}`;
}
