import { join } from 'node:path';
import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { type AskedMap, compareSummaries } from '../../shared/compare/compare-summaries.ts';
import { SynthriskError } from '../../shared/contracts/errors.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { sweptRuns } from '../../shared/contracts/settings/sweep-grid.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { estimateRun, type RunEstimate } from '../../shared/estimate/estimate-run.ts';
import type { NamedRun } from '../../shared/pipeline/compare/compare-runs.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../shared/pipeline/plan/planned-run.ts';
import { type LocalOptions, type LocalRequest, runLocally } from './local-run.ts';
import { requireMemory } from './memory-limit.ts';
import { openRun } from './open-run.ts';
import { readConfigFile } from './read-config.ts';
import { readRunFiles } from './read-run-files.ts';

/** One run of a sweep that can be carried out. */
export interface PlannedSweptRun {
  /** Name of its folder. */
  readonly name: string;
  readonly request: LocalRequest;
}

/** What a run of a sweep will take. */
export interface SweptEstimate extends Pick<RunEstimate, 'minutes' | 'memoryMiB' | 'diskMiB'> {
  readonly name: string;
  readonly model: string;
  readonly datasets: number;
  readonly synthesized: 'all' | readonly string[];
}

/** An error of one run of a sweep, with the name of that run before its message. */
function ofRun(name: string, error: unknown): unknown {
  if (error instanceof SynthriskError) error.message = `Run ${name}: ${error.message}`;
  return error;
}

/**
 * Plans all runs of a sweep before the first begins, so that none is refused when others have been carried out.
 *
 * @param limits memory that a run may take, and the threads that carry it out
 * @param onPlanned called with each plan, which is then let go
 * @throws what `sweptRuns`, `completeConfig`, `planRun` and `requireMemory` throw, with the name of the run
 */
export async function planSweep(
  file: string,
  limits: { readonly limitBytes: number; readonly jobs: number },
  onPlanned: (name: string, planned: PlannedRun) => void,
): Promise<PlannedSweptRun[]> {
  const runs: PlannedSweptRun[] = [];
  let files: Omit<LocalRequest, 'purpose' | 'config'> | undefined;
  for (const { name, settings } of sweptRuns(await readConfigFile(file))) {
    try {
      const config = completeConfig(settings);
      // The files are those of all runs: nothing in the grid names one.
      files ??= await readRunFiles(config);
      const request: LocalRequest = { purpose: 'evaluate', config, ...files };
      const planned = await planRun({ ...request, memory: limits, ...newKeys() });
      requireMemory(planned, limits.jobs, limits.limitBytes);
      onPlanned(name, planned);
      runs.push({ name, request });
    } catch (error) {
      throw ofRun(name, error);
    }
  }
  return runs;
}

/** What a run of a sweep will take, from a measurement of this processor of two or three seconds. */
export function estimateSweptRun(name: string, planned: PlannedRun, jobs: number): SweptEstimate {
  const { minutes, memoryMiB, diskMiB } = estimateRun(planned, jobs);
  const { model, synthesis } = planned.plan.config;
  const { count } = planned.plan.datasets;
  const { synthesized } = synthesis;
  return { name, model: model.name, datasets: count, synthesized, minutes, memoryMiB, diskMiB };
}

/**
 * Carries the runs of a sweep out, one after the other, each in a folder of its own; those that have finished are found again.
 *
 * @param asked measures of the map, which a run that lacks one of them ends before others follow
 * @param announce called before each of them
 * @throws InvalidConfigError `unknown-measure`, and what `runLocally` throws
 */
export async function runSweep(
  runs: readonly PlannedSweptRun[],
  out: string,
  options: Omit<LocalOptions, 'out'>,
  asked: AskedMap,
  announce: (name: string, number: number) => void,
): Promise<{ runs: NamedRun[]; summaries: Summary[] }> {
  const done: NamedRun[] = [];
  const summaries: Summary[] = [];
  for (const [index, { name, request }] of runs.entries()) {
    announce(name, index + 1);
    const folder = join(out, name);
    const { summary } = await runLocally(request, { ...options, out: folder });
    done.push({ name, ...(await openRun(folder)) });
    summaries.push(summary);
    // Held against itself: what it lacks no comparison with others has.
    const own = { name, summary, randomness: null };
    if (summary.assessable) compareSummaries([own, own], asked, VERSION);
  }
  return { runs: done, summaries };
}
