import { type Command, Option } from 'commander';

/** Adds the flag that names combinations which the synthesizer is not to see. */
export function addLeaveOutFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--leave-out <combinations>',
      'fit the synthesizer without the records of these combinations: numbers as in attribute-risk.csv, 3,17, or a CSV file with a column `combination`',
    ),
  );
}
