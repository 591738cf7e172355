import { Command } from 'commander';
import { errorPlaces, SynthriskError } from '../shared/contracts/errors.ts';
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
import { addReidentify } from './commands/reidentify.ts';
import { addRelease } from './commands/release.ts';
import { addRemedies } from './commands/remedies.ts';
import { addReport } from './commands/report.ts';
import { addSchema } from './commands/schema.ts';
import { addSweep } from './commands/sweep.ts';
import { addSynthesize } from './commands/synthesize.ts';
import { addUtility } from './commands/utility.ts';

const exit = (code: number) => {
  process.exitCode = code;
};

const program = new Command('synthrisk')
  .description('Record-level disclosure risk of synthetic microdata, with its Monte Carlo error')
  .version(VERSION)
  .showHelpAfterError('(add --help for the options and examples)')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
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
addDp(program);
addCloud(program, exit);

/** What the file system says of a full disk or a missing permission, also where a worker thread was told. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && /^E[A-Z0-9]+: /.test(error.message);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof SynthriskError) {
    process.stderr.write(`${error.name} (${error.code}): ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else if (isSystemError(error)) {
    process.stderr.write(`The run failed: ${error.message}\n`);
    process.exitCode = 3;
  } else {
    const { name, places } = errorPlaces(error);
    process.stderr.write(`This is a mistake in synthrisk itself (${name}):\n${places.join('\n')}\n`);
    process.exitCode = 3;
  }
}
