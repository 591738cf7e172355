import type { Command } from 'commander';
import type { AskedMap } from '../../shared/compare/compare-summaries.ts';

/** Flags of the map of risk and utility. */
export interface MapFlags {
  readonly risk?: string;
  readonly utility?: string;
}

/** Adds the flags of the two measures of a map. */
export function addMapFlags(command: Command): Command {
  return command
    .option(
      '--risk <measure>',
      'measure of risk of the map, by its path in summary.json (default: the gain at the truth, or else the expected match risk)',
    )
    .option('--utility <measure>', 'measure of utility of the map (default: pMSE by pairs of variables, utility.figures.propensityPairs)');
}

/** The measures that these flags name. */
export const askedMap = ({ risk, utility }: MapFlags): AskedMap => ({
  ...(risk === undefined ? {} : { risk }),
  ...(utility === undefined ? {} : { utility }),
});
