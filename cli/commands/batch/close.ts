import type { Command } from 'commander';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { RunConflictError } from '../../../shared/contracts/errors.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { addSeconds, noteMemory, timeWork, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { readRoundChains } from '../../../shared/pipeline/rounds/stored-round.ts';
import { judgeRound } from '../../../shared/pipeline/tasks/judge-round.ts';
import { DETAILS } from '../../flags/run-flags.ts';
import { printRun } from '../../print/print-summary.ts';
import { closingSteps } from '../../run/local-run.ts';
import { peakMemoryMiB } from '../../run/peak-memory.ts';
import { runSteps } from '../../run/progress.ts';
import { inRanges, listBatch, type OpenedBatch, openBatch } from './open-batch.ts';

/** `batch close DIR`: goes on when all tasks are done. */
export function addBatchClose(batch: Command, exit: (code: number) => void): void {
  batch
    .command('close')
    .description('when all tasks are done: add a round of chains, or put the results together')
    .argument('<dir>', 'folder of the run, or s3://BUCKET/RUN')
    .option('--json', 'one JSON document on standard output')
    .option('--details', DETAILS)
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
Where the ranks are not reproducible enough yet, another round adds chains, and \`synthrisk batch list\` lists tasks again. Else the
results are put together, as \`synthrisk evaluate\` does in the end, and the run is finished.

Examples:
  until synthrisk batch list DIR --json | grep -q '"finished"'; do
    synthrisk batch list DIR | xargs -n 1 -P 8 synthrisk batch run DIR
    synthrisk batch close DIR
  done`,
    )
    .action(
      async (
        directory: string,
        { json = false, quiet = false, details = false }: { readonly json?: boolean; readonly quiet?: boolean; readonly details?: boolean },
      ) => {
        const lock = await (await openBatch(directory)).lock();
        try {
          // As it is now that nobody else closes it.
          const opened = await openBatch(directory);
          const { list } = await listBatch(opened);
          if (list.status === 'tasks') {
            throw new RunConflictError(
              'tasks-left',
              `${list.total - list.done} tasks are not done, and of these ${inRanges(list.tasks)} can be carried out now (synthrisk batch run).`,
            );
          }
          if (list.status === 'finished' || (await closeRun(opened, list.round, quiet))) {
            const summary = await readJson(opened.store, runKeys(list.runId).confidential.summary, summarySchema);
            exit(printRun({ ...opened, summary }, { json, details }));
            return;
          }
          const { list: next } = await listBatch(opened);
          if (json) process.stdout.write(`${JSON.stringify(next, null, 2)}\n`);
          else process.stdout.write(`Round ${next.round} adds chains: tasks ${inRanges(next.tasks)} can be carried out now.\n`);
        } finally {
          await lock.release();
        }
      },
    );
}

/** Judges a round whose tasks are done, and puts the results together where no other follows. False where one follows. */
async function closeRun({ plan, state, store }: OpenedBatch, round: number, quiet: boolean): Promise<boolean> {
  if ((await judgeRound(store, plan, await readRoundChains(store, plan, round))) !== null) return false;
  const steps = closingSteps(
    store,
    plan,
    (phase, work) => (onShare) =>
      timeWork(
        () => work(onShare),
        (seconds) => addSeconds(state, phase, seconds),
      ),
  );
  await runSteps(steps, quiet);
  state.status = 'finished';
  noteMemory(state, peakMemoryMiB());
  await writeRunState(store, state);
  return true;
}
