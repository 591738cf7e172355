import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { InterruptedError, InvalidConfigError, RunConflictError } from '../../../shared/contracts/errors.ts';
import type { Task } from '../../../shared/contracts/run/plan.ts';
import { readRoundChains } from '../../../shared/pipeline/rounds/stored-round.ts';
import type { Stage } from '../../../shared/pipeline/tasks/numbered-tasks.ts';
import { taskUnits } from '../../../shared/pipeline/tasks/run-task.ts';
import { TaskPool } from '../../../shared/pipeline/tasks/task-pool.ts';
import { wholeNumber } from '../../flags/parse-flag.ts';
import { runSteps } from '../../run/progress.ts';
import { listBatch, type OpenedBatch, openBatch } from './open-batch.ts';

/** Flags of `batch run`. */
interface RunTasksFlags {
  readonly jobs?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A task by its number. */
interface NumberedTask {
  readonly number: number;
  readonly task: Task;
  readonly stage: Stage;
}

/** Numbers as they were asked for, each once: 17, 17-32, or several of these with commas. Only those up to `last` can be meant. */
function parseNumbers(text: string, last: number): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from)) {
      throw new InvalidConfigError('malformed-numbers', `Expected numbers of tasks, such as 17, 17-32 or 3,9,11-14.`);
    }
    const none = [Number(from), Number(to)].find((number) => number < 1 || number > last);
    if (none !== undefined) {
      throw new InvalidConfigError('no-such-task', `The run has no task ${none}: it has 1 to ${last} so far.`);
    }
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i);
  });
  return [...new Set(numbers)];
}

/** The tasks of these numbers, all of which can be carried out now or have been. */
function chosenTasks(stages: readonly Stage[], numbers: readonly number[]): NumberedTask[] {
  const chosen = numbers.map((number): NumberedTask => {
    const stage = stages.find(({ first, tasks }) => number >= first && number < first + tasks.length)!;
    return { number, task: stage.tasks[number - stage.first]!, stage };
  });
  for (const { number, stage } of chosen) {
    const before = stages.slice(0, stages.indexOf(stage)).flatMap(({ missing }) => missing);
    if (before.length > 0 && stage.missing.includes(number)) {
      throw new RunConflictError(
        'stage-not-reached',
        `Task ${number} needs what earlier tasks make, of which ${before.length} are not done: synthrisk batch list names them.`,
      );
    }
  }
  return chosen;
}

/** `batch run DIR N`: carries tasks out. */
export function addBatchRun(batch: Command): void {
  batch
    .command('run')
    .description('carry out a task, or several; one that is done is left alone')
    .argument('<dir>', 'folder of the run, or s3://BUCKET/RUN')
    // Taken as it is, also when empty: `parseNumbers` says what numbers look like.
    .argument('<numbers>', 'numbers of tasks: 17, 17-32, or 3,9,11-14', String)
    .option('--jobs <n>', 'worker threads (default: the cores, and no more than tasks)', wholeNumber)
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
A task may be carried out twice, late, or on several machines at once: its results are the same bytes, and are stored once.

Examples:
  synthrisk batch run /shared/runs/first 17
  synthrisk batch run /shared/runs/first 3,9,11-14
  synthrisk batch run /shared/runs/first 17-32 --jobs 8`,
    )
    .action(async (directory: string, numbers: string, flags: RunTasksFlags) => {
      const opened = await openBatch(directory);
      const { stages, list } = await listBatch(opened);
      const chosen = chosenTasks(stages, parseNumbers(numbers, list.total));
      const left = chosen.filter(({ number, stage }) => stage.missing.includes(number));
      if (left.length > 0) {
        await carryOutTasks(opened, { left, jobs: flags.jobs ?? availableParallelism(), quiet: flags.quiet ?? false });
      }
      if (flags.json) {
        const document = { runId: opened.plan.runId, carriedOut: left.map(({ number }) => number) };
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      }
    });
}

async function carryOutTasks(
  { plan, settings, store, worker }: OpenedBatch,
  { left, jobs, quiet }: { readonly left: readonly NumberedTask[]; readonly jobs: number; readonly quiet: boolean },
): Promise<void> {
  const units: number[] = [];
  for (const { stage, task } of left) units.push(taskUnits(plan, task, await readRoundChains(store, plan, stage.round)));
  const pool = new TaskPool(worker, settings, Math.min(jobs, left.length));
  let interrupted = false;
  const onInterrupt = () => {
    interrupted = true;
    pool.stop();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  const [{ number: first }, last] = [left[0]!, left.at(-1)!.number];
  try {
    const title = left.length === 1 ? `Task ${first}` : `${left.length} tasks, ${first} to ${last}`;
    const work = async () => {
      await pool.run(
        left.map(({ task }) => task),
        units,
      );
      if (interrupted) throw new InterruptedError('interrupted', 'Interrupted. The same command carries out what is missing.');
    };
    await runSteps([{ title, left: () => pool.secondsLeft(), work }], quiet);
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    await pool.close();
  }
}
