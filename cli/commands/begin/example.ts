import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { householdNumbers, householdTable } from '../../../examples/household-table.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { writeLines } from '../../print/write-lines.ts';

/** The survey that the documentation shows. */
const SEED = 1;

/** What is written, by the name of the file. */
const TABLES = { 'household.csv': householdTable, 'household-numbers.csv': householdNumbers };

/** `example`: an invented table to try every command on. */
export function addExample(program: Command): void {
  program
    .command('example')
    .description('write an invented household survey, to try the commands on')
    .argument('[folder]', 'where to write it', '.')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
It writes the two tables of the documentation, always with the same bytes: household.csv, 1,500 invented households with seven
categorical variables, and household-numbers.csv, the same households with age and income as numbers. A file of that name
with other contents is left as it is, and the command fails.

Examples:
  synthrisk example
  synthrisk example try && synthrisk evaluate try/household.csv --precision quick`,
    )
    .action(async (folder: string, { json }: { json?: boolean }) => {
      await mkdir(folder, { recursive: true });
      const paths = [];
      for (const [name, table] of Object.entries(TABLES)) {
        const path = join(folder, name);
        const bytes = table(SEED);
        if (!existsSync(path)) await writeFile(path, bytes);
        else if (!(await readFile(path)).equals(bytes)) {
          throw new InvalidConfigError(
            'file-exists',
            `${path} is already there and holds something else. Name another folder: synthrisk example FOLDER`,
          );
        }
        paths.push(path);
      }
      if (json) process.stdout.write(`${JSON.stringify({ tables: paths }, null, 2)}\n`);
      else writeLines(paths.map((path) => `Invented table: ${path}`));
    });
}
