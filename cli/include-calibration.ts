import { isDeepStrictEqual } from 'node:util';
import { calibrationSchema } from '../shared/contracts/calibration.ts';
import { InvalidConfigError } from '../shared/contracts/errors.ts';
import { runKeys } from '../shared/contracts/keys.ts';
import type { Plan } from '../shared/contracts/plan.ts';
import { readJson } from '../shared/pipeline/stored-json.ts';
import { type OpenedRun, openRun } from './open-run.ts';

/** Settings that a calibration must share with a run to speak of its risk: all but the seed and the rules. */
const SHARED_SETTINGS = ['variables', 'model', 'mcmc', 'synthesis', 'attributeRisk'] as const;

/** Names of the settings in which two plans differ, such as `model.classes`. */
function differingSettings(a: Plan, b: Plan): string[] {
  return SHARED_SETTINGS.flatMap((section) => {
    const [left, right]: Record<string, unknown>[] = [a.config[section], b.config[section]];
    const fields = new Set([...Object.keys(left!), ...Object.keys(right!)]);
    return [...fields]
      .filter((field) => !isDeepStrictEqual(left![field], right![field]))
      .map((field) => `${section}.${field}`);
  });
}

/**
 * Puts the calibration in a folder beside the risk of a run, for its report to show.
 *
 * @throws InvalidConfigError when the folder holds no calibration, or one of another table, program or settings, and
 * when the run's datasets were made elsewhere
 */
export async function includeCalibration({ plan, store }: OpenedRun, directory: string): Promise<void> {
  const calibration = await openRun(directory);
  if (calibration.plan.purpose !== 'calibrate') {
    throw new InvalidConfigError('no-calibration', `The run in ${directory} is no calibration.`);
  }
  if (calibration.plan.table.sha256 !== plan.table.sha256) {
    throw new InvalidConfigError('other-table', `The calibration in ${directory} is of another table.`);
  }
  if (plan.datasets.origin === 'elsewhere') {
    throw new InvalidConfigError(
      'datasets-made-elsewhere',
      'A calibration is of datasets that this program synthesizes, and the run assessed datasets made elsewhere.',
    );
  }
  if (calibration.plan.version !== plan.version) {
    throw new InvalidConfigError(
      'other-version',
      `The calibration in ${directory} was made by version ${calibration.plan.version}, the run by version ${plan.version}.`,
    );
  }
  const differing = differingSettings(calibration.plan, plan);
  if (differing.length > 0) {
    throw new InvalidConfigError(
      'other-settings',
      `The calibration in ${directory} is of another estimate: it differs from the run in ${differing.join(', ')}.`,
    );
  }
  const key = runKeys(calibration.plan.runId).confidential.calibration;
  await readJson(calibration.store, key, calibrationSchema);
  await store.put(runKeys(plan.runId).confidential.calibration, await calibration.store.get(key));
}
