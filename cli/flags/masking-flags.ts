import { type Command, Option } from 'commander';
import { type Linkage, linkageSchema } from '../../shared/contracts/config/linkage.ts';
import { MASKING_METHODS } from '../../shared/contracts/config/masking.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { type AllowedFlags, type MethodFlags, outOfRange, settingsOf } from '../../shared/contracts/settings/masking-settings.ts';
import { decimalNumber, names, positiveNumber, wholeNumber } from './parse-flag.ts';

/** Flags of `reidentify`. */
export interface ReidentifyFlags extends MethodFlags {
  readonly variables?: string[];
  readonly link: string;
  readonly oneToOne?: boolean;
  readonly bands?: number;
  readonly tolerate?: number;
  readonly intruderShare: number;
}

/** The same of how a file was masked. */
const MASKED_FLAGS: AllowedFlags = {
  'individual-ranking': { k: null },
  mdav: { k: null },
  'rank-swap': { p: 5 },
  noise: { noise: 0.1 },
  'noise-mixture': { noise: 0.1 },
  sample: {},
  errors: {},
  'top-code': {},
  synthetic: { tail: 0.02 },
};

/** What `reidentify` is asked to do. Throws InvalidConfigError `flag-of-other-method`, `invalid-linkage`. */
export function linkageOf(flags: ReidentifyFlags): Linkage {
  const { variables, link, oneToOne = false, bands, tolerate, intruderShare, errors = 0 } = flags;
  const parsed = linkageSchema.safeParse({
    masked: settingsOf(flags, MASKED_FLAGS, ['errors']),
    variables: variables ?? null,
    link,
    oneToOne,
    bands: bands ?? null,
    tolerate: tolerate ?? null,
    intruderShare,
    errors,
  });
  if (!parsed.success) throw outOfRange('invalid-linkage', parsed.error.issues);
  if (parsed.data.link === 'conjunction' && parsed.data.tolerate !== null) {
    throw new InvalidConfigError('tolerate-in-conjunction', '--tolerate: under --link conjunction every variable has to agree.');
  }
  return parsed.data;
}

/** Adds the flags of a method of masking that `mask` and `reidentify` have in common. */
function addMethodFlags(command: Command, methods: readonly string[], purpose: string): Command {
  return command
    .addOption(new Option('--method <name>', purpose).choices(methods).makeOptionMandatory())
    .addOption(new Option('--k <n>', 'microaggregation: records that share a value at least').argParser(positiveNumber))
    .addOption(new Option('--p <percent>', 'rank swapping: percent of the ranks that a value goes at most').argParser(decimalNumber))
    .addOption(new Option('--noise <share>', 'noise: its variance as a share of that of the variable').argParser(decimalNumber));
}

/** Adds the flags of `mask` that say how. */
export function addMaskFlags(command: Command): Command {
  return addMethodFlags(command, MASKING_METHODS, 'how the continuous variables are masked')
    .addOption(new Option('--aggregate <name>', 'individual ranking: what stands for a group').choices(['mean', 'median']))
    .addOption(
      new Option('--separation <s>', 'noise mixture: how far its two halves are from zero, in standard deviations').argParser(
        decimalNumber,
      ),
    )
    .addOption(new Option('--errors <share>', 'errors: share of the variables of a record that are wrong').argParser(decimalNumber))
    .addOption(new Option('--top <percent>', 'top coding: records whose values are cut').argParser(decimalNumber))
    .addOption(new Option('--variables <names>', 'continuous variables that are masked (default: all)').argParser(names))
    .addOption(new Option('--sample <share>', 'share of the records that is drawn, before anything else').argParser(decimalNumber))
    .addOption(new Option('--swap <names>', 'categorical variables whose values trade places; others stay').argParser(names))
    .addOption(new Option('--strata <names>', 'only among records that agree on these').argParser(names))
    .addOption(new Option('--subdomains <names>', 'variables whose categories, or quarters, are judged one by one').argParser(names));
}

/** Adds the flags of `reidentify` that say how. */
export function addReidentifyFlags(command: Command): Command {
  return addMethodFlags(command, Object.keys(MASKED_FLAGS), 'how the file was masked, as agencies publish it')
    .addOption(new Option('--tail <share>', 'synthetic: share of rows that are outliers of a variable').argParser(decimalNumber))
    .addOption(
      new Option(
        '--variables <names>',
        'variables that are compared (default: the continuous ones); categorical ones must be equal',
      ).argParser(names),
    )
    .addOption(
      new Option('--link <way>', 'by weights fitted by EM, or where every variable agrees')
        .choices(['weights', 'conjunction'])
        .default('weights'),
    )
    .option('--one-to-one', 'no record is linked twice')
    .addOption(
      new Option(
        '--bands <n>',
        'intervals of a metric that are looked at, the narrowest first: 1 is the metric of the paper (default: all)',
      ).argParser(positiveNumber),
    )
    .addOption(new Option('--tolerate <n>', 'variables that may disagree (default: a third of them)').argParser(wholeNumber))
    .addOption(new Option('--intruder-share <share>', 'share of the records that the intruder has').argParser(decimalNumber).default(1))
    .addOption(new Option('--errors <share>', 'share of the variables of their records that are wrong').argParser(decimalNumber));
}
