import { readJson } from '../../shared/artifacts/stored-json.ts';
import { attributeRiskReason } from '../../shared/contracts/config/attribute-risk-reason.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { factsOf } from '../../shared/contracts/models/models.ts';
import { calibrationSchema } from '../../shared/contracts/results/calibration.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { openScenario, openScenarios, type Scenario } from '../../shared/contracts/run/scenarios.ts';
import { differingSettings } from '../../shared/contracts/settings/differing-settings.ts';
import { readJudgements } from '../../shared/pipeline/rounds/stored-round.ts';
import { type OpenedRun, openRun } from './open-run.ts';

/**
 * Settings that a calibration must share with a scenario of a run to speak of its risk, by section: all but the seed, the
 * rules, and how the numbers of chains came about.
 */
function estimateSettings({ config }: Plan, { candidates }: Scenario, chains: { chains: number; pairedChains: number }) {
  const { variables, model, synthesis } = config;
  // A calibration is of the likelihood, which is the same under every prior and rule.
  const { estimator, phi, slope } = config.attributeRisk;
  const attributeRisk = { estimator, phi, candidates, slope };
  const { precision: _, reproducibility: __, maxChains: ___, ...lengths } = config.mcmc;
  const mcmc = { ...lengths, chains: chains.chains, pairedChains: chains.pairedChains };
  return { variables, model, mcmc, synthesis, attributeRisk };
}

/**
 * Puts the calibration in a folder beside the risk of a run, for its report to show.
 *
 * @throws InvalidConfigError when the folder holds no calibration, or one of another table, program or settings, and
 * when the run's datasets were made elsewhere
 */
export async function includeCalibration({ plan, store }: OpenedRun, directory: string): Promise<void> {
  if (factsOf(plan.config.model).method === 'grown') {
    throw new InvalidConfigError('no-attribute-risk', 'A calibration is of risk that is estimated, and that of trees is exact.');
  }
  const reason = attributeRiskReason(plan.config);
  if (reason !== null) {
    throw new InvalidConfigError('no-attribute-risk', `A calibration is of attribute risk. ${reason}`);
  }
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
  // A run may have come to more chains than its config begins with.
  const lastRound = (await readJudgements(store, plan.runId)).at(-1)!;
  const calibrated = openScenario(calibration.plan, 1);
  // It may be of any scenario of the run.
  const [differing] = openScenarios(plan)
    .map((scenario) =>
      differingSettings(
        estimateSettings(calibration.plan, calibrated, calibration.plan.config.mcmc),
        estimateSettings(plan, scenario, lastRound),
      ),
    )
    .toSorted((one, other) => one.length - other.length);
  if (differing!.length > 0) {
    throw new InvalidConfigError(
      'other-settings',
      `The calibration in ${directory} is of another estimate: it differs from the run in ${differing!.join(', ')}.`,
    );
  }
  const key = runKeys(calibration.plan.runId).confidential.calibration;
  await readJson(calibration.store, key, calibrationSchema);
  await store.put(runKeys(plan.runId).confidential.calibration, await calibration.store.get(key));
}
