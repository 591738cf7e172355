import { type Settings, settingsChanges } from '../../shared/contracts/cloud/environment-settings.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { DeployedSettings } from './deployed-stack.ts';

/**
 * Holds a deployment to the settings that were deployed last. Throws InvalidConfigError `settings-changed` or
 * `settings-unknown`.
 */
export function holdSettings(deployed: DeployedSettings, wanted: Settings): void {
  if (deployed === null) return;
  const unless = 'With --change-settings it is deployed all the same.';
  if (deployed === undefined) {
    throw new InvalidConfigError(
      'settings-unknown',
      `What is deployed does not tell its settings: an earlier version deployed it. ${unless}`,
    );
  }
  const changes = settingsChanges(deployed, wanted);
  if (changes.length === 0) return;
  throw new InvalidConfigError('settings-changed', `The settings are not those that were deployed last: ${changes.join('; ')}. ${unless}`);
}
