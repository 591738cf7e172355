import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { CLOUD_LIMITS } from '../../shared/contracts/cloud/cloud-prices.ts';
import { tableRiskReason } from '../../shared/contracts/config/attribute-risk-reason.ts';
import { bandLabels } from '../../shared/contracts/config/bands.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { type CloudEstimate, estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS, type CloudOptions } from '../../shared/cost/cloud-options.ts';
import { formatDollars } from '../../shared/cost/format-dollars.ts';
import { estimateRounds, type RoundsEstimate } from '../../shared/estimate/estimate-rounds.ts';
import { estimateRun, type RunEstimate } from '../../shared/estimate/estimate-run.ts';
import { chooseFitTasks } from '../../shared/estimate/look-ahead.ts';
import { measuredWork } from '../../shared/estimate/measured-work.ts';
import { batchesInCloud } from '../../shared/pipeline/plan/plan-batches.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../shared/pipeline/plan/planned-run.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatCount, formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';
import { addCloudFlags } from '../flags/cloud-flags.ts';
import { addEvaluationFlags } from '../flags/evaluation-flags.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { cloudLines, fitsBudget } from '../print/print-cloud.ts';
import { printColumns, writeDraftZeros, writeSuggestedConfig } from '../print/print-columns.ts';
import { writeLines } from '../print/write-lines.ts';
import { defaultMemoryLimit } from '../run/memory-limit.ts';
import { readConfig } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

/** How a run would be carried out in AWS, as the flags say; null without `--cloud`. */
function cloudOptions(flags: RunFlags): CloudOptions | null {
  const { budget, child, cloud, cloudVcpus, concurrency, fargateVcpus, fitTasks, runsAtOnce } = flags;
  const given = {
    ...(fargateVcpus === undefined ? {} : { vcpusAtOnce: fargateVcpus }),
    ...(runsAtOnce === undefined ? {} : { runsAtOnce }),
    ...(cloudVcpus === undefined ? {} : { vcpus: cloudVcpus, fitMemoryGiB: cloudVcpus * CLOUD_LIMITS.fargateGiBPerVcpu }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(child === undefined ? {} : { child }),
  };
  if (cloud) return { ...CLOUD_DEFAULTS, ...given };
  if (Object.keys(given).length > 0 || budget !== undefined || fitTasks !== undefined) {
    throw new InvalidConfigError(
      'cloud-not-asked-for',
      '--cloud-vcpus, --fit-tasks, --fargate-vcpus, --runs-at-once, --concurrency, --child and --budget are about running in AWS: add --cloud.',
    );
  }
  return null;
}

/** What the steps of a run would do. */
function workLines({ plan, schema }: PlannedRun, estimate: RunEstimate): string[] {
  const { synthesis, identification } = plan.config;
  const { synthesized, missing, structuralZeros } = synthesis;
  // Where values are missing or cells impossible, records may have fewer candidates.
  const fewer = missing === 'impute' || structuralZeros !== undefined;
  const partial = synthesized !== 'all';
  const intruders = identification.length;
  const reason = tableRiskReason(plan.config, { ...plan.table, schema });
  const rows = partial ? 'record' : 'combination';
  const datasets = formatQuantity(plan.datasets.count, 'dataset');
  return [
    ...(partial ? [`${synthesized.join(', ')} synthesized, the other variables kept`] : []),
    ...(reason === null
      ? [
          estimate.candidatesPerCombination === 1
            ? `no categories to guess at: ${formatCount(estimate.candidates)} values of numbers in all`
            : `${fewer ? 'up to ' : ''}${formatQuantity(estimate.candidatesPerCombination, 'candidate')} for each ${rows}, ${fewer ? 'at most ' : ''}${formatCount(estimate.candidates)} in all`,
        ]
      : [`no attribute risk. ${reason}`]),
    estimate.trees > 0
      ? `${formatQuantity(estimate.trees, 'tree')}, ${datasets}`
      : estimate.chains === 0
        ? `${datasets} from counts, the risk in closed form`
        : `${formatQuantity(estimate.chains, 'chain')}, ${formatQuantity(estimate.iterations, 'iteration')}, ${formatQuantity(estimate.draws, 'draw')} to score`,
    ...(partial
      ? [
          intruders === 0
            ? 'no identification risk: no intruder who matches is described (--known)'
            : `identification risk under ${formatQuantity(intruders, 'scenario')}, which the time below leaves out`,
        ]
      : []),
  ];
}

/** The numbers that are grouped into bands as they are read. */
const bandsOf = ({ plan }: PlannedRun) =>
  Object.entries(plan.config.variables).flatMap(([variable, { breaks }]) => (breaks ? [{ variable, bands: bandLabels(breaks) }] : []));

/** How far rounds of chains may go beyond the first, which the other lines are of; nothing where none follow. */
function roundLines(rounds: RoundsEstimate | null, candidates: number): string[] {
  if (rounds === null) return [];
  const { of, target, firstChains, mostChains, minutes, diskMiB, cloud } = rounds;
  // Where the record itself is the one candidate that could be ranked, numbers alone are guessed at.
  const figures = candidates === 1 ? 'probabilities near true values' : of === 'rank' ? 'ranks' : 'probabilities';
  const goal = `rounds of chains until ${figures} are expected to correlate by ${target} between two evaluations`;
  if (mostChains === firstChains) return [`${goal}, but the limit on chains allows no more than the first ${formatCount(firstChains)}`];
  return [
    `${goal}: ${formatCount(firstChains)} base chains and pairs, and up to ${formatCount(mostChains)} where these do not suffice`,
    `  all of them would take about ${formatDuration(60 * minutes)} and ${formatMemory(diskMiB)} of disk${cloud ? `, in AWS ${formatDuration(60 * cloud.minutes)} and ${formatDollars(cloud.dollars)}` : ''}, in two rounds`,
  ];
}

/** A budget that was named, and whether the run is expected to fit it. */
function budgetOf(estimate: CloudEstimate, { budget }: RunFlags): object {
  if (budget === undefined) return {};
  return { budget: { dollars: budget, fits: fitsBudget(estimate, budget) } };
}

interface PlanFlags extends RunFlags {
  readonly describe?: boolean;
  readonly writeConfig?: string;
  readonly writeZeros?: string;
}

/** Describes the columns of the table, or writes a config or impossible combinations for it, where that is asked for in place of a plan. */
async function lookAtColumns(
  config: Config,
  given: Settings,
  { describe, writeConfig, writeZeros, config: file, json = false }: PlanFlags,
): Promise<boolean> {
  if (!describe && writeConfig === undefined && writeZeros === undefined) return false;
  if (writeConfig !== undefined && file !== undefined) {
    throw new InvalidConfigError(
      'config-before-config',
      `--write-config is for a table that has no config yet: edit ${file}, or leave --config out.`,
    );
  }
  const files = await readRunFiles(config);
  const plan = (asked: Config) => planRun({ purpose: 'evaluate', config: asked, ...files, ...newKeys() });
  if (describe) await printColumns(files.table, config, plan, json);
  if (writeConfig !== undefined) await writeSuggestedConfig(writeConfig, files.table, config, given, plan);
  if (writeZeros !== undefined) await writeDraftZeros(writeZeros, files.table, config, plan);
  return true;
}

/** `plan TABLE`: what an evaluation would do, and what it would need. */
export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .description('what an evaluation would do: combinations, candidates, memory and minutes here, minutes and dollars in AWS')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--describe', 'show each column as it would be read, with its commonest values (confidential), what is odd and what to write')
    .option('--write-config <file>', 'write a config for the table, to edit: bands, missing codes, columns to drop; it is not overwritten')
    .option('--write-zeros <file>', 'write combinations that no record has where a question seems not to be asked, to edit and declare');
  addCloudFlags(addEvaluationFlags(command))
    .addHelpText(
      'after',
      `
Examples:
  synthrisk plan table.csv
  synthrisk plan table.csv --describe
  synthrisk plan table.csv --write-config run.yaml
  synthrisk plan table.csv --write-zeros zeros.csv
  synthrisk plan table.csv --control others.csv
  synthrisk plan table.csv --cloud --budget 20
  synthrisk plan table.csv --cloud --cloud-vcpus 16 --fit-tasks 4 --fargate-vcpus 64
  synthrisk plan table.csv --chains 64 --jobs 8 --json`,
    )
    .action(async (table: string | undefined, flags: PlanFlags) => {
      const asked = cloudOptions(flags);
      const given = flagSettings(flags, table);
      const config = withStarter(await readConfig(flags.config, given), flags);
      if (await lookAtColumns(config, given, flags)) return;
      const jobs = flags.jobs ?? availableParallelism();
      const limitBytes = flags.memory ?? defaultMemoryLimit();
      const planned = await planRun({
        purpose: 'evaluate',
        config,
        ...(await readRunFiles(config)),
        ...(flags.batchSize ? { batchSize: flags.batchSize } : {}),
        memory: { limitBytes, jobs },
        ...newKeys(),
      });
      const estimate = estimateRun(planned, jobs);
      const memoryLimitMiB = limitBytes / (1024 * 1024);
      const plan = asked ? { ...planned.plan, batches: batchesInCloud(planned, flags.batchSize) } : planned.plan;
      const work = measuredWork(plan, estimate);
      const options = asked && {
        ...asked,
        fitTasks: chooseFitTasks(plan, work, asked, flags.fitTasks === undefined ? {} : { asked: flags.fitTasks }),
      };
      const cloud = options && estimateCloud(work, options);
      const rounds = estimateRounds(plan, estimate, options);
      const { sha256: _, ...figures } = planned.plan.table;
      // Of the steps in AWS, which what is estimated there has taken in.
      const { stepMemory: _ofSteps, utilityMinutes, ...here } = estimate;
      const document = {
        table: figures,
        grouped: bandsOf(planned),
        ...here,
        memoryLimitMiB,
        rounds,
        ...(cloud ? { cloud: { ...cloud, ...budgetOf(cloud, flags) } } : {}),
        warnings: planned.plan.warnings,
      };
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
        return;
      }
      const lines = [
        `${formatQuantity(figures.records, 'record')}, ${formatQuantity(figures.variables, 'variable')}${figures.cells === null ? '' : `, ${formatQuantity(figures.cells, 'cell')}`}`,
        `${formatQuantity(figures.combinations, 'combination')}, ${formatCount(figures.sampleUniques)} of one record alone`,
        ...bandsOf(planned).map(
          ({ variable, bands }) => `${variable} grouped into ${formatQuantity(bands.length, 'band')}: ${bands.join(', ')}`,
        ),
        ...workLines(planned, estimate),
        `about ${formatDuration(60 * estimate.minutes)} with ${formatQuantity(estimate.jobs, 'job')} (a short calibration; the machine's other work counts)`,
        ...(utilityMinutes > 0 ? [`  of which ${formatDuration(60 * utilityMinutes)} for utility (--no-utility leaves it out)`] : []),
        `about ${formatMemory(estimate.memoryMiB)} of memory${estimate.memoryMiB > memoryLimitMiB ? `, more than the limit of ${formatMemory(memoryLimitMiB)}: the run would be refused` : ''}; ${formatMemory(estimate.diskMiB)} of disk`,
        ...(cloud ? cloudLines(cloud, flags.budget) : []),
        ...roundLines(rounds, estimate.candidatesPerCombination),
        ...planned.plan.warnings.map(({ message }) => `Notice: ${message}`),
      ];
      writeLines(lines);
    });
}
