import type { Command } from 'commander';
import { addBatchClose } from './batch/close.ts';
import { addBatchList } from './batch/list.ts';
import { addBatchPlan } from './batch/plan.ts';
import { addBatchRun } from './batch/run.ts';

/** `batch`: the tasks of an evaluation one by one, for whatever schedules them. */
export function addBatch(program: Command, exit: (code: number) => void): void {
  const batch = program
    .command('batch')
    .description('an evaluation as tasks that a cluster carries out, over a folder that its machines share')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk batch plan table.csv --out /shared/runs/first
  synthrisk batch list /shared/runs/first --ranges
  synthrisk batch run /shared/runs/first 1-8
  synthrisk batch close /shared/runs/first

examples/ has scripts for Slurm, Kubernetes, AWS Batch and a single machine.`,
    );
  addBatchPlan(batch);
  addBatchList(batch);
  addBatchRun(batch);
  addBatchClose(batch, exit);
}
