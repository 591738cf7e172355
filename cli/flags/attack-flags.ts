import { type Command, Option } from 'commander';
import { relativeErrorSchema } from '../../shared/contracts/config/attack.ts';
import { openShare } from '../../shared/contracts/number-schemas.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { names, numberOf, positiveNumber } from './parse-flag.ts';

/** Flags of what is measured as other tools do. */
export interface AttackFlags {
  readonly keys?: string[];
  readonly target?: string[];
  readonly attempts?: number;
  readonly samplingFraction?: number;
  readonly rapidThreshold?: number;
  readonly rapidTolerance?: number;
}

/** Adds the flags of what is measured as other tools do. */
export function addAttackFlags(command: Command): Command {
  return command
    .addOption(new Option('--keys <variables>', 'variables that an intruder knows of a person, A,B').argParser(names))
    .addOption(new Option('--target <variables>', 'variables that they want to learn, each by itself, C,D').argParser(names))
    .addOption(new Option('--attempts <n>', 'attempts of each attack on each dataset (default: 500)').argParser(positiveNumber))
    .addOption(
      new Option(
        '--sampling-fraction <share>',
        'share of the population that the table is a sample of, for individual risk and DIS scores',
      ).argParser(numberOf(openShare)),
    )
    .addOption(
      new Option(
        '--rapid-threshold <gain>',
        'RAPID: normalized gain above which a record is at risk, for categorical targets (default: 0.3)',
      ).argParser(numberOf(openShare)),
    )
    .addOption(
      new Option(
        '--rapid-tolerance <share>',
        'RAPID: symmetric relative error below which a record is at risk, for numeric targets (default: 0.1)',
      ).argParser(numberOf(relativeErrorSchema)),
    );
}

/** The settings that these flags give; undefined for none. */
export function attackSettings(flags: AttackFlags): Settings | undefined {
  const { keys, target, attempts, samplingFraction, rapidThreshold, rapidTolerance } = flags;
  const given = { keys, target, attempts, samplingFraction, rapidThreshold, rapidTolerance };
  return Object.values(given).every((value) => value === undefined) ? undefined : given;
}
