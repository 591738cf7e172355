import { join } from 'node:path';
import type { Command } from 'commander';
import { compareRuns } from '../../shared/pipeline/compare/compare-runs.ts';
import { storeComparison } from '../../shared/pipeline/compare/store-comparison.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { addMapFlags, askedMap, type MapFlags } from '../flags/map-flags.ts';
import { DETAILS } from '../flags/run-flags.ts';
import { comparisonLines } from '../print/print-comparison.ts';
import { writeFindings } from '../print/write-lines.ts';
import { openRun } from '../run/open-run.ts';
import { requireEmptyFolder } from '../run/run-folder.ts';
import { runNames } from '../run/run-names.ts';

interface CompareFlags extends MapFlags {
  readonly out?: string;
  readonly json?: boolean;
  readonly details?: boolean;
}

/** `compare RUN RUN...`: finished runs of one table side by side. */
export function addCompare(program: Command): void {
  const command = program
    .command('compare')
    .description('finished runs of one table side by side: risk against utility, and which runs are dominated')
    .argument('<runs...>', 'folders of finished runs');
  addMapFlags(command)
    .option('--out <dir>', 'empty folder for the map as a page, all measures and their differences')
    .option('--json', 'one JSON document on standard output')
    .option('--details', DETAILS)
    .addHelpText(
      'after',
      `
All measures that runs have in common are compared, with the errors of their differences; two of them make the map. A run is
dominated where another has no more risk and no less utility. Runs of other tables are refused: their confidential folders
tell, so that they have to be there.

Examples:
  synthrisk compare runs/first runs/second
  synthrisk compare runs/m-1 runs/m-5 runs/m-20 --out compared
  synthrisk compare runs/* --risk 'identificationRisk["neighbour"].mean.expectedMatchRisk' --utility utility.figures.propensityMain
  synthrisk compare runs/first runs/first-remedies/datasets-1 --json`,
    )
    .action(async (folders: string[], flags: CompareFlags) => {
      const { out, json = false } = flags;
      if (out !== undefined) await requireEmptyFolder(out);
      const names = runNames(folders);
      const runs = [];
      for (const [index, folder] of folders.entries()) {
        runs.push({ name: names[index]!, ...(await openRun(folder)) });
      }
      const found = await compareRuns(runs, askedMap(flags));
      if (out !== undefined) await storeComparison(new FileStore(join(out, 'confidential')), found);
      if (json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
      else writeFindings(comparisonLines(found, out), flags);
    });
}
