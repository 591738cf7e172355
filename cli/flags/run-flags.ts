import { type Command, Option } from 'commander';
import { PRECISIONS } from '../../shared/contracts/config/config.ts';
import { MODEL_NAMES, modelsWith } from '../../shared/contracts/models/models.ts';
import { epsilonSchema, latentClasses, severalOf } from '../../shared/contracts/number-schemas.ts';
import type { ChildType } from '../../shared/cost/cloud-options.ts';
import { parseByteSize } from './parse-byte-size.ts';
import { names, numberOf, positiveNumber, wholeNumber } from './parse-flag.ts';
import { addTableFlags, type TableFlags } from './table-flags.ts';

/** What `--details` does, of every command that prints a few lines of many. */
export const DETAILS = 'print every figure and warning, not the answer and its figures alone';

/** Flags that every command of a run takes. */
export interface RunFlags extends TableFlags {
  readonly config?: string;
  readonly out?: string;
  readonly seed?: number;
  readonly releaseKey?: string;
  readonly jobs?: number;
  readonly json?: boolean;
  readonly details?: boolean;
  readonly quiet?: boolean;
  readonly resume?: boolean;
  readonly tableName?: string;
  readonly by?: string;
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
  readonly reproducibility?: 'off' | number | { readonly of: string; readonly target: number };
  readonly maxChains?: number | { readonly times: number };
  readonly datasets?: number;
  readonly synthesisChains?: string;
  readonly missing?: string;
  readonly model?: string;
  readonly epsilon?: number;
  readonly synthesized?: string[];
  readonly structuralZeros?: string;
  readonly known?: string[];
  readonly radius?: Readonly<Record<string, number | string>>;
  readonly shape?: string;
  /** The radii, or true for the usual ones. */
  readonly sweep?: number[] | true;
  readonly sweepJointly?: boolean;
  readonly inherent?: boolean;
  /** False where it is not to be measured. */
  readonly utility?: boolean;
  readonly regression?: string[];
  readonly patterns?: { readonly by: string[]; readonly of: string[] };
  readonly estimator?: string;
  readonly candidates?: string;
  readonly unknown?: string[];
  readonly prior?: string | { readonly file: string | string[] };
  readonly marginals?: string[][];
  readonly slope?: number;
  readonly control?: string;
  readonly acceptanceRegion?: string[];
  readonly accept?: string[];
  readonly acceptStarter?: boolean;
  readonly targets?: number;
  readonly replicates?: number;
  readonly cloud?: boolean;
  readonly cloudVcpus?: number;
  readonly fitTasks?: number | 'auto';
  readonly fargateVcpus?: number;
  readonly runsAtOnce?: number;
  readonly concurrency?: number;
  readonly child?: ChildType;
  readonly budget?: number;
}

/** Adds the flags of how a run is carried out here. */
export function addLocalFlags(command: Command): Command {
  return command
    .option('--config <file>', 'config file (YAML); `synthrisk schema` describes it')
    .option('--out <dir>', 'folder of the run (default: synthrisk-runs/<runId>)')
    .addOption(new Option('--jobs <n>', 'worker threads (default: the cores)').argParser(positiveNumber))
    .addOption(
      new Option(
        '--memory <size>',
        "memory that the run may take, such as 4GiB: refused before it starts when it needs more (default: the machine's)",
      ).argParser(parseByteSize),
    )
    .option('--json', 'one JSON document on standard output')
    .option('--details', DETAILS)
    .option('--quiet', 'no progress')
    .option('--resume', 'go on with a run that stopped');
}

/** Adds the flags that every command of a run of its own has. */
export function addCommonFlags(command: Command): Command {
  return addLocalFlags(command)
    .addOption(new Option('--seed <n>', 'tells runs of one release key apart (default: 1)').argParser(wholeNumber))
    .option('--release-key <file>', 'repeat the run that had this key (default: a new random key, kept in confidential/release-key)');
}

/** Adds the flags of the synthesizer and its chains. */
export function addModelFlags(command: Command): Command {
  return addTableFlags(command)
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category', 'impute']))
    .addOption(new Option('--model <name>', 'the synthesizer (default: dpmpm)').choices(MODEL_NAMES))
    .addOption(
      new Option(
        '--epsilon <nats>',
        `epsilon of differential privacy for all datasets together; of ${modelsWith('epsilon').join(' and ')}, whose categories the config declares`,
      ).argParser(numberOf(epsilonSchema)),
    )
    .addOption(new Option('--synthesized <variables>', 'replace these variables, A,B, and keep the others (default: all)').argParser(names))
    .option('--structural-zeros <file>', 'impossible partial combinations; an empty cell is any value')
    .addOption(new Option('--classes <n>', 'latent classes at most (default: 40)').argParser(numberOf(latentClasses)))
    .addOption(
      new Option('--burn-in <n>', `iterations a fresh chain discards (default: ${PRECISIONS.default.burnIn})`).argParser(wholeNumber),
    );
}

/** Adds the flags of the datasets to synthesize. */
export function addSynthesisFlags(command: Command): Command {
  return command
    .addOption(new Option('--datasets <n>', 'synthetic datasets (default: 5)').argParser(positiveNumber))
    .addOption(new Option('--synthesis-chains <which>', 'each dataset from a chain of its own, or all from one').choices(['own', 'one']));
}

/** Adds the names that a report says beside its figures. */
export function addReportFlags(command: Command): Command {
  return command
    .option('--table-name <name>', 'what people call the table, for the report')
    .option('--by <name>', 'who runs it, for the report');
}

/** Adds the flags of a calibration. */
export function addCalibrationFlags(command: Command): Command {
  return command
    .addOption(new Option('--targets <n>', 'records that a replicate replaces and scores (default: 1000)').argParser(numberOf(severalOf)))
    .addOption(new Option('--replicates <n>', 'altered tables, each with a synthesis of its own (default: 3)').argParser(positiveNumber));
}
