import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { recordOutputSchema } from '../../../shared/contracts/cloud/workflow.ts';
import { addCloudFlags, type CloudFlags, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';

interface RecordFlags extends CloudFlags {
  readonly out?: string;
}

function combinationNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1');
  return Number(text);
}

/** `cloud record RUN N`: every candidate of one combination, with its probability, at once. */
export function addRecord(cloud: Command): void {
  addCloudFlags(cloud.command('record'))
    .description('every candidate of one combination, with rank, probability and values, as CSV')
    .argument('<run>', 'id of a run that has been assessed')
    .argument('<combination>', 'its number in attribute-risk.csv, from 1', combinationNumber)
    .option('--out <file>', 'where to write the table (default: standard output)')
    .addHelpText(
      'after',
      `
The table is confidential. It needs the draws of the run, which the bucket keeps for \`intermediateDays\`, and the role
ConfidentialReader. With --json it is not printed: the document names where it lies in the bucket.

Examples:
  synthrisk cloud record 4f1c0a9b2d3e5f60 17 --out record-17.csv`,
    )
    .action(async (run: string, combination: number, flags: RecordFlags) => {
      const runId = requireRunId(run);
      const environment = await openEnvironment(flags);
      const answer = await environment.assess({ step: 'record', runId, combination });
      const { key } = recordOutputSchema.parse(answer);
      const table = await (await environment.store()).get(key);
      if (flags.out !== undefined) await writeFile(flags.out, table, { mode: 0o600 });
      if (flags.json) {
        process.stdout.write(`${JSON.stringify({ runId, combination, key, out: flags.out ?? null })}\n`);
      } else if (flags.out === undefined) process.stdout.write(table);
    });
}
