import type { Config } from '../../contracts/config/config.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import { type OpenedScenario, openReleaseScenario, openScenario, refuseRepeatedScenarios } from '../identification/opened-scenario.ts';
import { type OpenedBounds, openBoundsUnder } from './open-bounds.ts';

/** What a run's datasets replace, and who matches them with what: its settings, checked against its table. */
export interface OpenedRelease {
  /** Indices of the synthesized variables. */
  readonly synthesized: readonly number[];
  /** The intruders. Where every variable is synthesized they have no matching: no row belongs to a record. */
  readonly scenarios: readonly OpenedScenario[];
  /** Null where none are asked for. */
  readonly bounds: OpenedBounds | null;
}

/**
 * Opens the settings of a run that speak of variables.
 *
 * @throws InvalidConfigError `repeated-scenario`, and what `synthesizedVariables`, `openScenario`, `openReleaseScenario`
 * and `openBoundsUnder` throw
 * @throws UnsupportedOptionError what `openBoundsUnder` throws
 */
export function openRelease({ seed, synthesis, identification, inherent }: Config, schema: TableSchema): OpenedRelease {
  const synthesized = synthesizedVariables(synthesis.synthesized, schema);
  refuseRepeatedScenarios(identification);
  if (synthesis.synthesized === 'all') {
    const scenarios = identification.map((given) => {
      const opened = openScenario(schema, given);
      return { ...opened, synthesized: opened.synthesized ?? synthesized };
    });
    return { synthesized, scenarios, bounds: null };
  }
  const scenarios = identification.map((given) => openReleaseScenario(schema, given, synthesized));
  const bounds = inherent ? openBoundsUnder(schema, synthesized, scenarios, { seed, radius: {}, ...inherent }) : null;
  return { synthesized, scenarios, bounds };
}
