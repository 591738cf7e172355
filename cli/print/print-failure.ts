import { CommanderError } from 'commander';
import { ArtifactError, type ErrorPlace, errorPlaces, InterruptedError, SynthriskError } from '../../shared/contracts/errors.ts';
import { systemRefusal } from '../../shared/contracts/system-error.ts';
import { answerInWords } from './answer-in-words.ts';
import { inTerminal } from './write-lines.ts';

/** Why a command ended without doing what was asked: what a person reads, and what `--json` prints. */
export interface Failure extends ErrorPlace {
  /** Stable word for programs to match on. */
  readonly code: string;
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly hint?: string;
  readonly exitCode: number;
  /** Where a mistake in the program happened, for whoever mends it: on standard error alone. */
  readonly places?: readonly string[];
}

const lowerFirst = (text: string) => text.replace(/^./, (first) => first.toLowerCase());

/** What commander says as a sentence: `error: option '--chains <n>' argument 'x' is invalid. Expected 1.` */
const usageMessage = (message: string) =>
  message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean ([^)]*)\?\)$/, ' (did you mean $1?)')
    .replace(
      /^option '(?:-\w, )?(.+?)' argument '(.*)' is invalid\. (.*)$/s,
      (_, flag, value, expected) => `${flag} does not take '${value}': ${lowerFirst(expected)}`,
    )
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/s,
      (_, value, argument, expected) => `<${argument}> does not take '${value}': ${lowerFirst(expected)}`,
    )
    .replace(/^[a-z]/, (first) => first.toUpperCase())
    .replace(/[^.?!)]$/, '$&.')
    .replace(/\)$/, ').');

/** Begins the keys of a run, and stands for the folder that the user named. */
const KEY_OF_RUN = /\bruns\/[0-9a-f]{16}\//g;

/** A failure that names a file by its place in the folder of its run. */
function inFolder(failure: Failure): Failure {
  const message = failure.message.replace(KEY_OF_RUN, '');
  return message === failure.message ? failure : { ...failure, message, hint: 'The file is named from the folder of the run on.' };
}

/**
 * What became of a command that ended with an error.
 *
 * @param command as it was called, such as `synthrisk dp table`, for the way to its help
 */
export function failureOf(error: unknown, command: string): Failure {
  if (error instanceof SynthriskError) {
    const message = inTerminal(answerInWords(error));
    const found = { code: error.code, message, ...error.where, exitCode: error.exitCode };
    return error instanceof ArtifactError && !command.startsWith('synthrisk cloud') ? inFolder(found) : found;
  }
  if (error instanceof CommanderError) {
    // Help that stands in for a command that was not named has no message of its own.
    const isHelp = error.code === 'commander.help';
    const isCommand = isHelp || error.code === 'commander.unknownCommand';
    return {
      code: error.code
        .replace('commander.', '')
        .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        .replace(/^help$/, 'no-command'),
      message: isHelp ? 'Name a command.' : usageMessage(error.message),
      hint: `${command} --help shows ${isCommand ? 'the commands' : 'the options and examples'}.`,
      exitCode: 2,
    };
  }
  const refusal = systemRefusal(error);
  if (refusal !== null) {
    const { path, ...said } = refusal;
    return { ...said, ...(path === undefined ? {} : { file: path }), exitCode: 3 };
  }
  const { name, places } = errorPlaces(error);
  return {
    code: 'mistake-in-program',
    message: 'This is a mistake in synthrisk itself, not in what you gave it.',
    hint: 'Please report it, with the version and the lines that standard error shows. They hold no value of your table.',
    exitCode: 3,
    places: [name, ...places],
  };
}

/**
 * Says on standard error why a command failed; with `--json` one document on standard output as well.
 *
 * @param isShown whether a person has been told already, as by a page of help
 */
export function printFailure(failure: Failure, { json, isShown }: { json: boolean; isShown: boolean }): void {
  const { exitCode, places = [], ...error } = failure;
  if (json) process.stdout.write(`${JSON.stringify({ error, exitCode }, null, 2)}\n`);
  if (isShown) return;
  const beginning = exitCode === new InterruptedError('', '').exitCode ? '' : 'Error: ';
  const lines = [`${beginning}${error.message}`, ...(error.hint ? [error.hint] : []), ...places];
  process.stderr.write(`${lines.join('\n')}\n`);
}
