import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Fail, type IChainable, JsonPath, Pass, type State, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { type LambdaInvoke, SnsPublish } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { RunFunctions } from '../constructs/run-functions.ts';
import { functionStep } from './function-step.ts';
import { refusedCallRetries, SERVICE_RETRIES } from './retries.ts';

/** Everything under a state: the error is caught here, and the rest of the state stays as it was. */
const CAUGHT = { resultPath: '$.error' } as const;
const SERVICE_SECONDS = 60;

/** A state whose failure can be caught. */
type Catching = State & { addCatch(handler: IChainable, props?: { resultPath?: string }): unknown };

/** The execution as it is when a state begins; how often it has been redriven is in it. */
const EXECUTION = JsonPath.objectAt('$$.Execution');

/**
 * What follows a step that failed for good: the failure is recorded in `run.json`, told on the topic, and the execution
 * ends with the recorded error by name. Where planning ends, it is noted beside the upload, however it ended: a function that
 * is out of memory or time notes nothing itself.
 *
 * It ends in a step that fails rather than in a Fail state, since a redrive begins with what failed: a Fail state would only
 * fail once more, while this step, once redriven, lets the execution resume its run. Before there is a run there is nothing to
 * go on with, and a Fail state ends the execution.
 */
export class FailurePath {
  /** Where a redriven execution goes on: it ends with the payload of a run that is planned. */
  readonly resume: LambdaInvoke;
  readonly #withRun: State;
  readonly #withoutRun: State;

  constructor(
    scope: Construct,
    props: { readonly functions: Pick<RunFunctions, 'planRun' | 'recordFailure' | 'raiseFailure'>; readonly topic: ITopic },
  ) {
    const { functions, topic } = props;
    const failed = new Fail(scope, 'Failed', {
      comment: 'The recorded error: its name, and what a person can do about it',
      errorPath: '$.failure.name',
      causePath: '$.failure.message',
    });
    const notifyOf = (id: string, end: State) => {
      const notify = publishOutcome(scope, id, { topic, outcome: 'failed', runId: JsonPath.objectAt('$.failure.runId') });
      notify.addCatch(end, CAUGHT);
      notify.next(end);
      return notify;
    };
    const notifyRefusal = notifyOf('NotifyRefusal', failed);
    const unrecorded = new Pass(scope, 'FailureNotRecorded', {
      parameters: {
        failure: {
          runId: 'unknown',
          name: 'FailureNotRecorded',
          message: 'A step failed, and so did the function that records it. Its log says why.',
        },
      },
    });
    unrecorded.next(notifyRefusal);
    const record = (id: string, payload: Record<string, unknown>, then: State) => {
      const step = functionStep(scope, id, {
        fn: functions.recordFailure,
        payload: TaskInput.fromObject({ ...payload, error: JsonPath.objectAt('$.error'), execution: EXECUTION }),
        resultPath: '$.failure',
      });
      step.addCatch(unrecorded, CAUGHT);
      step.next(then);
      return step;
    };
    const raise = functionStep(scope, 'RaiseFailure', {
      fn: functions.raiseFailure,
      payload: TaskInput.fromObject({ failure: JsonPath.objectAt('$.failure'), execution: EXECUTION }),
      resultPath: JsonPath.DISCARD,
      retries: refusedCallRetries,
    });
    this.resume = functionStep(scope, 'Resume', {
      fn: functions.planRun,
      payload: TaskInput.fromObject({
        execution: JsonPath.stringAt('$$.Execution.Id'),
        // Unless another execution has gone on with the run since.
        input: { runId: JsonPath.stringAt('$.runId'), resume: true, after: JsonPath.stringAt('$$.Execution.Id') },
      }),
    });
    raise.next(this.resume);
    this.#withRun = record('RecordFailure', { runId: JsonPath.stringAt('$.runId') }, notifyOf('NotifyFailure', raise));
    this.#withoutRun = record('RecordRefusal', { input: JsonPath.objectAt('$$.Execution.Input') }, notifyRefusal);
    this.catchErrorsOf(this.resume);
  }

  /** Lets every error of a step end here; `before: 'run'` where the state does not hold a run id yet. */
  catchErrorsOf(step: Catching, options: { readonly before?: 'run' } = {}): void {
    step.addCatch(options.before === 'run' ? this.#withoutRun : this.#withRun, CAUGHT);
  }
}

/** Tells the end of a run on the topic: its id, the execution and the outcome, and nothing else. */
export function publishOutcome(
  scope: Construct,
  id: string,
  props: { readonly topic: ITopic; readonly outcome: 'finished' | 'failed'; readonly runId: unknown },
): SnsPublish {
  const { outcome, runId, topic } = props;
  const publish = SnsPublish.jsonPath(scope, id, {
    topic,
    subject: `synthrisk: a run has ${outcome}`,
    message: TaskInput.fromObject({ runId, execution: JsonPath.stringAt('$$.Execution.Name'), outcome }),
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(Duration.seconds(SERVICE_SECONDS)),
  });
  for (const retry of SERVICE_RETRIES) publish.addRetry(retry);
  return publish;
}
