import { type Command, Option } from 'commander';
import { decimalNumber, names, positiveNumber } from './parse-flag.ts';

/** Adds the flags of attribute risk. */
export function addRiskFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--estimator <name>', 'what to estimate (default: augmented)').choices([
        'augmented',
        'parameters',
        'importance',
      ]),
    )
    .addOption(
      new Option('--candidates <kind>', 'what the intruder considers (default: one-change)').choices([
        'one-change',
        'two-changes',
        'all-cells',
      ]),
    )
    .addOption(
      new Option(
        '--unknown <variables>',
        'the intruder considers every value of these variables, A,B, and knows the others',
      )
        .argParser(names)
        .conflicts('candidates'),
    )
    .addOption(new Option('--slope <power>', 'power of the likelihood (default: 1)').argParser(decimalNumber))
    .addOption(
      new Option('--precision <name>', 'named set of the numbers of chains and draws').choices([
        'quick',
        'default',
        'high',
      ]),
    )
    .addOption(new Option('--chains <n>', 'base chains (default: 32)').argParser(positiveNumber))
    .addOption(
      new Option('--draws <n>', 'draws kept from a base chain (default: 50)').argParser(positiveNumber),
    )
    .addOption(
      new Option('--thin <n>', 'iterations between those draws (default: 10)').argParser(positiveNumber),
    )
    .addOption(
      new Option('--paired-chains <n>', 'paired chains of a dataset, on each side (default: 8)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option('--paired-draws <n>', 'draws kept from a paired chain (default: 150)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option('--paired-thin <n>', 'iterations between those draws (default: 5)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option('--batch-size <n>', 'combinations assessed together; results do not depend on it').argParser(
        positiveNumber,
      ),
    );
}

/** Adds what an evaluation is to reach: a reproducibility, by adding chains, and rules that it is judged by. */
export function addGoalFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--reproducibility <correlation>',
        'add chains in rounds until the file reaches this, for example 0.97',
      ).argParser(decimalNumber),
    )
    .addOption(
      new Option('--max-chains <n>', 'chains at most when chains are added (default: 1000)').argParser(
        positiveNumber,
      ),
    )
    .option(
      '--accept <rule...>',
      'acceptance rules, such as "attributeRisk.truthRankedFirstShare <= 0.05"; exit code 4 when one is not met',
    );
}
