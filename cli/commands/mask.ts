import type { Command } from 'commander';
import { runKeys } from '../../shared/contracts/keys.ts';
import { maskingResultSchema } from '../../shared/contracts/results/masking.ts';
import { type MaskFlags, maskingOf } from '../../shared/contracts/settings/masking-settings.ts';
import { maskTable } from '../../shared/masking/mask-table.ts';
import { planMasking } from '../../shared/pipeline/masking/plan-masking.ts';
import { maskingResult, storeMasking } from '../../shared/pipeline/masking/store-masking.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { addMaskFlags } from '../flags/masking-flags.ts';
import { addResultFlags, type ResultFlags } from '../flags/result-flags.ts';
import { tableSettings } from '../flags/table-flags.ts';
import { printMasking } from '../print/print-masking.ts';
import { inResults } from '../run/in-results.ts';
import { findPlaceKey } from '../run/place-key.ts';
import { runStepwise } from '../run/progress.ts';
import { readConfig, readReleaseKey, readUserFile } from '../run/read-config.ts';

interface Flags extends MaskFlags, ResultFlags {}

/** `mask TABLE --method NAME`: masked microdata, and what is lost by it. */
export function addMask(program: Command): void {
  const command = program
    .command('mask')
    .description('masked microdata, to hold against synthetic data: microaggregation, swapping, noise and others')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addResultFlags(addMaskFlags(command), 'of it the table, the seed, variables and missing values')
    .addHelpText(
      'after',
      `
Continuous variables are masked, all of them or those of --variables; categorical ones stay as they are unless --swap names
them. Several variables at once are put in units of their standard deviations. Row i of the masked file is record i of the
table, or of the sample: confidential/masked-rows.csv says which.

Examples:
  synthrisk mask table.csv --method individual-ranking --k 3
  synthrisk mask table.csv --method mdav --k 5 --variables INCOME,TAX,RENT --subdomains SEX
  synthrisk mask table.csv --method rank-swap --p 15 --swap OCCUPATION --strata SEX,REGION
  synthrisk mask table.csv --method noise --noise 0.05 --sample 0.1 --out masked --json`,
    )
    .action(async (path: string | undefined, flags: Flags) => {
      const { quiet = false, out } = flags;
      const masking = maskingOf(flags);
      const settings = { table: path, ...tableSettings(flags), seed: flags.seed, synthesis: { missing: flags.missing } };
      const config = await readConfig(flags.config, settings);
      const given = await readReleaseKey(flags.releaseKey);
      const place = await findPlaceKey(out);
      const table = await readUserFile(requireTable(config.table));
      const planned = await planMasking({ config, masking, table, placeKey: place.key });
      const { runId } = planned;
      await inResults(
        { out, runId, place, given, seed: config.seed },
        { key: runKeys(runId).confidential.masking, schema: maskingResultSchema, what: 'a masked file' },
        async ({ directory, store, streams }) => {
          const masked = await runStepwise(
            'Mask the records',
            planned.table.records,
            maskTable(planned.table, masking, planned.places, (name) => streams.openReleased(name)),
            quiet,
          );
          const result = maskingResult(planned, { masking, seed: config.seed }, masked);
          await storeMasking(store, masked, result);
          printMasking(directory, result, flags);
        },
      );
    });
}
