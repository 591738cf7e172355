import { type Command, InvalidArgumentError, Option } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/results/identification.ts';
import type { Settings } from '../../shared/contracts/settings/complete-config.ts';
import type { ChildType } from '../../shared/cost/cloud-options.ts';
import { dollarAmount } from '../cloud/flags.ts';
import { parseByteSize } from './parse-byte-size.ts';

/** Flags that every command of a run takes. */
export interface RunFlags {
  readonly config?: string;
  readonly out?: string;
  readonly seed?: number;
  readonly releaseKey?: string;
  readonly jobs?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly resume?: boolean;
  readonly batchSize?: number;
  /** In bytes. */
  readonly memory?: number;
  readonly classes?: number;
  readonly chains?: number;
  readonly burnIn?: number;
  readonly draws?: number;
  readonly thin?: number;
  readonly pairedChains?: number;
  readonly pairedDraws?: number;
  readonly pairedThin?: number;
  readonly precision?: string;
  readonly reproducibility?: number;
  readonly maxChains?: number;
  readonly datasets?: number;
  readonly synthesisChains?: string;
  readonly missing?: string;
  readonly model?: string;
  readonly synthesized?: string[];
  readonly structuralZeros?: string;
  readonly known?: string[];
  readonly radius?: Readonly<Record<string, number | string>>;
  readonly shape?: string;
  /** The radii, or true for the usual ones. */
  readonly sweep?: number[] | true;
  readonly sweepJointly?: boolean;
  readonly inherent?: boolean;
  readonly estimator?: string;
  readonly candidates?: string;
  readonly unknown?: string[];
  readonly slope?: number;
  readonly accept?: string[];
  readonly targets?: number;
  readonly replicates?: number;
  readonly cloud?: boolean;
  readonly cloudVcpus?: number;
  readonly concurrency?: number;
  readonly child?: ChildType;
  readonly budget?: number;
}

/** Sizes of a container task in vCPU, whole ones. */
const FARGATE_VCPUS = [1, 2, 4, 8, 16];

/** A whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

/** A whole number from 1. */
export function positiveNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError('expected a whole number from 1');
  return Number(text);
}

function decimalNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number');
  return value;
}

/** A whole number of vCPU that Fargate offers. */
function containerVcpus(text: string): number {
  const vcpus = positiveNumber(text);
  if (!FARGATE_VCPUS.includes(vcpus))
    throw new InvalidArgumentError(`expected one of ${FARGATE_VCPUS.join(', ')}`);
  return vcpus;
}

/** Names between commas, `A,B`. */
export const names = (text: string) => text.split(',').map((name) => name.trim());

/** Adds the flags that every command has. */
export function addCommonFlags(command: Command): Command {
  return command
    .option('--config <file>', 'config file (YAML); `synthrisk schema` describes it')
    .option('--out <dir>', 'folder of the run (default: synthrisk-runs/<runId>)')
    .addOption(
      new Option('--seed <n>', 'tells runs of one release key apart (default: 1)').argParser(wholeNumber),
    )
    .option(
      '--release-key <file>',
      'repeat the run that had this key (default: a new key by chance, kept in confidential/release-key)',
    )
    .addOption(new Option('--jobs <n>', 'worker threads (default: the cores)').argParser(positiveNumber))
    .addOption(
      new Option(
        '--memory <size>',
        "memory that the run may take, such as 4GiB: refused before it starts when it needs more (default: the machine's)",
      ).argParser(parseByteSize),
    )
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress')
    .option('--resume', 'go on with a run that stopped');
}

/** Adds the flags of the synthesizer and its chains. */
export function addModelFlags(command: Command): Command {
  return command
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category', 'impute']))
    .addOption(
      new Option('--model <name>', 'the synthesizer (default: dpmpm)').choices(['dpmpm', 'dp-areal', 'cart']),
    )
    .addOption(
      new Option(
        '--synthesized <variables>',
        'replace these variables, A,B, and keep the others (default: all)',
      ).argParser(names),
    )
    .option('--structural-zeros <file>', 'impossible partial combinations; an empty cell is any value')
    .addOption(new Option('--classes <n>', 'latent classes at most (default: 40)').argParser(positiveNumber))
    .addOption(
      new Option('--burn-in <n>', 'iterations a fresh chain discards (default: 1000)').argParser(wholeNumber),
    );
}

/** Adds the flags of the datasets to synthesize. */
export function addSynthesisFlags(command: Command): Command {
  return command
    .addOption(new Option('--datasets <n>', 'synthetic datasets (default: 5)').argParser(positiveNumber))
    .addOption(
      new Option(
        '--synthesis-chains <which>',
        'each dataset from a chain of its own, or all from one',
      ).choices(['own', 'one']),
    );
}

/** The radii so far, and one more: `V=0.1` as a share of the value, `V=abs:500` in its units. */
export function radius(text: string, before: RunFlags['radius'] = {}): NonNullable<RunFlags['radius']> {
  const [, name, size] = /^(.+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || size === undefined) {
    throw new InvalidArgumentError(
      'expected a variable and its radius, such as INCOME=0.1 or INCOME=abs:500',
    );
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} has a radius already`);
  return { ...before, [name]: size.startsWith('abs:') ? size : decimalNumber(size) };
}

/** Adds the flags of one intruder who matches. */
export function addIdentificationFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--known <variables>',
        'an intruder knows these kept variables, A,B, and matches; "" for none',
      ).argParser((text) => (text.trim() === '' ? [] : names(text))),
    )
    .addOption(
      new Option(
        '--radius <variable=radius>',
        'how close a continuous variable matches: INCOME=0.1 (a share), INCOME=abs:500; can be repeated',
      ).argParser(radius),
    )
    .addOption(
      new Option(
        '--shape <shape>',
        'each continuous variable within its radius, or all of them within an ellipse (default: box)',
      ).choices(['box', 'ellipse']),
    )
    .addOption(
      new Option(
        '--sweep [radii]',
        `try radii, such as 0.05,0.1, for the continuous variables without one, and report at the one of most risk (default: ${DEFAULT_SWEEP_RADII.join()})`,
      ).argParser((text) => names(text).map(decimalNumber)),
    )
    .option('--sweep-jointly', 'try every combination of these radii, not the same one for all variables');
}

/** Adds the flag of the bounds of a release. */
export function addBoundsFlag(command: Command): Command {
  return command.option(
    '--inherent',
    'also the least and the most that such a release could disclose, and where it lies between them',
  );
}

/** Adds the flag of the synthesized variables where nothing is synthesized: of datasets made elsewhere. */
export function addTrueValuesFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--synthesized <variables>',
      'synthesized variables, A,B, of which the intruder knows the true values (default: all that differ)',
    ).argParser(names),
  );
}

/**
 * The identification scenario that flags give, as settings; none without its flags.
 *
 * @throws InvalidConfigError when they do not say what the intruder knows
 */
function identificationScenario(flags: RunFlags): Settings | undefined {
  const { known, radius, shape, sweep, sweepJointly } = flags;
  if (known === undefined) {
    if (radius || shape || sweep || sweepJointly) {
      throw new InvalidConfigError(
        'no-known',
        'The flags --radius, --shape and --sweep are of an intruder who matches: say with --known what he knows, or leave them to `identification` in the config.',
      );
    }
    return undefined;
  }
  const swept = sweep || sweepJointly;
  return {
    known,
    radius,
    shape,
    sweep: swept && { radii: Array.isArray(sweep) ? sweep : undefined, jointly: sweepJointly },
  };
}

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

/** Adds the flags of a calibration. */
export function addCalibrationFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--targets <n>', 'records that a replicate replaces and scores (default: 1000)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option(
        '--replicates <n>',
        'altered tables, each with a synthesis of its own (default: 3)',
      ).argParser(positiveNumber),
    );
}

/** Adds what a run in AWS would be carried out with, for its estimate. */
export function addCloudFlags(command: Command): Command {
  return command
    .option('--cloud', 'also minutes and dollars in AWS, from list prices and the speed of this machine')
    .addOption(
      new Option('--cloud-vcpus <n>', 'vCPU of the task that runs the chains (default: 4)').argParser(
        containerVcpus,
      ),
    )
    .addOption(
      new Option('--concurrency <n>', 'batches assessed at once in AWS (default: 800)').argParser(
        positiveNumber,
      ),
    )
    .addOption(
      new Option('--child <type>', 'children of the map over the batches (default: express)').choices([
        'express',
        'standard',
      ]),
    )
    .option('--budget <dollars>', 'whether a run in AWS fits it', dollarAmount);
}

/** The settings that flags give, by the config's names; `table` is the file named on the command line. */
export function flagSettings(flags: RunFlags, table: string | undefined): Settings {
  const scenario = identificationScenario(flags);
  return {
    table,
    seed: flags.seed,
    acceptance: flags.accept,
    model: { name: flags.model, classes: flags.classes },
    mcmc: {
      chains: flags.chains,
      burnIn: flags.burnIn,
      draws: flags.draws,
      thin: flags.thin,
      pairedChains: flags.pairedChains,
      pairedDraws: flags.pairedDraws,
      pairedThin: flags.pairedThin,
      precision: flags.precision,
      reproducibility: flags.reproducibility,
      maxChains: flags.maxChains,
    },
    synthesis: {
      datasets: flags.datasets,
      chains: flags.synthesisChains,
      synthesized: flags.synthesized,
      missing: flags.missing,
      structuralZeros: flags.structuralZeros,
    },
    attributeRisk: {
      estimator: flags.estimator,
      candidates: flags.unknown ? { unknown: flags.unknown } : flags.candidates,
      slope: flags.slope,
    },
    identification: scenario && [scenario],
    inherent: flags.inherent ? {} : undefined,
  };
}

/** The table of a run: from the command line or the config. Throws InvalidConfigError when neither names it. */
export function requireTable(table: string | undefined): string {
  if (table === undefined) {
    throw new InvalidConfigError(
      'no-table',
      'Name a table: on the command line, before flags that take several values, or as `table` in the config.',
    );
  }
  return table;
}
