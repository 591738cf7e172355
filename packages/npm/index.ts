import { chooseReleaseKey, obtainPlaceKey } from '../../shared/artifacts/stored-keys.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { parseKey } from '../../shared/contracts/secret-key.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { carryOut } from '../../shared/pipeline/life/carry-out.ts';
import { readNamedFiles } from '../../shared/pipeline/plan/named-files.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type * as api from './api.d.ts';

export { SynthriskError } from '../../shared/contracts/errors.ts';
export { VERSION } from '../../shared/contracts/version.ts';
export { FileStore } from '../../shared/storage/file-store.ts';
export { MemoryStore };

/** Carries a run out in this thread, one task after the other. */
async function run(
  { files = {}, onProgress, releaseKey, settings = {}, signal, store = new MemoryStore(), table }: api.RunInput,
  request: Pick<RunRequest, 'purpose' | 'datasets'>,
): Promise<api.FinishedRun> {
  if ('table' in settings) throw new InvalidConfigError('table-given', 'The table is given as bytes: leave `table` out of the settings.');
  const config = completeConfig(settings);
  const read = async (path: string) => {
    if (!Object.hasOwn(files, path))
      throw new InvalidConfigError('unreadable-file', `The settings name ${path}: give its bytes in \`files\`.`);
    return files[path]!;
  };
  const given = releaseKey && parseKey(releaseKey, 'releaseKey');
  const planned = await planRun({
    ...request,
    ...(await readNamedFiles(config, read)),
    config,
    table,
    placeKey: await obtainPlaceKey(store),
    releaseKey: (runId) => chooseReleaseKey(store, runId, given),
  });
  const { summary } = await carryOut(store, planned, {
    signal,
    onReport: (isDone) => onProgress?.({ phase: 'report', done: Number(isDone), total: 1 }),
    runTasks: async (phase, tasks, units) => {
      const total = units.reduce((sum, some) => sum + some, 0);
      let before = 0;
      for (const [i, task] of tasks.entries()) {
        if (signal?.aborted) return;
        let done = before;
        await runTask(store, task, (more = 1) => {
          done += more;
          onProgress?.({ phase, done, total });
        });
        before += units[i]!;
        // What an earlier call has done is not done again.
        if (done < before) onProgress?.({ phase, done: before, total });
      }
    },
  });
  return { runId: planned.plan.runId, store, summary };
}

/** See the declarations, which are the contract. */
export const evaluate: typeof api.evaluate = (input) => run(input, { purpose: 'evaluate' });

/** See there. */
export const synthesize: typeof api.synthesize = (input) => run(input, { purpose: 'synthesize' });

/** See there. */
export const assess: typeof api.assess = ({ datasets, ...input }) =>
  run(input, { purpose: 'assess', datasets: { origin: 'elsewhere', files: datasets } });
