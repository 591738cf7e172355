import { join } from 'node:path';
import type { Command } from 'commander';
import type { AskedMap } from '../../shared/compare/compare-summaries.ts';
import { compareRuns } from '../../shared/pipeline/compare/compare-runs.ts';
import { storeComparison } from '../../shared/pipeline/compare/store-comparison.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { addMapFlags, askedMap, type MapFlags } from '../flags/map-flags.ts';
import { addSeveralRunsFlags, type SeveralRunsFlags, severalRunsOptions } from '../flags/several-runs-flags.ts';
import { comparisonLines } from '../print/print-comparison.ts';
import { sweepLines, sweepTotals } from '../print/print-sweep.ts';
import { writeLines } from '../print/write-lines.ts';
import { defaultMemoryLimit } from '../run/memory-limit.ts';
import { requireFolderOfRuns } from '../run/run-folder.ts';
import { estimateSweptRun, type PlannedSweptRun, planSweep, runSweep, type SweptEstimate } from '../run/sweep-runs.ts';

interface SweepFlags extends MapFlags, SeveralRunsFlags {
  readonly config: string;
  readonly plan?: boolean;
}

const printJson = (document: unknown) => process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);

/** `sweep --config GRID`: the runs of a grid of settings, and the map of their risk and utility. */
export function addSweep(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('sweep')
    .description('evaluations over a grid of settings, and the map of their risk and utility')
    .requiredOption(
      '--config <file>',
      'config file (YAML) of all runs, with `grid`: values of model, datasets, classes, synthesized, epsilon to cross',
    )
    .option('--plan', 'only say which runs there are, and their minutes and memory');
  addMapFlags(command);
  const out = 'folder of the runs and the map (default: that of the config, with -sweep)';
  addSeveralRunsFlags(command, out, 'run')
    .addHelpText(
      'after',
      `
A grid is crossed whole, but that a model takes part with what it has: classes are of dpmpm and mixed, epsilon of the models
of counts. Every run is an evaluation of its own in a folder below --out, with random numbers of its own; those that have finished
are found again. All are planned before the first begins. The exit code is 4 where there are acceptance rules and no run
meets all of them.

  # grid.yaml
  table: table.csv
  mcmc: { precision: quick }
  grid:
    datasets: [1, 5, 20]
    synthesized: [[INCOME], [INCOME, TENURE]]

Examples:
  synthrisk sweep --config grid.yaml --plan
  synthrisk sweep --config grid.yaml --out swept
  synthrisk sweep --config grid.yaml --out swept --resume     after an interruption
  synthrisk sweep --config grid.yaml --utility utility.figures.propensityMain --json`,
    )
    .action(async (flags: SweepFlags) => {
      const { jobs } = severalRunsOptions(flags);
      const limits = { limitBytes: flags.memory ?? defaultMemoryLimit(), jobs };
      if (flags.plan) {
        const estimates: SweptEstimate[] = [];
        await planSweep(flags.config, limits, (name, planned) => {
          estimates.push(estimateSweptRun(name, planned, jobs));
        });
        if (flags.json) printJson({ runs: estimates, jobs, ...sweepTotals(estimates) });
        else writeLines(sweepLines(estimates, jobs));
        return;
      }
      const out = flags.out ?? `${flags.config.replace(/\.ya?ml$/i, '')}-sweep`;
      await requireFolderOfRuns(out);
      const runs = await planSweep(flags.config, limits, () => {});
      exit(await carryOutSweep(runs, out, flags));
    });
}

/** Carries the runs out and holds them against each other; gives the exit code. */
async function carryOutSweep(planned: readonly PlannedSweptRun[], out: string, flags: SweepFlags): Promise<0 | 4> {
  const asked: AskedMap = askedMap(flags);
  const { runs, summaries } = await runSweep(planned, out, severalRunsOptions(flags), asked, (name, number) => {
    if (!flags.quiet) process.stderr.write(`Run ${number} of ${planned.length}: ${name}\n`);
  });
  const found = await compareRuns(runs, asked);
  await storeComparison(new FileStore(join(out, 'confidential')), found);
  if (flags.json) printJson(found);
  else writeLines(comparisonLines(found, out));
  return summaries.some(({ acceptance }) => acceptance.every(({ met }) => met)) ? 0 : 4;
}
