import { type RetryProps, type TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { RunFunction } from '../constructs/run-function.ts';
import { functionRetries } from './retries.ts';

/** Beyond the function's own limit, which answers first: time to start it and to hear from it. */
const GRACE_SECONDS = 30;

/**
 * A state that calls a function, in the version of this deployment, with a payload, by default its whole input, and puts the answer at `resultPath`, by
 * default in place of the input. Lambda sends no heartbeat: the time limit tells that nothing comes any more.
 */
export function functionStep(
  scope: Construct,
  id: string,
  props: {
    readonly fn: RunFunction;
    readonly payload?: TaskInput;
    readonly resultPath?: string;
    readonly outputPath?: string;
    /** Given how long a run may last, and a call, in seconds; by default {@link functionRetries}. */
    readonly retries?: (seconds: number, callSeconds: number) => readonly RetryProps[];
  },
): LambdaInvoke {
  const { fn, retries = functionRetries, ...rest } = props;
  const callSeconds = fn.timeoutSeconds + GRACE_SECONDS;
  const step = LambdaInvoke.jsonPath(scope, id, {
    ...rest,
    lambdaFunction: fn.version,
    payloadResponseOnly: true,
    retryOnServiceExceptions: false,
    taskTimeout: Timeout.duration(Duration.seconds(callSeconds)),
  });
  for (const retry of retries(fn.runSeconds, callSeconds)) step.addRetry(retry);
  return step;
}
