import { expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { Task } from '../../../shared/contracts/run/plan.ts';
import { carryOut } from '../../../shared/pipeline/life/carry-out.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { runTask } from '../../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, smallTable } from '../small-run.ts';

it('carryOut() lets utility be measured beside the batches, where several threads share the work', async () => {
  const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(COUNT_SETTINGS), table: smallTable() });
  const store = new MemoryStore();
  const steps: Task['step'][] = [];
  const { summary } = await carryOut(store, planned, {
    signal: undefined,
    onReport: () => undefined,
    runTasks: async (phase, tasks) => {
      if (phase === 'assess') steps.push(...tasks.map(({ step }) => step));
      for (const task of tasks) await runTask(store, task, () => undefined);
    },
  });
  expect(steps[0]).toBe('measure');
  expect(steps.filter((step) => step === 'measure')).toHaveLength(1);
  expect(summary.utility).not.toBeNull();
});
