import type { Command } from 'commander';
import { z } from 'zod';
import { environmentFileSchema } from '../../../shared/contracts/cloud/environment-settings.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';

/** `schema`: JSON Schema of the config file, for editors. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of the config file, for editors')
    .option(
      '--environment-settings',
      'that of the settings of an environment in AWS (`cloud deploy --settings`)',
    )
    .addHelpText('after', '\nExample:\n  synthrisk schema > synthrisk.schema.json')
    .action(({ environmentSettings }: { readonly environmentSettings?: boolean }) => {
      const schema = environmentSettings ? environmentFileSchema : configSchema;
      // What patterns and transforms leave cannot be told in a schema; what goes in can.
      const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
    });
}
