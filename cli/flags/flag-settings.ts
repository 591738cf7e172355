import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { withStarterRules } from '../../shared/contracts/settings/starter-rules.ts';
import { identificationScenario } from './identification-flags.ts';
import type { RunFlags } from './run-flags.ts';
import { tableSettings } from './table-flags.ts';
import { utilitySettings } from './utility-flags.ts';

/** The settings that flags give, by the config's names; `table` is the file named on the command line. */
export function flagSettings(flags: RunFlags, table: string | undefined): Settings {
  const scenario = identificationScenario(flags);
  return {
    table,
    ...tableSettings(flags),
    seed: flags.seed,
    acceptance: flags.accept,
    model: { name: flags.model, classes: flags.classes, epsilon: flags.epsilon },
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
      prior: flags.prior,
      slope: flags.slope,
      control: flags.control,
      acceptanceRegion: flags.acceptanceRegion,
      marginals: flags.marginals,
    },
    identification: scenario && [scenario],
    inherent: flags.inherent ? {} : undefined,
    utility: utilitySettings(flags),
    report: flags.tableName !== undefined || flags.by !== undefined ? { table: flags.tableName, by: flags.by } : undefined,
  };
}

/** A config with the starter rules, where a flag asks for them. */
export function withStarter(config: Config, { acceptStarter }: RunFlags): Config {
  return acceptStarter ? withStarterRules(config) : config;
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
