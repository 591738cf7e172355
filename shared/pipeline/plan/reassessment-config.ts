import type { Config } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { keptRules } from '../../contracts/settings/acceptance-rule.ts';
import { completeConfig } from '../../contracts/settings/complete-config.ts';
import { differingSettings } from '../../contracts/settings/differing-settings.ts';
import type { Settings } from '../../contracts/settings/settings.ts';
import { sha256 } from '../../contracts/sha256.ts';

/** What stays of an earlier run's phi: that it was drawn. Whether it can be integrated out is decided anew. */
export function keptPhi({ phi }: Settings): Settings {
  return phi === 'drawn' ? { phi } : {};
}

/** What a run has decided for good: where a config file says something of it, it has to say the same. */
const decided = ({ variables, missingCodes, numbers, count, model, mcmc, synthesis }: Config) => {
  // The file of structural zeros is known to the run by its digest.
  const { structuralZeros: _, ...others } = synthesis;
  return { variables, reading: { missingCodes, numbers, count }, model, mcmc, synthesis: others };
};

/** How a finished run is looked at anew. */
interface Anew {
  /** What a config file says. */
  readonly given: Settings;
  /** What goes before it. */
  readonly flags?: Settings;
  /** Reads a file that these name. */
  readonly read: (path: string) => Promise<Uint8Array>;
}

/**
 * The config of a run with other scenarios: the run's own, overridden by a file and by flags. Its rules stay, but for those
 * on a scenario that there is no more.
 *
 * @throws InvalidConfigError `other-settings`, `other-control`, and as `completeConfig` does
 */
export async function reassessmentConfig({ config: ofPlan }: Pick<Plan, 'config'>, { given, flags = {}, read }: Anew): Promise<Config> {
  const { mcmc, table: _, seed, attributeRisk, ...own } = ofPlan;
  // What follows from the scenarios is decided anew.
  const { phi: __, acceptanceRegion: ___, ...risk } = attributeRisk;
  const ofRun = { ...own, acceptance: [], attributeRisk: { ...risk, ...keptPhi(attributeRisk) } };
  const whole = completeConfig(given);
  const differing = differingSettings(
    Object.fromEntries(Object.entries(decided(whole)).filter(([section]) => section in given)),
    decided(ofPlan),
  );
  if (differing.length > 0) {
    throw new InvalidConfigError(
      'other-settings',
      `That run was carried out with other settings of ${differing.join(', ')}, which a reassessment cannot change: leave them out, or evaluate the table again.`,
    );
  }
  const { attributeRisk: ofFile, acceptance } = given;
  const anew = { ...(ofFile === undefined ? {} : { attributeRisk: ofFile }), ...(acceptance ? { acceptance } : {}) };
  const { scenarios } = completeConfig(ofRun, anew, flags).attributeRisk;
  const { acceptance: rules, acceptanceRegion } = keptRules(
    ofPlan,
    scenarios.map(({ name }) => name),
  );
  const withRules = { ...ofRun, acceptance: rules, attributeRisk: { ...ofRun.attributeRisk, acceptanceRegion } };
  const complete = completeConfig(withRules, anew, flags);
  await refuseOtherControl(complete, ofPlan, read);
  return { ...complete, seed, mcmc };
}

/** Refuses a control that is not that of the run, which stays (InvalidConfigError `other-control`). */
async function refuseOtherControl({ attributeRisk: { control } }: Config, ofRun: Config, read: Anew['read']): Promise<void> {
  const own = ofRun.attributeRisk.control;
  if (control === own || (control !== undefined && (await sha256(await read(control))) === own)) return;
  throw new InvalidConfigError(
    'other-control',
    'That run has another control, or none, which a reassessment cannot change: leave attributeRisk.control out, or evaluate the table again.',
  );
}
