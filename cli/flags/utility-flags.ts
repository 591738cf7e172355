import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { names } from './parse-flag.ts';
import type { RunFlags } from './run-flags.ts';

/** Adds the flags of what is measured of utility. */
export function addUtilityFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--regression <formula>',
        'compare this regression, as R writes it: "DIS == 1 ~ SEX + MIG", "INCOME ~ AGE * SEX"; again for another (default: each synthesized variable on all others)',
      ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
    )
    .addOption(
      new Option(
        '--patterns <of=by>',
        'compare distributions of these variables within patterns of others, COUNTY=SEX,AGE (default: each synthesized variable within the kept ones)',
      ).argParser(patterns),
    );
}

/** Adds the flag by which a run does not measure utility. */
export function addUtilityOffFlag(command: Command): Command {
  return command.option('--no-utility', 'do not measure how well the datasets serve for what the table does');
}

function patterns(text: string, before: unknown): { by: string[]; of: string[] } {
  if (before) throw new InvalidArgumentError('expected all variables at once, such as COUNTY,TENURE=SEX,AGE');
  const [of, by, ...more] = text.split('=');
  if (!of || !by || more.length > 0) throw new InvalidArgumentError('expected variables such as COUNTY=SEX,AGE');
  return { by: names(by), of: names(of) };
}

/** The settings that these flags give; undefined for none. */
export function utilitySettings({ utility, regression, patterns: given }: RunFlags): Settings | 'off' | undefined {
  if (utility === false) return 'off';
  if (regression === undefined && given === undefined) return undefined;
  return { regressions: regression, patterns: given };
}
