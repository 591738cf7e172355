import { handler as aggregateRun } from '../../functions/aggregate-run/handler.ts';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { handler as checkBudget } from '../../functions/check-budget/handler.ts';
import { handler as fitModel } from '../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { handler as recordFailure } from '../../functions/record-failure/handler.ts';
import { handler as reportRun } from '../../functions/report-run/handler.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import type { Store } from '../../shared/storage/store.ts';

/** What the rule makes of the event that a table was uploaded, and starts an execution with; of an earlier rule without a version. */
export function uploadEvent(bucket: string, key: string, version?: string, sequencer = '0055AED6DCD90281E5'): object {
  const object = version === undefined ? { key } : { key, 'version-id': version, sequencer };
  return { id: '17793124-05d4-b198-2fde-7ededc63b103', source: 'aws.s3', detail: { bucket: { name: bucket }, object } };
}

/** A payload as it arrives on the other side. */
const sent = <T>(payload: T): T => JSON.parse(JSON.stringify(payload));

/** What a workflow ended with. */
export interface WorkflowEnd {
  readonly outcome: 'planned' | 'duplicate' | 'finished' | 'failed';
  readonly runId: string | null;
  /** Of a workflow that failed. */
  readonly failure?: { readonly name: string; readonly code: string; readonly message: string };
  /** Batches assessed in each round. */
  readonly batches?: readonly number[];
}

/** Does the work of a step, and may look at what it does. */
export type AsStep = <T>(step: StepName, work: () => Promise<T>) => Promise<T>;

/** The steps of the workflow, in process: what the state machine does, without its retries. */
export async function runWorkflow(
  store: Store,
  execution: string,
  input: object,
  as: AsStep = (_step, work) => work(),
): Promise<WorkflowEnd> {
  let runId: string | undefined;
  try {
    const planned = sent(await as('plan-run', () => planRun(sent({ execution, input }))));
    runId = planned.runId;
    if (planned.outcome !== 'planned') return { outcome: planned.outcome, runId };
    const batches: number[] = [];
    for (let { round, manifest } = planned; ; ) {
      const reference = { runId, round };
      const { fit } = sent(await as('check-budget', () => checkBudget({ ...reference, before: 'chains', execution })));
      if (fit.tasks === 1) await as('fit-model', () => fitModel(reference));
      for (const shares of [fit.chains, fit.pairs]) {
        await Promise.all(shares.map((share) => as('fit-model', () => fitModel({ ...reference, share }))));
      }
      const checked = sent(await as('check-budget', () => checkBudget({ ...reference, before: 'batches', execution })));
      const tasks = JSON.parse(new TextDecoder().decode(await store.get(manifest.key)));
      if (checked.tasks !== tasks.length) throw new Error(`${checked.tasks} tasks, not ${tasks.length}`);
      for (const task of tasks) {
        // A child that never got at the function leaves its batch over.
        await as('assess-batch', () => assessBatch(task)).catch((error) => {
          if (error.name !== 'Lambda.TooManyRequestsException') throw error;
        });
      }
      batches.push(tasks.length);
      let aggregated = sent(await as('aggregate-run', () => aggregateRun(reference)));
      while (aggregated.outcome === 'left-over') {
        const left = JSON.parse(new TextDecoder().decode(await store.get(aggregated.manifest.key)));
        for (const task of left) await as('assess-batch', () => assessBatch(task));
        aggregated = sent(await as('aggregate-run', () => aggregateRun(reference)));
      }
      if (aggregated.outcome === 'done') break;
      if (!('manifest' in aggregated)) throw new Error('there is no container here');
      ({ round, manifest } = aggregated);
    }
    await as('report-run', () => reportRun({ runId }));
    return { outcome: 'planned', runId, batches };
  } catch (error) {
    // What Lambda makes of an error, and Step Functions of that.
    const { name, message, stack } = error as Error;
    const cause = { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
    const caught = { Error: name, Cause: JSON.stringify(cause) };
    const recorded = await as('record-failure', () =>
      recordFailure(sent({ ...(runId ? { runId } : { input }), error: caught, execution: { Id: execution } })),
    );
    if (!('name' in recorded)) throw new Error('nothing was recorded');
    const { runId: of, redrives: _, ...failure } = recorded;
    return { outcome: 'failed', runId: of, failure };
  }
}
