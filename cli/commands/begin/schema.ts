import { type Command, Option } from 'commander';
import * as z from 'zod';
import { environmentFileSchema } from '../../../shared/contracts/cloud/environment-settings.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { starterRulesYaml } from '../../../shared/contracts/settings/starter-rules.ts';
import { acceptanceFigures } from '../../../shared/contracts/settings/summary-figures.ts';
import { writeLines } from '../../print/write-lines.ts';

interface SchemaFlags {
  readonly acceptance?: boolean;
  readonly environmentSettings?: boolean;
  readonly json?: boolean;
  readonly starterRules?: boolean;
}

/** The figures that acceptance rules can name, a line each. */
function figureLines(): string[] {
  const rows = acceptanceFigures().map(({ figure, better, unit, meaning }) => [
    figure,
    unit,
    better === null ? '' : `${better} is better`,
    (meaning ?? '').replaceAll('`', ''),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return [
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    '',
    'A rule compares one with a number: acceptance: [ "attributeRisk.gainBitsMean <= 0.1" ], or --accept.',
    'Where there are several scenarios every one is meant, or the one in brackets: attributeRisk["its name"].gainBitsMean.',
  ];
}

/** `schema`: what a config file may hold, for editors, and what acceptance rules can name, for people. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of the config file, for editors, or what acceptance rules can name')
    .option('--acceptance', 'every figure that an acceptance rule can name: its unit, its direction, its meaning')
    .addOption(
      new Option('--environment-settings', 'the schema of the settings of an environment in AWS (`cloud deploy --settings`)').conflicts(
        'acceptance',
      ),
    )
    .addOption(
      new Option('--starter-rules', 'the starter acceptance rules as a config to edit (YAML), each with its reason').conflicts([
        'acceptance',
        'environmentSettings',
        'json',
      ]),
    )
    .option('--json', 'print JSON, as the schema always is')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk schema > synthrisk.schema.json
  synthrisk schema --acceptance
  synthrisk schema --starter-rules > rules.yaml`,
    )
    .action(({ acceptance, environmentSettings, json, starterRules }: SchemaFlags) => {
      if (starterRules) {
        process.stdout.write(starterRulesYaml());
        return;
      }
      if (acceptance && !json) {
        writeLines(figureLines());
        return;
      }
      const schema = environmentSettings ? environmentFileSchema : configSchema;
      // What patterns and transforms leave cannot be told in a schema; what goes in can.
      const written = acceptance ? { figures: acceptanceFigures() } : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
    });
}
