import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_SWEEP_RADII, radiusSchema } from '../../shared/contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { nonNegative } from '../../shared/contracts/number-schemas.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { names, numberOf } from './parse-flag.ts';
import type { RunFlags } from './run-flags.ts';

/** Adds the flags of one intruder who matches. */
export function addIdentificationFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--known <variables>', 'an intruder knows these kept variables, A,B, and matches; "" for none').argParser(
        (text: string, before: readonly string[] | undefined) => {
          if (before)
            throw new InvalidArgumentError('expected one intruder: name all variables at once, A,B, or more of them in the config');
          return text.trim() === '' ? [] : names(text);
        },
      ),
    )
    .addOption(
      new Option(
        '--radius <variable=radius>',
        'how close a continuous variable matches: INCOME=0.1 (a share), INCOME=abs:500; can be repeated',
      ).argParser(radius),
    )
    .addOption(
      new Option('--shape <shape>', 'each continuous variable within its radius, or all of them within an ellipse (default: box)').choices([
        'box',
        'ellipse',
      ]),
    )
    .addOption(
      new Option(
        '--sweep [radii]',
        `try radii, such as 0.05,0.1, for the continuous variables without one, and report at the one of most risk (default: ${DEFAULT_SWEEP_RADII.join()})`,
      ).argParser((text) => names(text).map(numberOf(nonNegative))),
    )
    .option('--sweep-jointly', 'try every combination of these radii, not the same one for all variables');
}

/** Adds the flag of the bounds of a release. */
export function addBoundsFlag(command: Command): Command {
  return command.option('--inherent', 'also the least and the most that such a release could disclose, and where it lies between them');
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
export function identificationScenario(flags: RunFlags): Settings | undefined {
  const { known, radius, shape, sweep, sweepJointly } = flags;
  if (known === undefined) {
    if (radius || shape || sweep || sweepJointly) {
      throw new InvalidConfigError(
        'no-known',
        'The flags --radius, --shape and --sweep are of an intruder who matches: say with --known what they know, or leave them to `identification` in the config.',
      );
    }
    return undefined;
  }
  const swept = sweep || sweepJointly;
  return { known, radius, shape, sweep: swept && { radii: Array.isArray(sweep) ? sweep : undefined, jointly: sweepJointly } };
}

/** The radii so far, and one more: `V=0.1` as a share of the value, `V=abs:500` in its units. */
export function radius(text: string, before?: RunFlags['radius']): NonNullable<RunFlags['radius']> {
  const [, name, size] = /^(.+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || size === undefined) {
    throw new InvalidArgumentError('expected a variable and its radius, such as INCOME=0.1 or INCOME=abs:500');
  }
  if (before && Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} has a radius already`);
  const written = size.startsWith('abs:') ? size : Number(size.trim() === '' ? Number.NaN : size);
  if (!radiusSchema.safeParse(written).success) {
    throw new InvalidArgumentError(
      `expected a share of the value that is not negative, such as ${name}=0.1, or a distance in its units, such as ${name}=abs:500`,
    );
  }
  return { ...before, [name]: written };
}
