import { CommanderError } from 'commander';
import { InterruptedError } from '../shared/contracts/errors.ts';
import { failureOf, printFailure } from './print/print-failure.ts';
import { synthriskProgram } from './program.ts';
import { calledCommand } from './usage/complete-commands.ts';

const program = synthriskProgram((code) => {
  process.exitCode = code;
});

/** Whether failures are to be told as JSON too: looked for here, since some end before flags are read. */
const json = process.argv.slice(2).includes('--json');

// Whoever reads the output may stop reading, as `head` does: the command goes on, and ends with the exit code that it has.
// Output that cannot be written, as to a file on a full disk, ends it: an answer cut short must not pass for one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const failure = failureOf(error, 'synthrisk');
    if (stream === process.stdout) printFailure(failure, { json: false, isShown: false });
    process.exit(failure.exitCode);
  });
}

/** By which a person, and a scheduler, ends a command. */
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;

/** Ends a command that has nothing to tidy up, as Ctrl-C does without being told; runs have ways of their own. */
const onInterrupt = (signal: NodeJS.Signals) => {
  if (process.listenerCount(signal) > 1) return;
  const interrupted = new InterruptedError('interrupted', 'Interrupted.');
  printFailure(failureOf(interrupted, 'synthrisk'), { json, isShown: false });
  process.exit(interrupted.exitCode);
};
if (json) for (const signal of INTERRUPTS) process.on(signal, onInterrupt);

try {
  await program.parseAsync();
} catch (error) {
  // Help that was asked for, and the version.
  const isAnswer = error instanceof CommanderError && error.exitCode === 0;
  if (!isAnswer) {
    const failure = failureOf(error, calledCommand(program, process.argv.slice(2)));
    const isShown = error instanceof CommanderError && error.code === 'commander.help';
    printFailure(failure, { json, isShown });
    process.exitCode = failure.exitCode;
  }
} finally {
  for (const signal of INTERRUPTS) process.off(signal, onInterrupt);
}
