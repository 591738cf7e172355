import { type Command, Option } from 'commander';
import { wholeNumber } from './parse-flag.ts';
import { DETAILS } from './run-flags.ts';
import { addTableFlags, type TableFlags } from './table-flags.ts';

/** Flags of every command that reads a table and runs no chains. */
export interface ResultFlags extends TableFlags {
  readonly missing?: string;
  readonly config?: string;
  readonly out?: string;
  readonly seed?: number;
  readonly releaseKey?: string;
  readonly json?: boolean;
  readonly details?: boolean;
  readonly quiet?: boolean;
}

/** What is said of some of these flags; where the results are kept in a folder of their own unless one is named, as here. */
interface Wording {
  readonly out: string;
  readonly releaseKey: string;
}

const KEPT: Wording = {
  out: 'folder of the results (default: synthrisk-runs/<runId>)',
  releaseKey: 'repeat the run that had this key (default: a new random key)',
};

/** Adds them; `ofConfig` says what of a config file serves. */
export function addResultFlags(command: Command, ofConfig: string, { out, releaseKey } = KEPT): Command {
  return addTableFlags(command)
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category']))
    .option('--config <file>', `config file (YAML); ${ofConfig}`)
    .option('--out <dir>', out)
    .addOption(new Option('--seed <n>', 'tells runs of one release key apart (default: 1)').argParser(wholeNumber))
    .option('--release-key <file>', releaseKey)
    .option('--json', 'one JSON document on standard output')
    .option('--details', DETAILS)
    .option('--quiet', 'no progress');
}

/** The wording for commands that keep nothing unless a folder is named. */
export const kept = (what: string): Wording => ({
  out: `empty folder for ${what}`,
  releaseKey: 'repeat what is drawn by chance with this key (default: a new one)',
});
