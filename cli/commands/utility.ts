import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { MeasuredUtility } from '../../shared/contracts/results/utility.ts';
import { newKey } from '../../shared/contracts/secret-key.ts';
import { judgeMeasure } from '../../shared/contracts/settings/acceptance-rule.ts';
import { TaskPool } from '../../shared/pipeline/tasks/task-pool.ts';
import { type MeasureUtility, storeUtility, UTILITY_ID } from '../../shared/pipeline/utility/measure-run.ts';
import { planUtility } from '../../shared/pipeline/utility/plan-utility.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { measureUtility, utilityUnits } from '../../shared/utility/measure-utility.ts';
import { flagSettings, requireTable } from '../flags/flag-settings.ts';
import { names, positiveNumber } from '../flags/parse-flag.ts';
import { addResultFlags, kept } from '../flags/result-flags.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { addUtilityFlags } from '../flags/utility-flags.ts';
import { acceptanceExit, noticeOtherRules } from '../print/print-acceptance.ts';
import { printUtility } from '../print/print-utility.ts';
import { runSteps, runStepwise } from '../run/progress.ts';
import { readConfig, readReleaseKey } from '../run/read-config.ts';
import { readFiles } from '../run/read-files.ts';
import { requireEmptyFolder } from '../run/run-folder.ts';
import type { RunFolder } from '../run/worker.ts';

interface UtilityFlags extends RunFlags {
  readonly synthetic?: string[];
}

/** Units of work for which another thread is worth its start: a quarter of a second. */
const THREAD_UNITS = 250_000;

/** Where the threads are: what they measure is neither read from a folder nor written to one. */
const NO_FOLDER: RunFolder = { directory: '.', keyPrefix: '' };

const TITLE = 'Compare table and datasets';

/** Measures in as many threads as are asked for and worth it. */
async function measureHere(
  what: Parameters<MeasureUtility>,
  { jobs = availableParallelism(), quiet = false }: UtilityFlags,
): Promise<MeasuredUtility> {
  const [input, opened] = what;
  const units = utilityUnits(input, opened);
  const threads = Math.min(jobs, Math.floor(units / THREAD_UNITS));
  if (threads < 2) return runStepwise(TITLE, units, measureUtility(...what), quiet);
  const pool = new TaskPool(new URL('./worker.mjs', import.meta.url), NO_FOLDER, threads);
  try {
    let measured: MeasuredUtility | null = null;
    const work = async () => {
      measured = await pool.measure(...what);
    };
    await runSteps([{ title: TITLE, left: () => pool.secondsLeft(), work }], quiet);
    return measured!;
  } finally {
    await pool.close();
  }
}

/** `utility TABLE --synthetic FILE...`: how well datasets serve for what their table does. */
export function addUtility(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('utility')
    .description('how well synthetic datasets serve for what their table does')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--synthetic <file...>', 'synthetic datasets of one release, CSV, Parquet or Excel (.xlsx)');
  addUtilityFlags(command).addOption(
    new Option(
      '--synthesized <variables>',
      'synthesized variables, A,B, where row i of each dataset is record i of the table (default: those that differ)',
    ).argParser(names),
  );
  command.addOption(new Option('--jobs <n>', 'worker threads (default: the cores)').argParser(positiveNumber));
  addResultFlags(command, 'its `utility` says what is measured', kept('the figures, a table of all of them and a report'))
    .addOption(new Option('--accept <rule...>', 'acceptance rules such as "utility.figures.propensityRatioMain <= 3"'))
    .addHelpText(
      'after',
      `
Without any of its flags it compares tables of counts of one, two and three variables, how far a logistic regression and a
tree can distinguish the datasets from the table, a regression of each synthesized variable on all others with its error on held-out records,
distributions within patterns of kept variables, and associations of every two variables.

Examples:
  synthrisk utility table.csv --synthetic z1.csv z2.csv z3.csv
  synthrisk utility table.csv --synthetic z*.csv --regression 'DIS == 1 ~ SEX + MIG' --regression 'INCOME ~ AGE * SEX'
  synthrisk utility table.csv --synthetic z*.csv --synthesized COUNTY --patterns COUNTY=SEX,AGE --out compared
  synthrisk utility --config run.yaml --synthetic z*.csv --json`,
    )
    .action(async (table: string | undefined, flags: UtilityFlags) => {
      const { json = false, quiet = false, out, synthetic } = flags;
      const config = await readConfig(flags.config, flagSettings(flags, table));
      if (synthetic === undefined) {
        throw new InvalidConfigError('no-datasets', 'Name the datasets: --synthetic FILE...');
      }
      const key = (await readReleaseKey(flags.releaseKey)) ?? newKey();
      if (out !== undefined) await requireEmptyFolder(out);
      const path = requireTable(config.table);
      const { input, opened, copied } = await readFiles(synthetic.length + 1, quiet, (open) =>
        planUtility({ config, table: open(path), datasets: synthetic.map((name) => ({ name, read: open(name) })) }),
      );
      const streams = new KeyedStreams(key, config.seed);
      const measured = await measureHere([input, opened, (name) => streams.open(name)], flags);
      const assessable = copied.copies.identicalDatasets === 0;
      const judged = judgeMeasure(config, { utility: measured.summary, assessable });
      if (out !== undefined) await storeUtility(new FileStore(out, runKeys(UTILITY_ID).root), measured);
      printUtility(measured.summary, { ...copied, acceptance: judged.results }, flags);
      noticeOtherRules(judged, quiet);
      if (out !== undefined && !json) {
        const confidential = join(out, 'confidential');
        process.stdout.write(
          `\nConfidential report:   ${join(confidential, 'utility.html')}\nConfidential table:    ${join(confidential, 'utility.csv')}\n`,
        );
      }
      exit(acceptanceExit(judged.results));
    });
}
