import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { linkageResultSchema } from '../../shared/contracts/results/linkage.ts';
import { type IntruderFile, intruderFile, type PlannedLinkage, planLinkage } from '../../shared/pipeline/masking/plan-linkage.ts';
import { linkageResult, storeLinkage } from '../../shared/pipeline/masking/store-linkage.ts';
import { linkageUnits, linkRelease } from '../../shared/risk/linkage/link-release.ts';
import { releaseMetrics } from '../../shared/risk/linkage/release-metrics.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { addReidentifyFlags, linkageOf, type ReidentifyFlags } from '../flags/masking-flags.ts';
import { addResultFlags, type ResultFlags } from '../flags/result-flags.ts';
import { tableSettings } from '../flags/table-flags.ts';
import { printLinkage } from '../print/print-linkage.ts';
import { inResults } from '../run/in-results.ts';
import { findPlaceKey } from '../run/place-key.ts';
import { runStepwise } from '../run/progress.ts';
import { readConfig, readReleaseKey, readUserFile } from '../run/read-config.ts';

interface Flags extends ReidentifyFlags, ResultFlags {
  readonly masked?: string;
  readonly rows?: string;
}

/** Each compared variable, in the release and in the intruder's file. */
function comparedVariables({ table, masked, variables }: PlannedLinkage, { columns }: IntruderFile) {
  return variables.map((v, place) => ({ name: table.schema.variables[v]!.name, release: masked.columns[v]!, file: columns[place]! }));
}

/** `reidentify TABLE --masked FILE --method NAME`: re-identification of masked microdata. */
export function addReidentify(program: Command): void {
  const command = program
    .command('reidentify')
    .description('re-identification of masked microdata, by metrics that are built from the release')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx): what an intruder could have at most')
    .option('--masked <file>', 'masked file, CSV, Parquet or Excel (.xlsx); row i is record i of the table')
    .option('--rows <file>', 'which record of the table each row is, where it is a sample: masked-rows.csv');
  addResultFlags(addReidentifyFlags(command), 'of it the table, the seed, variables and missing values')
    .addHelpText(
      'after',
      `
From the release alone an intruder knows how far its values can be from the true ones. Each row is linked with the record of
their file that agrees best, and is re-identified when that is its own and no other agrees as well. Which record is its own is
used for the figures alone.

Examples:
  synthrisk reidentify table.csv --masked masked.csv --method individual-ranking --variables INCOME,RENT,AGE
  synthrisk reidentify table.csv --masked masked.csv --method rank-swap --p 15 --one-to-one
  synthrisk reidentify table.csv --masked masked.csv --method mdav --k 3 --intruder-share 0.5 --errors 0.3
  synthrisk reidentify population.csv --masked masked.csv --rows confidential/masked-rows.csv --method individual-ranking
  synthrisk reidentify table.csv --masked release/synthetic-1.csv --method synthetic --json`,
    )
    .action(async (path: string | undefined, flags: Flags) => {
      const { quiet = false, out } = flags;
      const linkage = linkageOf(flags);
      if (flags.masked === undefined) {
        throw new InvalidConfigError('no-masked-file', 'Name the masked file: --masked FILE.');
      }
      const settings = { table: path, ...tableSettings(flags), seed: flags.seed, synthesis: { missing: flags.missing } };
      const config = await readConfig(flags.config, settings);
      const given = await readReleaseKey(flags.releaseKey);
      const place = await findPlaceKey(out);
      const planned = await planLinkage({
        config,
        linkage,
        table: await readUserFile(requireTable(config.table)),
        masked: await readUserFile(flags.masked),
        rows: flags.rows === undefined ? null : await readUserFile(flags.rows),
        placeKey: place.key,
      });
      const { runId, table, records, variables } = planned;
      await inResults(
        { out, runId, place, given, seed: config.seed },
        { key: runKeys(runId).confidential.linkage, schema: linkageResultSchema, what: 'links' },
        async ({ directory, store, streams }) => {
          const intruder = intruderFile(table, variables, records, linkage, streams);
          const compared = comparedVariables(planned, intruder);
          const comparisons = await runStepwise('Build the metrics', intruder.records, releaseMetrics(linkage.masked, compared), quiet);
          const linked = await runStepwise(
            'Link the records',
            linkageUnits(intruder.own.length, linkage),
            linkRelease(comparisons, intruder.own, linkage),
            quiet,
          );
          const result = linkageResult(planned, { linkage, seed: config.seed }, intruder, linked);
          await storeLinkage(store, linked, intruder.own, result);
          printLinkage(directory, result, flags);
        },
      );
    });
}
