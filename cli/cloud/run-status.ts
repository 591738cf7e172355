import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type Progress, runLockSchema } from '../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import type { RunState } from '../../shared/contracts/run/run-state.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { readProgress } from '../../shared/pipeline/rounds/stored-round.ts';
import type { Store } from '../../shared/storage/store.ts';
import type { AwsEnvironment, ExecutionState, FoundEnvironment } from './aws-environment.ts';
import { phaseDollars } from './run-dollars.ts';

/** How much of a phase is done, in chains or in batches. */
type Share = Progress['chains'];

/** How a run is doing. */
export interface RunStatus {
  readonly runId: string;
  /** `interrupted`: its execution was stopped or ran out of time, and `resume` goes on with it. */
  readonly status: RunState['status'];
  readonly phase: 'chains' | 'batches' | 'closing' | null;
  readonly round: number;
  readonly chains: Share;
  readonly batches: Share;
  /** Of the phase under way, expected; null while there is nothing to go by. */
  readonly secondsLeft: number | null;
  /** What the run has used and cost as it was last added up: between phases, and at the end. */
  readonly used: RunState['used'] | null;
  /** That and the most that the phase under way can have cost; null where the size of the environment is not known. */
  readonly dollarsAtMost: number | null;
  readonly budgetDollars: number | null;
  readonly error?: RunState['error'];
}

/** The execution that carries a run out, or did last. */
export async function readExecution(
  environment: AwsEnvironment,
  store: Store,
  runId: string,
): Promise<{ readonly arn: string; readonly state: ExecutionState | null }> {
  const { holder } = await readJson(store, runKeys(runId).lock, runLockSchema);
  return { arn: holder, state: await environment.execution(holder) };
}

/** The recorded state of a run. Throws InvalidConfigError when the bucket holds no such run. */
export async function requireRunState(store: Store, runId: string): Promise<RunState> {
  const state = await readRunState(store, runId);
  if (state !== null) return state;
  throw new InvalidConfigError('no-run', `The bucket of the environment holds no run ${runId}.`);
}

const secondsBetween = (from: Date, to: Date) => Math.max(0, (to.getTime() - from.getTime()) / 1000);

/** Expected seconds until all is done, at the pace since a phase began; null before there is one. */
function secondsLeft({ done, total }: Share, since: Date): number | null {
  return done === 0 ? null : (secondsBetween(since, new Date()) * (total - done)) / done;
}

/**
 * How a run is doing, from what it has stored and from Step Functions: six requests or so, of which one (DescribeMapRun)
 * may be made once a second.
 *
 * A run whose execution has ended without recording it was stopped, or ran out of time. Until the execution has ended,
 * a recorded failure of an earlier one does not count.
 */
export async function readRunStatus(
  environment: AwsEnvironment,
  store: Store,
  found: FoundEnvironment | null,
  runId: string,
): Promise<RunStatus> {
  const before = await requireRunState(store, runId);
  const plan = await readJson(store, runKeys(runId).openPlan, openPlanSchema);
  const { chains: counted, round } = await readProgress(store, runId);
  const execution = before.status === 'finished' ? null : await readExecution(environment, store, runId);
  const running = execution?.state?.running ?? false;
  // An execution records how it went before it ends, which may have been since the state was read.
  const recorded = execution && !running ? await requireRunState(store, runId) : before;
  const finished = recorded.status === 'finished';
  const ended = recorded.status === 'running' ? 'interrupted' : recorded.status;
  const status = finished ? 'finished' : running ? 'running' : ended;

  const assessing = recorded.assessingSince !== undefined;
  // Noted in between: what is over is done.
  const chains = finished || assessing ? { ...counted, done: counted.total } : counted;
  const total = plan.batches;
  const map = assessing && execution ? await environment.lastMap(execution.arn) : null;
  // The map is over the batches that were missing when the execution began.
  const mapped = map === null || map.total === 0 ? 0 : total - map.total + map.succeeded;
  // Before the batches begin, the chains of a run that is gone on with may all be there.
  const beforeBatches = chains.done < chains.total || recorded.seconds.assess === 0;
  const batches = { done: assessing ? mapped : finished || !beforeBatches ? total : 0, total };
  const phase = !running ? null : assessing ? 'batches' : beforeBatches ? 'chains' : 'closing';

  const chainsSince = chains.done < chains.total && round === 1 ? (execution?.state?.started ?? null) : null;
  const left = {
    chains: () => chainsSince && secondsLeft(chains, chainsSince),
    batches: () => map && secondsLeft({ done: map.succeeded, total: map.total }, map.started),
    closing: () => null,
  };
  const size = found?.size ?? null;
  const { budgetDollars = null, closesInTask = false, fitTasks = 1, used = null } = recorded;
  // Before each phase is added up what those before it have cost; until the first, the execution has planned.
  const since = used === null ? execution?.state?.started : new Date(used.at);
  const underWay =
    phase && since
      ? size && phaseDollars({ phase, seconds: secondsBetween(since, new Date()), batches: total, fitTasks, closesInTask }, size)
      : 0;
  return {
    runId,
    status,
    phase,
    round,
    chains,
    batches,
    secondsLeft: phase === null ? null : left[phase](),
    used,
    dollarsAtMost: underWay === null ? null : (used?.dollars ?? 0) + underWay,
    budgetDollars,
    ...(status === 'failed' && recorded.error ? { error: recorded.error } : {}),
  };
}
