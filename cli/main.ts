import { Command, CommanderError } from 'commander';
import { InterruptedError } from '../shared/contracts/errors.ts';
import { VERSION } from '../shared/contracts/version.ts';
import { addAssess } from './commands/assess.ts';
import { addAttack } from './commands/attack.ts';
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
import { addCompletion } from './commands/reference/completion.ts';
import { addSchema } from './commands/reference/schema.ts';
import { addReidentify } from './commands/reidentify.ts';
import { addRelease } from './commands/release.ts';
import { addRemedies } from './commands/remedies.ts';
import { addReport } from './commands/report.ts';
import { addSweep } from './commands/sweep.ts';
import { addSynthesize } from './commands/synthesize.ts';
import { addUtility } from './commands/utility.ts';
import { failureOf, printFailure } from './print/print-failure.ts';
import { calledCommand, completeCommands } from './usage/complete-commands.ts';

const exit = (code: number) => {
  process.exitCode = code;
};

const program = new Command('synthrisk')
  .description('Record-level disclosure risk of synthetic microdata, with its Monte Carlo error')
  .version(VERSION)
  // What is wrong is said at one place, below.
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
addSchema(program);
addCompletion(program);
addDp(program);
addCloud(program, exit);

completeCommands(program);

/** Whether failures are to be told as JSON too: looked for here, since some end before flags are read. */
const json = process.argv.slice(2).includes('--json');

// Whoever reads the output may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** Ends a command that has nothing to tidy up, as Ctrl-C does without being told; runs have ways of their own. */
const onInterrupt = () => {
  if (process.listenerCount('SIGINT') > 1) return;
  const interrupted = new InterruptedError('interrupted', 'Interrupted.');
  printFailure(failureOf(interrupted, 'synthrisk'), { json, isShown: false });
  process.exit(interrupted.exitCode);
};
if (json) process.on('SIGINT', onInterrupt);

try {
  await program.parseAsync();
} catch (error) {
  // Help that was asked for, and the version.
  const isAnswer = error instanceof CommanderError && error.exitCode === 0;
  if (!isAnswer) {
    const failure = failureOf(error, calledCommand(program, process.argv.slice(2)));
    const isShown = error instanceof CommanderError && error.code === 'commander.help';
    printFailure(failure, { json, isShown });
    process.exitCode = failure.exitCode;
  }
} finally {
  process.off('SIGINT', onInterrupt);
}
