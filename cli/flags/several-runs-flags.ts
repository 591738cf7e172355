import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { parseByteSize } from './parse-byte-size.ts';
import { positiveNumber } from './parse-flag.ts';

/** Flags of a command that carries out several runs, each in a folder below one. */
export interface SeveralRunsFlags {
  readonly out?: string;
  readonly jobs?: number;
  readonly memory?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly resume?: boolean;
}

/** What each of several runs is carried out with. */
export interface SeveralRunsOptions {
  readonly jobs: number;
  /** Bytes; by default the machine's. */
  readonly memory?: number;
  readonly quiet: boolean;
  readonly resume: boolean;
}

/**
 * Adds them.
 *
 * @param out what is in the folder, and what its name is by default
 * @param run what one of the runs is called
 */
export function addSeveralRunsFlags(command: Command, out: string, run: string): Command {
  return command
    .option('--out <dir>', out)
    .addOption(new Option('--jobs <n>', 'worker threads (default: the cores)').argParser(positiveNumber))
    .addOption(new Option('--memory <size>', `memory that a ${run} may take (default: the machine's)`).argParser(parseByteSize))
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress')
    .option('--resume', `go on where a ${run} stopped`);
}

/** What flags ask of each run. */
export function severalRunsOptions(flags: SeveralRunsFlags): SeveralRunsOptions {
  const { jobs = availableParallelism(), memory, quiet = false, resume = false } = flags;
  return { jobs, quiet, resume, ...(memory ? { memory } : {}) };
}
