import { type Command, Option } from 'commander';
import { z } from 'zod';
import { environmentFileSchema } from '../../shared/contracts/cloud/environment-settings.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { starterRulesYaml } from '../../shared/contracts/settings/starter-rules.ts';

interface SchemaFlags {
  readonly environmentSettings?: boolean;
  readonly starterRules?: boolean;
}

/** `schema`: JSON Schema of the config file, for editors. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of the config file, for editors')
    .option(
      '--environment-settings',
      'that of the settings of an environment in AWS (`cloud deploy --settings`)',
    )
    .addOption(
      new Option(
        '--starter-rules',
        'instead the starter acceptance rules as a config to edit (YAML), each with its reason',
      ).conflicts('environmentSettings'),
    )
    .addHelpText(
      'after',
      `
Examples:
  synthrisk schema > synthrisk.schema.json
  synthrisk schema --starter-rules > rules.yaml`,
    )
    .action(({ environmentSettings, starterRules }: SchemaFlags) => {
      if (starterRules) {
        process.stdout.write(starterRulesYaml());
        return;
      }
      const schema = environmentSettings ? environmentFileSchema : configSchema;
      // What patterns and transforms leave cannot be told in a schema; what goes in can.
      const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
    });
}
