import { type Command, Option } from 'commander';
import { BOUNDS_DEFAULTS } from '../../shared/contracts/config/config.ts';
import { type Radius, radiusSchema } from '../../shared/contracts/config/identification-scenario.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type FoundBounds, foundBoundsSchema } from '../../shared/contracts/results/bounds.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { planBounds } from '../../shared/pipeline/plan/plan-bounds.ts';
import { storeBounds } from '../../shared/pipeline/results/bound-run.ts';
import { measureBounds, measurementCount, summarizeBounds } from '../../shared/risk/bounds/bound-disclosure.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { radius } from '../flags/identification-flags.ts';
import { names, positiveNumber } from '../flags/parse-flag.ts';
import { addResultFlags, type ResultFlags } from '../flags/result-flags.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { tableSettings } from '../flags/table-flags.ts';
import { printBounds } from '../print/print-bounds.ts';
import { inResults } from '../run/in-results.ts';
import { findPlaceKey } from '../run/place-key.ts';
import { runStepwise } from '../run/progress.ts';
import { readConfig, readReleaseKey, readUserFile } from '../run/read-config.ts';

interface InherentFlags extends ResultFlags {
  readonly synthesized?: string[];
  readonly known?: string[][];
  readonly synthetic?: string[];
  readonly radius?: RunFlags['radius'];
  readonly resamples: number;
  readonly bands: number;
}

/** `inherent TABLE`: the least and the most that a release of some variables could disclose. */
export function addInherent(program: Command): void {
  const command = program
    .command('inherent')
    .description('the least and the most that a release of these variables could disclose, whatever made it')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .addOption(new Option('--synthesized <variables>', 'variables that the release replaces, A,B; it keeps the others').argParser(names))
    .addOption(
      new Option(
        '--known <variables>',
        'an intruder knows these kept variables, A,B, and the true synthesized values; "" for none; again for another intruder (default: one who knows all kept ones)',
      ).argParser((text: string, before: string[][] | undefined) => [...(before ?? []), text.trim() === '' ? [] : names(text)]),
    )
    .option('--synthetic <file...>', 'datasets of a release, rows in the order of the table, to place between the bounds')
    .addOption(
      new Option(
        '--radius <variable=radius>',
        'how near a continuous variable must come: INCOME=0.1 (a share of its value) or INCOME=abs:500; again for another',
      ).argParser(radius),
    )
    .addOption(new Option('--resamples <n>', 'datasets drawn for each bound').argParser(positiveNumber).default(BOUNDS_DEFAULTS.resamples))
    .addOption(
      new Option('--bands <n>', 'bands of a kept continuous variable within which values are drawn')
        .argParser(positiveNumber)
        .default(BOUNDS_DEFAULTS.bands),
    );
  addResultFlags(command, 'its `identification` serves where --known is not given')
    .addHelpText(
      'after',
      `
The minimum draws the synthesized values blindly from those observed in the table; the maximum draws them from the records
that share all kept values, as a perfect synthesizer would. Every variable that is not synthesized counts as kept.

Examples:
  synthrisk inherent table.csv --synthesized COUNTY
  synthrisk inherent table.csv --synthesized COUNTY --known SEX --known SEX,AGE
  synthrisk inherent table.csv --synthesized COUNTY --known SEX,AGE --synthetic release/synthetic-*.csv
  synthrisk inherent table.csv --synthesized INCOME --known SEX,AGE --radius INCOME=0.1 --bands 5 --json`,
    )
    .action(async (table: string | undefined, flags: InherentFlags) => {
      const config = await readConfig(flags.config, flagSettings(flags, table));
      const given = await readReleaseKey(flags.releaseKey);
      const place = await findPlaceKey(flags.out);
      const { runId, bounds, warnings } = await planBounds({
        placeKey: place.key,
        config,
        radius: radiiOf(flags.radius ?? {}),
        resamples: flags.resamples,
        bands: flags.bands,
        table: await readUserFile(requireTable(config.table)),
        datasets: await Promise.all((flags.synthetic ?? []).map(readUserFile)),
      });
      await inResults(
        { out: flags.out, runId, place, given, seed: config.seed },
        { key: runKeys(runId).confidential.inherent, schema: foundBoundsSchema, what: 'the bounds' },
        async ({ directory, store, streams }) => {
          const measures = await runStepwise(
            'Measure the resamples of both bounds',
            measurementCount(bounds),
            measureBounds(bounds, streams),
            flags.quiet ?? false,
          );
          const { found, rows } = summarizeBounds(bounds, measures);
          const document: FoundBounds = { version: VERSION, runId, ...found, warnings: [...warnings, ...found.warnings] };
          await storeBounds(store, document, rows);
          printBounds(directory, document, flags);
        },
      );
    });
}

/** The settings that flags give, by the config's names. */
function flagSettings({ seed, missing, known, synthesized, ...flags }: InherentFlags, table: string | undefined): Settings {
  return {
    table,
    ...tableSettings(flags),
    seed,
    synthesis: { synthesized, missing },
    identification: known?.map((variables) => ({ known: variables })),
  };
}

/** Radii as they were written, as radii. */
const radiiOf = (written: NonNullable<InherentFlags['radius']>): Record<string, Radius> =>
  Object.fromEntries(Object.entries(written).map(([name, radius]) => [name, radiusSchema.parse(radius)]));
