import { type Command, Option } from 'commander';
import { wholeNumber } from './parse-flag.ts';

/** Flags of every command that reads a table, runs no chains and keeps its results in a folder. */
export interface ResultFlags {
  readonly missing?: string;
  readonly config?: string;
  readonly out?: string;
  readonly seed?: number;
  readonly releaseKey?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Adds them; `ofConfig` says what of a config file serves. */
export function addResultFlags(command: Command, ofConfig: string): Command {
  return command
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category']))
    .option('--config <file>', `config file (YAML); ${ofConfig}`)
    .option('--out <dir>', 'folder of the results (default: synthrisk-runs/<runId>)')
    .addOption(
      new Option('--seed <n>', 'tells runs of one release key apart (default: 1)').argParser(wholeNumber),
    )
    .option('--release-key <file>', 'repeat the run that had this key (default: a new key by chance)')
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress');
}
