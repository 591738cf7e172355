import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { planRun } from '../../shared/pipeline/plan-run.ts';
import { estimateRun } from '../estimate-run.ts';
import { defaultMemoryLimit } from '../memory-limit.ts';
import {
  addCommonFlags,
  addGoalFlags,
  addModelFlags,
  addRiskFlags,
  addSynthesisFlags,
  flagSettings,
  type RunFlags,
  requireTable,
} from '../options.ts';
import { formatDuration } from '../progress.ts';
import { readConfig, readUserFile } from '../read-config.ts';

/** `plan TABLE`: what an evaluation would do, and what it would need. */
export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .description('what an evaluation would do: combinations, candidates, memory and minutes here')
    .argument('[table]', 'confidential table, CSV or Parquet');
  addGoalFlags(addRiskFlags(addSynthesisFlags(addModelFlags(addCommonFlags(command)))))
    .addHelpText(
      'after',
      `
Examples:
  synthrisk plan table.csv
  synthrisk plan table.csv --chains 64 --jobs 8 --json`,
    )
    .action(async (table: string | undefined, flags: RunFlags) => {
      const config = await readConfig(flags.config, flagSettings(flags, table));
      const jobs = flags.jobs ?? availableParallelism();
      const limitBytes = flags.memory ?? defaultMemoryLimit();
      const planned = await planRun({
        purpose: 'evaluate',
        config,
        table: await readUserFile(requireTable(config.table)),
        ...(flags.batchSize ? { batchSize: flags.batchSize } : {}),
        memory: { limitBytes, jobs },
      });
      const estimate = estimateRun(planned, jobs);
      const memoryLimitMiB = limitBytes / (1024 * 1024);
      const { sha256: _, ...figures } = planned.plan.table;
      const document = {
        runId: planned.plan.runId,
        table: figures,
        ...estimate,
        memoryLimitMiB,
        warnings: planned.plan.warnings,
      };
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
        return;
      }
      const lines = [
        `${figures.records} records, ${figures.variables} variables, ${figures.cells} cells`,
        `${figures.combinations} combinations, ${figures.sampleUniques} of one record alone`,
        `${estimate.candidatesPerCombination} candidates for each combination, ${estimate.candidates} in all`,
        `${estimate.chains} chains, ${estimate.iterations} iterations, ${estimate.draws} draws to score`,
        `about ${formatDuration(60 * estimate.minutes)} minutes with ${estimate.jobs} jobs (a short calibration; the machine's other work counts)`,
        `about ${Math.round(estimate.memoryMiB)} MiB of memory${estimate.memoryMiB > memoryLimitMiB ? `, more than the limit of ${Math.round(memoryLimitMiB)} MiB: the run would be refused` : ''}; ${Math.round(estimate.diskMiB)} MiB of disk`,
        `run ${planned.plan.runId}`,
        ...planned.plan.warnings.map(({ message }) => `Notice: ${message}`),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}
