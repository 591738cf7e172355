/** Exit codes of the command line: 2 bad input or config, 3 the run failed, 4 acceptance, 130 interrupted. */
export type ExitCode = 2 | 3 | 4 | 130;

/** Where something is wrong: a row and a column of a file from 1, a field of the config or a flag, a file. */
export interface ErrorPlace {
  readonly row?: number;
  readonly column?: number;
  readonly field?: string;
  readonly file?: string;
}

/**
 * Base of every error that synthrisk raises on purpose. Messages end up in logs, so they hold no value of a confidential table,
 * and no name of a variable from a header that may be the first record of a refused table.
 */
export abstract class SynthriskError extends Error {
  abstract readonly exitCode: ExitCode;

  constructor(
    /** Stable word for programs to match on, for example `ragged-row`. */
    readonly code: string,
    message: string,
    /** For programs: the message says it as well. */
    readonly where: ErrorPlace = {},
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** What crosses from a worker or a function to its caller, and is noted in artifacts. */
  get report(): ErrorReport {
    return { name: this.name, code: this.code, message: this.message };
  }
}

/** The base of the errors that end a command with an exit code. */
const exiting = (code: ExitCode) =>
  class extends SynthriskError {
    readonly exitCode = code;
  };

/** A table (or synthetic dataset) that cannot be read or does not fit its schema. */
export class InvalidTableError extends exiting(2) {}

/** A config file or flag that is malformed, or contradicts the table. */
export class InvalidConfigError extends exiting(2) {}

/** An option that this version does not offer: refused, never ignored. */
export class UnsupportedOptionError extends exiting(2) {}

/** A run that is predicted to need more memory than it may take. */
export class InsufficientMemoryError extends exiting(2) {}

/** A run folder that holds another run, or an unfinished one without `--resume`. */
export class RunConflictError extends exiting(2) {}

/** A release that nobody has approved, or that is not what was approved. */
export class NotApprovedError extends exiting(2) {}

/** A release that is not approved, since acceptance rules were not met and nobody said why it is to be all the same. */
export class AcceptanceError extends exiting(4) {}

/** A computation that left the numbers: says which chain, iteration or combination. */
export class NumericalError extends exiting(3) {}

/** An artifact of a run that is missing or does not match its manifest. */
export class ArtifactError extends exiting(3) {}

/** What to do about a file of a run that is missing or damaged, where its kind does not say more. */
export const PUT_BACK = 'Put it back from a copy, or repeat what made it. In AWS see docs/how-to/runbook.md#what-has-decayed.';

/** A store over a network that cannot be reached, or refuses; the message names the key and the answer. */
export class StorageError extends exiting(3) {}

/** A run that is predicted to cost more than it may; it can go on with a larger budget. */
export class BudgetExceededError extends exiting(3) {}

/** A run that an environment, as it is set, is not expected to carry out: refused before it is paid for. */
export class RunTooLargeError extends exiting(2) {}

/** A service of the cloud that cannot be reached, or refuses; the message names the request and the answer. */
export class ServiceError extends exiting(3) {}

/** A run that was told to stop, by a person or by the machine; it can go on. */
export class InterruptedError extends exiting(130) {}

/** A mistake in the program, as it is reported where the error itself must not be: it may quote the table. */
export class ProgramError extends exiting(3) {}

const NAMED = {
  InvalidTableError,
  InvalidConfigError,
  UnsupportedOptionError,
  InsufficientMemoryError,
  RunConflictError,
  NumericalError,
  ArtifactError,
  StorageError,
  BudgetExceededError,
  RunTooLargeError,
  ServiceError,
  ProgramError,
};

/** A named error as it crosses from a worker or a function to its caller. */
export interface ErrorReport {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** True for the name of an error that {@link reviveError} knows. */
export const isNamedError = (name: string): boolean => Object.hasOwn(NAMED, name);

/** What another try may not meet again, or what must not be looked for in the input. */
const PASSING = ['StorageError', 'ServiceError', 'ProgramError'];

/** Names of the errors that the same input gives again: to try once more costs, and changes nothing. */
export const COMING_BACK: readonly string[] = Object.keys(NAMED).filter((name) => !PASSING.includes(name));

/** The named error that an {@link ErrorReport} tells of. Throws RangeError for a name that is none of them. */
export function reviveError({ name, code, message }: ErrorReport): SynthriskError {
  if (!isNamedError(name)) throw new RangeError(`no error is named ${name}`);
  const NamedError = NAMED[name as keyof typeof NAMED];
  return new NamedError(code, message);
}

/**
 * What may be told of an error that is none of the named ones, and so a mistake in the program: its name and the
 * places where it happened, one a line. Not its message: that of a library may hold a value of the table.
 */
export function errorPlaces(error: unknown): { readonly name: string; readonly places: readonly string[] } {
  const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
  return { name, places: stack.split('\n').filter((line) => /^\s+at /.test(line)) };
}
