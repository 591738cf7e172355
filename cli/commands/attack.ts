import { join } from 'node:path';
import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { newKey } from '../../shared/contracts/secret-key.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { planAttack } from '../../shared/pipeline/attack/plan-attack.ts';
import { ATTACK_ID, storeAttack } from '../../shared/pipeline/attack/store-attack.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { attackSteps, measureAttacks } from '../../shared/risk/attack/measure-attacks.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { type AttackFlags, addAttackFlags, attackSettings } from '../flags/attack-flags.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { addResultFlags, kept, type ResultFlags } from '../flags/result-flags.ts';
import { tableSettings } from '../flags/table-flags.ts';
import { printAttack } from '../print/print-attack.ts';
import { openRun } from '../run/open-run.ts';
import { runStepwise } from '../run/progress.ts';
import { readConfig, readReleaseKey } from '../run/read-config.ts';
import { readFiles } from '../run/read-files.ts';
import { requireEmptyFolder } from '../run/run-folder.ts';

interface Flags extends AttackFlags, ResultFlags {
  readonly synthetic?: string[];
  readonly control?: string;
  readonly run?: string;
}

/** `attack TABLE --synthetic FILE... --keys A,B --target C,D`: what other tools measure of a release. */
export function addAttack(program: Command): void {
  const command = program
    .command('attack')
    .description('what other tools measure of a release: synthpop, Anonymeter, sdcMicro, riskutility, closest records')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--synthetic <file...>', 'synthetic datasets of one release, CSV, Parquet or Excel (.xlsx)')
    .option('--control <file>', 'records of the same kind that the release was not made from')
    .option('--run <dir>', 'finished run that made or assessed the datasets: its optimal test of membership stands beside the attacks');
  addAttackFlags(command);
  const out = kept('the figures, what is said of every record, and a report');
  addResultFlags(command, 'its `attack` says what is measured', out)
    .addHelpText(
      'after',
      `
Disclosure measures of synthpop, the attacks of Anonymeter (singling out, linkability, inference), distances to the closest
record, sdcMicro's sample uniques, k-anonymity, individual risk and SUDA scores, and riskutility's adversarial accuracy,
identifiability, delta-presence, record linkage, information disclosure, leakage and population uniqueness. With a control, published tests of who is
in the table: distance to the closest record, DOMIAS, a classifier. Without a control what needs one is null, with the reason. Every figure is confidential.

Examples:
  synthrisk attack table.csv --synthetic z1.csv z2.csv --keys SEX,AGE,MARITAL --target INCOME,HEALTH
  synthrisk attack table.csv --synthetic z*.csv --control others.csv --keys SEX,AGE --target INCOME --out attacked
  synthrisk attack table.csv --run runs/first --control others.csv --keys SEX,AGE --target INCOME
  synthrisk attack table.csv --synthetic z1.csv --keys SEX,AGE --target INCOME --sampling-fraction 0.01 --json`,
    )
    .action(async (table: string | undefined, flags: Flags) => {
      const { json = false, quiet = false, out, control } = flags;
      const run = flags.run === undefined ? null : { name: flags.run, ...(await openRun(flags.run)) };
      const ofFlags = {
        table,
        ...tableSettings(flags),
        seed: flags.seed,
        synthesis: { missing: flags.missing },
        attack: attackSettings(flags),
      };
      const config = await readConfig(flags.config, ofFlags, run === null ? {} : readingOfRun(run.plan));
      const synthetic = flags.synthetic ?? (run && releasedFiles(run));
      if (synthetic === null) {
        const of = run === null ? '' : ` that the run in ${run.name} was given`;
        throw new InvalidConfigError('no-datasets', `Name the datasets${of}: --synthetic FILE...`);
      }
      const key = (await readReleaseKey(flags.releaseKey)) ?? newKey();
      if (out !== undefined) await requireEmptyFolder(out);
      const path = requireTable(config.table);
      const files = synthetic.length + 1 + Number(control !== undefined);
      const { input, opened, copied } = await readFiles(files, quiet, (open) =>
        planAttack({
          config,
          table: open(path),
          datasets: synthetic.map((name) => ({ name, read: open(name) })),
          control: control === undefined ? null : { name: control, read: open(control) },
          run,
        }),
      );
      const streams = new KeyedStreams(key, config.seed);
      const measured = await runStepwise(
        'Attack the release',
        attackSteps(input, opened),
        measureAttacks(input, opened, (name) => streams.open(name)),
        quiet,
      );
      if (out !== undefined) await storeAttack(new FileStore(out, runKeys(ATTACK_ID).root), measured);
      printAttack(measured.summary, copied, flags);
      if (out !== undefined && !json) {
        const confidential = join(out, 'confidential');
        process.stdout.write(
          `\nConfidential report:   ${join(confidential, 'attack.html')}\nConfidential tables:   ${join(confidential, 'attack.csv')}, ${join(confidential, 'attack-records.csv')}\n`,
        );
      }
    });
}

/** How a run read its table, as settings. */
function readingOfRun({ config: { variables, missingCodes, numbers, count, synthesis } }: Plan): Settings {
  return { variables, missingCodes, numbers, count, synthesis: { missing: synthesis.missing } };
}

/** Files of the datasets that a run made; null for one that was given them. */
function releasedFiles({ name, plan: { runId, datasets } }: { readonly name: string; readonly plan: Plan }): string[] | null {
  if (datasets.origin !== 'synthesized') return null;
  const { root, release } = runKeys(runId);
  return Array.from({ length: datasets.count }, (_, l) => join(name, release.dataset(l + 1).slice(root.length)));
}
