import { type Command, Option } from 'commander';
import { containerVcpus, dollarAmount, fitTasks, positiveNumber } from './parse-flag.ts';

/** Adds what a run in AWS would be carried out with, for its estimate. */
export function addCloudFlags(command: Command): Command {
  return command
    .option('--cloud', 'also minutes and dollars in AWS, from list prices and the speed of this machine')
    .addOption(new Option('--cloud-vcpus <n>', 'vCPU of the task that runs the chains (default: 4)').argParser(containerVcpus))
    .addOption(new Option('--fit-tasks <n>', 'tasks that share the chains, or auto (default: 1)').argParser(fitTasks))
    .addOption(
      new Option('--fargate-vcpus <n>', 'vCPU that all tasks have at once (default: 6, as new accounts)').argParser(positiveNumber),
    )
    .addOption(new Option('--runs-at-once <n>', 'runs like this that are under way at once (default: 1)').argParser(positiveNumber))
    .addOption(new Option('--concurrency <n>', 'batches assessed at once in AWS (default: 400)').argParser(positiveNumber))
    .addOption(new Option('--child <type>', 'children of the map over the batches (default: express)').choices(['express', 'standard']))
    .option('--budget <dollars>', 'whether a run in AWS fits it', dollarAmount);
}
