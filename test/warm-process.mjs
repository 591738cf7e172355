// A process that runs the built command line again and again, in which what a command loads and compiles is there for the next:
// the same files, called as a new process would call them (`warm-commands.ts`).
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Commands that follow a run look again every few seconds; what they follow here is done at once. */
const FASTER = 20;
const { setTimeout: wait } = timers;
timers.setTimeout = (milliseconds, ...others) => wait(milliseconds / FASTER, ...others);
syncBuiltinESMExports();

let calls = 0;

/** Takes what a command writes, in place of the terminal. */
function capture(stream) {
  let text = '';
  const { write } = stream;
  stream.write = (chunk, encoding, done) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const written = typeof encoding === 'function' ? encoding : done;
    if (written) process.nextTick(written);
    return true;
  };
  return () => {
    stream.write = write;
    stream.removeAllListeners('error');
    return text;
  };
}

process.on('message', async ({ program, directory, args, env }) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(directory);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  let failure = null;
  try {
    // Its main file is a module of its own at each call; what it imports is loaded once.
    await import(`${pathToFileURL(program)}?call=${++calls}`);
  } catch (error) {
    failure = String(error?.stack ?? error);
  }
  const { exitCode } = process;
  process.exitCode = undefined;
  process.chdir('/');
  process.send({ code: Number(exitCode ?? 0), stdout: stdout(), stderr: stderr(), failure });
});
process.on('disconnect', () => process.exit());
process.send('ready');
