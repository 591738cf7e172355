import { type Settings, settingsChanges } from '../../shared/contracts/cloud/environment-settings.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { DeployedStack } from './deployed-stack.ts';

/**
 * Holds a deployment to the settings that were deployed last. Throws InvalidConfigError `settings-changed` or
 * `settings-unknown`.
 */
export function holdSettings(deployed: DeployedStack | null, wanted: Settings): void {
  if (deployed === null) return;
  const unless = 'With --change-settings it is deployed all the same.';
  if (deployed.settings === undefined) {
    throw new InvalidConfigError(
      'settings-unknown',
      `What is deployed does not tell its settings: an earlier version deployed it. ${unless}`,
    );
  }
  // What a deployment finds, and nobody sets.
  const { baseImageDigest, imageDigest, objectLockWritten } = wanted;
  const changes = settingsChanges({ ...deployed.settings, baseImageDigest, imageDigest, objectLockWritten }, wanted);
  if (changes.length === 0) return;
  throw new InvalidConfigError('settings-changed', `The settings are not those that were deployed last: ${changes.join('; ')}. ${unless}`);
}

/**
 * The settings with which a deployment keeps the bucket for runs that there is: its template says of Object Lock what the deployed one says,
 * since CloudFormation makes another bucket where that differs, and leaves runs and keys in the one before.
 *
 * @throws InvalidConfigError `bucket-replaced` where Object Lock would have to begin or end
 */
export function keepBucket(deployed: DeployedStack | null, wanted: Settings): Settings {
  if (deployed === null || deployed.objectLock === undefined || wanted.bucketName !== undefined) return wanted;
  const isLocked = deployed.objectLock === true;
  if (isLocked === (wanted.objectLock !== 'none')) return { ...wanted, objectLockWritten: deployed.objectLock === false };
  throw new InvalidConfigError(
    'bucket-replaced',
    `objectLock: the bucket of this environment was made ${isLocked ? 'with' : 'without'} Object Lock, and to ${isLocked ? 'end' : 'begin'} it would make another bucket. Keep the setting as it was deployed, or deploy another environment (--environment).`,
  );
}
