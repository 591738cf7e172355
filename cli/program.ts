import { Command } from 'commander';
import { VERSION } from '../shared/contracts/version.ts';
import { addAssess } from './commands/assess.ts';
import { addAttack } from './commands/attack.ts';
import { addBatch } from './commands/batch.ts';
import { addCompletion } from './commands/begin/completion.ts';
import { addExample } from './commands/begin/example.ts';
import { addSchema } from './commands/begin/schema.ts';
import { addCalibrate } from './commands/calibrate.ts';
import { addCloud } from './commands/cloud.ts';
import { addCompare } from './commands/compare.ts';
import { addDp } from './commands/dp.ts';
import { addEvaluate } from './commands/evaluate.ts';
import { addIdentify } from './commands/identify.ts';
import { addInherent } from './commands/inherent.ts';
import { addMask } from './commands/mask.ts';
import { addPlan } from './commands/plan.ts';
import { addReassess } from './commands/reassess.ts';
import { addReidentify } from './commands/reidentify.ts';
import { addRelease } from './commands/release.ts';
import { addRemedies } from './commands/remedies.ts';
import { addReport } from './commands/report.ts';
import { addSweep } from './commands/sweep.ts';
import { addSynthesize } from './commands/synthesize.ts';
import { addUtility } from './commands/utility.ts';
import { completeCommands } from './usage/complete-commands.ts';

/**
 * The command line with all of its commands.
 *
 * @param exit takes the exit code of a command that ends otherwise than with 0 or an error
 */
export function synthriskProgram(exit: (code: number) => void): Command {
  const program = new Command('synthrisk')
    .description('Record-level disclosure risk of synthetic microdata, with its Monte Carlo error')
    .version(VERSION)
    // What is wrong is said at one place, by whoever runs the program.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  synthrisk evaluate table.csv              the main job, in a folder of its own
  synthrisk plan table.csv                  what it would take
  synthrisk evaluate table.csv --candidates two-changes
                                            an intruder who considers changes in up to two variables
  synthrisk evaluate --help                 every option of a command

Exit codes: 0 done, 2 bad input or config, 3 the run failed, 4 an acceptance rule was not met, 130 interrupted.`,
    );
  addEvaluate(program, exit);
  addSynthesize(program, exit);
  addAssess(program, exit);
  addIdentify(program, exit);
  addUtility(program, exit);
  addAttack(program);
  addInherent(program);
  addMask(program);
  addReidentify(program);
  addCalibrate(program);
  addPlan(program);
  addReassess(program, exit);
  addRemedies(program);
  addCompare(program);
  addSweep(program, exit);
  addReport(program);
  addRelease(program);
  addExample(program);
  addSchema(program);
  addCompletion(program);
  addBatch(program, exit);
  addDp(program);
  addCloud(program, exit);
  completeCommands(program);
  return program;
}
