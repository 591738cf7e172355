import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { encodeJson, readCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { namedRisk } from '../../shared/pipeline/results/named-risk.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { differingSettings } from './differing-settings.ts';
import type { FinishedRun, LocalRequest } from './local-run.ts';
import { type OpenedRun, openRun } from './open-run.ts';

/**
 * The folder of the run before: the one that was named, or else the one in whose `confidential/` the file lies that says
 * what is left out; undefined where there is neither.
 */
export async function folderOfRunBefore(named: string | undefined, leaveOut: string | undefined): Promise<string | undefined> {
  if (named !== undefined || leaveOut === undefined) return named;
  const folder = dirname(resolve(leaveOut));
  if (basename(folder) !== 'confidential') return undefined;
  const run = dirname(folder);
  return access(join(run, 'run.json')).then(
    () => run,
    () => undefined,
  );
}

/** What two runs must share for one to be the other before records were left out; zeros are compared by their digest. */
function sharedSettings({ variables, synthesis, attributeRisk }: Config, zerosSha256: string | undefined) {
  const { synthesized, missing } = synthesis;
  const { scenarios, ...risk } = attributeRisk;
  const ofScenarios = scenarios.flatMap(({ name: _, ...scenario }, s) =>
    Object.entries(scenario).map(([field, value]) => [`scenarios.${s + 1}.${field}`, value]),
  );
  return {
    variables,
    synthesis: { synthesized, missing, structuralZeros: zerosSha256 },
    attributeRisk: { ...risk, ...Object.fromEntries(ofScenarios) },
  };
}

/**
 * Opens the run before the one that is asked for.
 *
 * @param config of the run that leaves combinations out
 * @param files its table and, where there are some, its structural zeros
 * @throws InvalidConfigError when there is nothing to compare, or the folder holds no run that it can be compared with
 */
export async function openRunBefore(
  directory: string,
  config: Config,
  files: Pick<LocalRequest, 'table' | 'structuralZeros'>,
): Promise<OpenedRun> {
  if (config.synthesis.leaveOut === undefined) {
    throw new InvalidConfigError(
      'nothing-left-out',
      '--compare says what leaving combinations out did: name them (synthesis.leaveOut, --leave-out).',
    );
  }
  const before = await openRun(directory);
  const { purpose, table, config: earlier } = before.plan;
  if (purpose !== 'evaluate' && purpose !== 'assess') {
    throw new InvalidConfigError('no-attribute-risk', `The run in ${directory} assessed no risk.`);
  }
  if ((await sha256(files.table)) !== table.sha256) {
    throw new InvalidConfigError('other-table', `The run in ${directory} is of another table.`);
  }
  const zeros = files.structuralZeros && (await sha256(files.structuralZeros));
  const differing = differingSettings(sharedSettings(config, zeros), sharedSettings(earlier, earlier.synthesis.structuralZeros));
  if (differing.length > 0) {
    throw new InvalidConfigError('other-settings', `The run in ${directory} cannot be compared: it differs in ${differing.join(', ')}.`);
  }
  return before;
}

/** Puts what a run before says of the combinations that a run leaves out beside its figures, and into its report. */
export async function includeBefore(run: FinishedRun, before: OpenedRun): Promise<FinishedRun> {
  const { store, summary } = run;
  const keys = runKeys(summary.runId);
  const { plan } = before;
  const earlier = await readJson(before.store, runKeys(plan.runId).confidential.summary, summarySchema);
  const { combinations } = summary.leftOut!;
  const risk = await namedRisk(before.store, plan.runId, earlier.attributeRisk[0]!, combinations);
  await store.put(keys.confidential.beforeLeavingOut, encodeJson(risk));
  await aggregateRun(store, summary);
  await reportRun(store, summary);
  await writeManifest(store, await readCheckedJson(store, keys.plan, planSchema));
  return { ...run, summary: await readJson(store, keys.confidential.summary, summarySchema) };
}
