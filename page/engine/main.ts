// What runs in the threads of the page: the engine, or one of the threads that work for it.
import './no-code-from-text.ts';
import { Engine } from './engine.ts';
import type { Questions, Verb } from './questions.ts';
import { runTaskThread, type ThreadPorts } from './task-thread.ts';

/** How a thread is started. */
export type Started = { readonly role: 'engine' } | { readonly role: 'task'; readonly ports: ThreadPorts };

self.onmessage = ({ data }: MessageEvent<Started>) => {
  if (data.role === 'task') {
    runTaskThread(data.ports);
    return;
  }
  const engine = new Engine();
  self.onmessage = ({ data: { number, verb, asked } }: MessageEvent<{ number: number; verb: Verb; asked: Questions[Verb]['asked'] }>) =>
    engine.hear(number, verb, asked as never);
};
