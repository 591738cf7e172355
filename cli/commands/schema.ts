import type { Command } from 'commander';
import { z } from 'zod';
import { configSchema } from '../../shared/contracts/config/config.ts';

/** `schema`: JSON Schema of the config file, for editors. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of the config file, for editors')
    .addHelpText('after', '\nExample:\n  synthrisk schema > synthrisk.schema.json')
    .action(() => {
      process.stdout.write(`${JSON.stringify(z.toJSONSchema(configSchema, { io: 'input' }), null, 2)}\n`);
    });
}
