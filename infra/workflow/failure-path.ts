import type { ITopic } from 'aws-cdk-lib/aws-sns';
import {
  Fail,
  type IChainable,
  JsonPath,
  Pass,
  type State,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { SnsPublish } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { RunFunction } from '../constructs/run-function.ts';
import { functionStep } from './function-step.ts';
import { SERVICE_RETRIES } from './retries.ts';

/** Everything under a state: the error is caught here, and the rest of the state stays as it was. */
const CAUGHT = { resultPath: '$.error' } as const;
const SERVICE_SECONDS = 60;

/** A state whose failure can be caught. */
type Catching = State & { addCatch(handler: IChainable, props?: { resultPath?: string }): unknown };

/**
 * What follows a step that failed for good: the failure is recorded in `run.json`, told on the topic, and the execution
 * ends with the recorded error by name. Before there is a run id, the error alone is recorded.
 */
export class FailurePath {
  private readonly withRun: State;
  private readonly withoutRun: State;

  constructor(scope: Construct, props: { readonly recordFailure: RunFunction; readonly topic: ITopic }) {
    const { recordFailure, topic } = props;
    const failed = new Fail(scope, 'Failed', {
      comment: 'The recorded error: its name, and what a person can do about it',
      errorPath: '$.failure.name',
      causePath: '$.failure.message',
    });
    const notify = publishOutcome(scope, 'NotifyFailure', {
      topic,
      outcome: 'failed',
      runId: JsonPath.objectAt('$.failure.runId'),
    });
    notify.addCatch(failed, CAUGHT);
    notify.next(failed);
    const unrecorded = new Pass(scope, 'FailureNotRecorded', {
      parameters: {
        failure: {
          runId: 'unknown',
          name: 'FailureNotRecorded',
          message: 'A step failed, and so did the function that records it. Its log tells why.',
        },
      },
    });
    unrecorded.next(notify);
    const record = (id: string, payload: Record<string, unknown>) => {
      const step = functionStep(scope, id, {
        fn: recordFailure,
        payload: TaskInput.fromObject({ ...payload, error: JsonPath.objectAt('$.error') }),
        resultPath: '$.failure',
      });
      step.addCatch(unrecorded, CAUGHT);
      step.next(notify);
      return step;
    };
    this.withRun = record('RecordFailure', { runId: JsonPath.stringAt('$.runId') });
    this.withoutRun = record('RecordRefusal', {});
  }

  /** Lets every error of a step end here; `before: 'run'` where the state does not hold a run id yet. */
  catchErrorsOf(step: Catching, options: { readonly before?: 'run' } = {}): void {
    step.addCatch(options.before === 'run' ? this.withoutRun : this.withRun, CAUGHT);
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
