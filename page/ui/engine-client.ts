import type { ErrorReport } from '../../shared/contracts/errors.ts';
import type { Progress, Questions, Said, Verb } from '../engine/questions.ts';
import type { ThreadPorts } from '../engine/task-thread.ts';

/** Why the engine gave no answer, in words for a person. */
export class Refusal extends Error {
  readonly code: string;

  constructor({ code, message }: ErrorReport) {
    super(message);
    this.code = code;
  }
}

/** The thread that does the work of the page. */
export class EngineClient {
  readonly #script: string;
  readonly #worker: Worker;
  /** Of the run under way. */
  #threads: Worker[] = [];
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (refusal: Refusal) => void }>();
  #asked = 0;
  /** Hears how far a run is. */
  onProgress: (progress: Progress) => void = () => undefined;

  /** @param program text of the engine's program */
  constructor(program: string) {
    this.#script = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    this.#worker = new Worker(this.#script);
    this.#worker.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      for (const number of this.#waiting.keys()) {
        this.#hear({
          number,
          error: { name: 'ProgramError', code: 'program-failed', message: 'The page has failed by a mistake of its program.' },
        });
      }
    };
    this.#worker.postMessage({ role: 'engine' });
  }

  #hear(said: Said): void {
    if ('progress' in said) {
      this.onProgress(said.progress);
      return;
    }
    if ('start' in said) {
      this.#startThread(said.start);
      return;
    }
    if ('end' in said) {
      for (const thread of this.#threads) thread.terminate();
      this.#threads = [];
      return;
    }
    const { resolve, reject } = this.#waiting.get(said.number)!;
    this.#waiting.delete(said.number);
    if ('error' in said) reject(new Refusal(said.error));
    else resolve(said.answer as never);
  }

  #startThread(ports: ThreadPorts): void {
    const thread = new Worker(this.#script);
    thread.onerror = (event) => {
      event.preventDefault();
      void this.ask('failed', {});
    };
    thread.postMessage({ role: 'task', ports }, [ports.store, ports.tasks]);
    this.#threads.push(thread);
  }

  /** Asks a question. Throws {@link Refusal}. */
  ask<V extends Verb>(verb: V, asked: Questions[V]['asked']): Promise<Questions[V]['answer']> {
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, verb, asked });
    });
  }
}
