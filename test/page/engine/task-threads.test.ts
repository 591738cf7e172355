import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runTaskThread, type ThreadPorts } from '../../../page/engine/task-thread.ts';
import { TaskThreads } from '../../../page/engine/task-threads.ts';
import type { Task } from '../../../shared/contracts/run/plan.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';

const ENGINE = new URL('../../../page/engine/', import.meta.url);

it('has no thread start another, where Firefox now and then blocks for ever: the page starts all of them', () => {
  const starting = readdirSync(ENGINE).filter((file) => readFileSync(new URL(file, ENGINE), 'utf8').includes('new Worker('));
  expect(starting).toEqual([]);
});

it('says of an error of the program that there was one and not what it said, and ends', async () => {
  const started: ThreadPorts[] = [];
  let hasEnded = false;
  const starter = {
    start: (ports: ThreadPorts) => {
      started.push(ports);
      runTaskThread(ports);
    },
    end: () => {
      hasEnded = true;
    },
  };
  const threads = new TaskThreads(starter, new MemoryStore(), 2);
  expect(started).toHaveLength(2);
  // What is no task at all is a mistake of the program.
  const done = threads.run([null, null] as unknown as Task[], () => undefined);
  await expect(done).rejects.toMatchObject({
    name: 'ProgramError',
    code: 'thread-failed',
    message: 'A thread of the page ended with an error of the program (TypeError).',
  });
  threads.close();
  expect(hasEnded).toBe(true);
  for (const { store, tasks } of started) for (const port of [store, tasks]) port.close();
});
