import type { Command } from 'commander';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { predictionSchema } from '../../../shared/contracts/run/prediction.ts';
import { CLOUD_STEPS } from '../../../shared/contracts/run/usage.ts';
import {
  comparePredictions,
  LEAST_SECONDS,
  type PredictedRun,
  type StepComparison,
  timeFactorsOf,
} from '../../../shared/cost/compare-predictions.ts';
import { formatDollars } from '../../../shared/cost/format-dollars.ts';
import { readProgress } from '../../../shared/pipeline/rounds/stored-round.ts';
import { formatDuration } from '../../../shared/report/words/format-duration.ts';
import { formatQuantity } from '../../../shared/report/words/format-number.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { addCloudFlags, type CloudFlags, printOutcome, requireRunId } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { requireRunState } from '../../cloud/run-status.ts';

/**
 * Reads what a run was expected to take, and what it took.
 *
 * @throws InvalidConfigError `not-finished`; `no-predictions` of a run of an earlier version; `rounds-added` of one of which the first
 *   round alone was predicted
 */
async function readPredicted(store: Store, runId: string): Promise<PredictedRun> {
  const { status, used } = await requireRunState(store, runId);
  if (status !== 'finished' || used === undefined) {
    throw new InvalidConfigError(
      'not-finished',
      `The run ${runId} has not finished: leave it out, or wait (synthrisk cloud status ${runId} --wait).`,
    );
  }
  const { bySteps } = used;
  if (bySteps === undefined) {
    throw new InvalidConfigError('no-predictions', `The run ${runId} is of a version that kept no predictions: leave it out.`);
  }
  if ((await readProgress(store, runId)).round > 1) {
    throw new InvalidConfigError('rounds-added', `The run ${runId} added chains in later rounds, which were not predicted: leave it out.`);
  }
  const predicted = await readJson(store, runKeys(runId).confidential.prediction, predictionSchema);
  return { predicted, used: { ...used, bySteps } };
}

function stepLine(step: string, of: StepComparison): string {
  const factor = of.timeFactor === null ? '' : `; factor ${of.timeFactor.toFixed(2)}`;
  const error = of.timeFactorSe === null ? '' : ` ± ${of.timeFactorSe.toFixed(2)}`;
  const beside = (actual: string, predicted: string) => `${actual} (predicted ${predicted})`;
  return [
    `${step}: ${beside(formatDuration(of.seconds), formatDuration(of.predictedSeconds))}`,
    `processor ${beside(formatDuration(of.cpuSeconds), formatDuration(of.predictedCpuSeconds))}`,
    beside(`${of.peakMemoryMiB.toFixed(0)} MiB`, of.predictedMemoryMiB.toFixed(0)),
    `${beside(formatDollars(of.dollars), formatDollars(of.predictedDollars))}${factor}${error}`,
  ].join(', ');
}

/** `cloud predictions RUN...`: what runs took beside what was predicted, and the factors that mend predictions. */
export function addPredictions(cloud: Command): void {
  addCloudFlags(cloud.command('predictions'))
    .description('what finished runs took beside what was predicted, and the factors that mend predictions')
    .argument('<runs...>', 'ids of finished runs')
    .addHelpText(
      'after',
      `
A factor is what the step took of the processor in all runs, divided by what was predicted; its error is that between runs. Only
runs count in which the step was predicted to take half a minute. With the setting timeFactors later predictions have the factors,
by which runs are refused and budgets held. A prediction follows from the size of a table and is confidential.

Examples:
  synthrisk cloud predictions 4f1c0a9b2d3e5f60
  synthrisk cloud predictions 4f1c0a9b2d3e5f60 77d0e2c41b9a8f35 --environment prod --json
  synthrisk cloud deploy --setting "timeFactors=fit=1.20 assess=0.90" --change-settings`,
    )
    .action(async (runIds: readonly string[], flags: CloudFlags) => {
      const ids = new Set(runIds.map(requireRunId));
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const runs = [];
      for (const runId of ids) runs.push(await readPredicted(store, runId));
      const steps = comparePredictions(runs);
      const timeFactors = timeFactorsOf(steps);
      printOutcome(
        { runs: runs.length, steps, timeFactors },
        [
          `${formatQuantity(runs.length, 'run')}, by step of the workflow:`,
          ...CLOUD_STEPS.map((step) => stepLine(step, steps[step])),
          timeFactors === ''
            ? `No step was predicted to take ${LEAST_SECONDS} s of the processor, below which its start is most of it: name larger runs for factors.`
            : `To have these factors in predictions: synthrisk cloud deploy --setting "timeFactors=${timeFactors}" --change-settings`,
        ],
        flags,
      );
    });
}
