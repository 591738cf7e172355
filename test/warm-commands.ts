import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** After as many commands a process is left for another: a module that is loaded again stays in memory. */
const MOST_CALLS = 50;

const PROCESS = fileURLToPath(new URL('./warm-process.mjs', import.meta.url));

/** What a command came to. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is called with. */
export interface Call {
  readonly program: string;
  readonly directory: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

interface Answer extends Omit<Outcome, 'signal'> {
  /** What a command threw that tells of all its failures by itself. */
  readonly failure: string | null;
}

let warm: { readonly child: ChildProcess; calls: number } | undefined;
let isBusy = false;

/** The process that waits for commands, begun when there is none or when it has run enough of them. */
async function waiting(): Promise<{ readonly child: ChildProcess; calls: number }> {
  if (warm && warm.calls < MOST_CALLS && warm.child.connected) return warm;
  warm?.child.disconnect();
  const child = fork(PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], serialization: 'advanced' });
  await new Promise((ready, fail) => child.once('message', ready).once('error', fail));
  // Of no matter to when the tests end: it ends when they do.
  child.unref();
  child.channel?.unref();
  warm = { child, calls: 0 };
  return warm;
}

/**
 * Runs the built command line in a process that has run it before, where none of its commands is under way: most of the time of a
 * small run goes into loading and compiling the program. Null where another command is, which may be what a test is about.
 *
 * @throws Error where the command ends the process, or fails in a way of which it says nothing itself
 */
export async function runWarm(call: Call): Promise<Outcome | null> {
  if (isBusy) return null;
  isBusy = true;
  try {
    const process = await waiting();
    process.calls++;
    const { child } = process;
    child.ref();
    child.channel?.ref();
    const answer = await new Promise<Answer>((done, fail) => {
      const onExit = (code: number | null) => fail(new Error(`the command ended its process: ${code}`));
      child.once('exit', onExit).once('message', (message) => {
        child.off('exit', onExit);
        done(message as Answer);
      });
      child.send(call);
    });
    child.unref();
    child.channel?.unref();
    if (answer.failure !== null) throw new Error(answer.failure);
    return { code: answer.code, signal: null, stdout: answer.stdout, stderr: answer.stderr };
  } finally {
    isBusy = false;
  }
}
