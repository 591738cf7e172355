import { type Command, InvalidArgumentError, Option } from 'commander';
import { environmentNameSchema } from '../../shared/contracts/cloud/cloud-environment.ts';
import { runIdSchema } from '../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { writeLines } from '../print/write-lines.ts';

/** Flags that every command of `cloud` takes. */
export interface CloudFlags {
  readonly environment: string;
  readonly namePrefix?: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly stateMachine?: string;
  readonly json?: boolean;
}

function environmentName(text: string): string {
  const parsed = environmentNameSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
  return parsed.data;
}

/** Adds the flags that say in which account, region and environment. */
export function addPlaceFlags(command: Command): Command {
  return command
    .addOption(new Option('--environment <name>', 'name of the environment, as it was deployed').argParser(environmentName).default('dev'))
    .option('--region <region>', 'region of AWS (default: that of the environment variables or the profile)')
    .option('--endpoint <url>', 'address of an emulator, in place of AWS')
    .option('--json', 'one JSON document on standard output');
}

/** Adds the flags of a command that works with a deployed environment. */
export function addCloudFlags(command: Command): Command {
  return addPlaceFlags(command)
    .option('--name-prefix <prefix>', 'what its names begin with, where the settings say so (default: synthrisk)')
    .option('--bucket <name>', "the environment's bucket (default: as the environment tells)")
    .option('--state-machine <arn>', "the environment's workflow (default: as the environment tells)");
}

/** A run's id as it was typed. Throws InvalidConfigError for anything else. */
export function requireRunId(text: string): string {
  if (runIdSchema.safeParse(text).success) return text;
  throw new InvalidConfigError('no-run-id', 'A run is named by its id, 16 hexadecimal digits, as `synthrisk cloud submit` prints it.');
}

/** Prints what a command came to: a JSON document, or lines for a person. */
export function printOutcome(document: object, lines: readonly string[], { json }: CloudFlags): void {
  if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else writeLines(lines);
}
