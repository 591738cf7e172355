import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_CHAINS, PRECISIONS } from '../../shared/contracts/config/config.ts';
import { drawCount, likelihoodPower, openShare, severalOf, timesOf } from '../../shared/contracts/number-schemas.ts';
import { didYouMean } from '../../shared/contracts/settings/nearest-name.ts';
import { INSTEAD_OF_SEARCH } from '../../shared/contracts/settings/refuse-retired.ts';
import { names, numberOf, positiveNumber } from './parse-flag.ts';
import type { RunFlags } from './run-flags.ts';

/** The numbers of an evaluation that names none. */
const FIRST = PRECISIONS.default;

/** Adds the flags of a single scenario, and of how many of its rows are assessed together. */
export function addScenarioFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--candidates <kind>',
        'what the intruder considers: one-change, two-changes or all-cells (default: one-change)',
      ).argParser(candidates),
    )
    .addOption(
      new Option('--unknown <variables>', 'the intruder considers every value of these variables, A,B, and knows the others')
        .argParser(names)
        .conflicts('candidates'),
    )
    .addOption(
      new Option(
        '--prior <prior>',
        'what the intruder believes before the release: uniform, empirical, model, or FILE,FILE of weights, with --unknown or --synthesized (default: uniform)',
      ).argParser(prior),
    )
    .addOption(
      new Option(
        '--marginals <variables>',
        'with all-cells, the distribution of these variables together, A,B; repeatable (default: each variable by itself)',
      ).argParser((text: string, sets: string[][] | undefined) => [...(sets ?? []), names(text)]),
    )
    .addOption(new Option('--slope <power>', 'power of the likelihood (default: 1)').argParser(numberOf(likelihoodPower)))
    .addOption(new Option('--batch-size <n>', 'combinations assessed together; results do not depend on it').argParser(positiveNumber));
}

/** Adds the flags of attribute risk. */
export function addRiskFlags(command: Command): Command {
  return addScenarioFlags(command)
    .addOption(new Option('--estimator <name>', 'what to estimate (default: augmented)').choices(['augmented', 'parameters', 'importance']))
    .addOption(
      new Option(
        '--precision <name>',
        'named set of the numbers of chains and draws; evaluations by default and high add chains until their ranks are reproducible',
      ).choices(['quick', 'default', 'high']),
    )
    .addOption(new Option('--chains <n>', `base chains (default: ${FIRST.chains} to begin with)`).argParser(numberOf(severalOf)))
    .addOption(new Option('--draws <n>', `draws kept from a base chain (default: ${FIRST.draws})`).argParser(numberOf(drawCount)))
    .addOption(new Option('--thin <n>', `iterations between those draws (default: ${FIRST.thin})`).argParser(positiveNumber))
    .addOption(
      new Option(
        '--paired-chains <n>',
        `paired chains of a dataset, on each side (default: ${FIRST.pairedChains} to begin with)`,
      ).argParser(numberOf(severalOf)),
    )
    .addOption(
      new Option('--paired-draws <n>', `draws kept from a paired chain (default: ${FIRST.pairedDraws})`).argParser(numberOf(drawCount)),
    )
    .addOption(new Option('--paired-thin <n>', `iterations between those draws (default: ${FIRST.pairedThin})`).argParser(positiveNumber));
}

/** Adds the file of people who are not in the table. */
export const addControlFlag = (command: Command): Command =>
  command.option(
    '--control <file>',
    'real people who are not in the table, with its columns: its records are compared with them in the test of membership (default: with people drawn from the model)',
  );

/** A prior by its name, or the files of its weights. */
function prior(text: string): NonNullable<RunFlags['prior']> {
  return ['uniform', 'empirical', 'model'].includes(text) ? text : { file: names(text) };
}

/** Kinds of candidates that a word names. */
const CANDIDATE_KINDS = ['one-change', 'two-changes', 'all-cells'];

/** The kind of candidates that the intruder considers. */
function candidates(text: string): string {
  if (CANDIDATE_KINDS.includes(text)) return text;
  if (/^search\b/.test(text)) throw new InvalidArgumentError(INSTEAD_OF_SEARCH);
  throw new InvalidArgumentError(`Allowed choices are ${CANDIDATE_KINDS.join(', ')}${didYouMean(text, CANDIDATE_KINDS)}.`);
}

/** What two evaluations are to agree on and how well: `0.97`, `rank=0.97`, `probability=0.97` or `off`. */
export function reproducibility(text: string): NonNullable<RunFlags['reproducibility']> {
  if (text === 'off') return 'off';
  const [, of, target] = /^(?:(rank|probability)=)?([\d.]+)$/.exec(text) ?? [];
  if (target === undefined) {
    throw new InvalidArgumentError('expected a correlation such as 0.97, rank=0.97 or probability=0.97, or off');
  }
  const correlation = numberOf(openShare)(target);
  return of === undefined ? correlation : { of, target: correlation };
}

/** A number of chains, or `4x`: so many times those of the first round. */
export function maxChains(text: string): NonNullable<RunFlags['maxChains']> {
  const [, number, times] = /^(?:([1-9]\d*)|([\d.]+)x)$/.exec(text) ?? [];
  if (number !== undefined) return positiveNumber(number);
  if (times !== undefined) return { times: numberOf(timesOf)(times) };
  throw new InvalidArgumentError('expected a whole number from 1, or 4x for so many times the first round');
}

/** Adds what an evaluation is to reach: a reproducibility, by adding chains, and rules that it is judged by. */
export function addGoalFlags(command: Command): Command {
  return addAcceptanceFlag(command)
    .addOption(
      new Option(
        '--reproducibility <target>',
        'add chains in rounds until two evaluations are expected to agree so well: 0.97 or rank=0.97 on ranks, probability=0.97 on probabilities; off: add none (default: by --precision; off with --chains or --paired-chains)',
      ).argParser(reproducibility),
    )
    .addOption(
      new Option(
        '--max-chains <n>',
        `base chains and pairs at most when chains are added, a number or 4x: so many times the first (default: ${MOST_CHAINS.named} with --reproducibility, else ${MOST_CHAINS.ofPrecision.times}x)`,
      ).argParser(maxChains),
    );
}

/** Adds the rules that results are judged by. */
export function addAcceptanceFlag(command: Command): Command {
  return command
    .option(
      '--accept <rule...>',
      'acceptance rules, such as "attributeRisk.truthRankedFirstShare <= 0.05", or of one scenario \'attributeRisk["its name"].truthRankedFirstShare <= 0.05\'; exit code 4 when one is not met',
    )
    .option(
      '--accept-starter',
      'add the starter rules that apply to the run: a starting point, to be replaced by your own (`synthrisk schema --starter-rules` prints them with their reasons)',
    )
    .option(
      '--acceptance-region <rule...>',
      'rules on the risk of every record, whatever the weight of its truth beforehand, such as "R <= 0.1 or RR <= 1.05", or of one scenario \'attributeRisk["its name"]: R <= 0.1 or RR <= 1.05\'; exit code 4 when a record breaks one',
    );
}
