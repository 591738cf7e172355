import type { Command } from 'commander';
import { inRanges, listBatch, openBatch } from './open-batch.ts';

/** `batch list DIR`: the tasks that can be carried out now. */
export function addBatchList(batch: Command): void {
  batch
    .command('list')
    .description('the numbers of the tasks that can be carried out now')
    .argument('<dir>', 'folder of the run, or s3://BUCKET/RUN')
    .option('--ranges', 'on one line, as 1-24,30')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Nothing is listed when all tasks are done: \`synthrisk batch close\` then goes on.

Examples:
  synthrisk batch list /shared/runs/first | xargs -n 1 -P 8 synthrisk batch run /shared/runs/first
  sbatch --array="$(synthrisk batch list /shared/runs/first --ranges)" task.sh`,
    )
    .action(async (directory: string, { json = false, ranges = false }: { readonly json?: boolean; readonly ranges?: boolean }) => {
      const { list } = await listBatch(await openBatch(directory));
      if (json) process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
      else if (list.tasks.length > 0) process.stdout.write(`${ranges ? inRanges(list.tasks) : list.tasks.join('\n')}\n`);
      else if (list.status === 'to-close') process.stderr.write(`All tasks are done: synthrisk batch close ${directory}\n`);
      else process.stderr.write(`The run in ${directory} is finished.\n`);
    });
}
