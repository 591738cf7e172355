import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { COMING_BACK } from '../../shared/contracts/errors.ts';

/** Full jitter, so that many that failed at once do not come back at once; the pause grows to a maximum. */
const BACK_OFF = { backoffRate: 2, jitterStrategy: JitterType.FULL } as const;

/** The errors that synthrisk raises on purpose: the same input gives the same error, and a retry nothing else. */
const NEVER: RetryProps = { errors: [...COMING_BACK], maxAttempts: 0 };

/** Anything else that a task may fail with: a fault of the medium, or a host that went away. */
const UNEXPECTED: RetryProps = {
  errors: ['States.TaskFailed'],
  interval: Duration.seconds(1),
  maxDelay: Duration.seconds(10),
  maxAttempts: 2,
  ...BACK_OFF,
};

/** How a call of a function ends that did not come to pass: throttled, most often. */
export const REFUSED_CALLS = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/** Longest pause before a call is tried again that did not come to pass, unless that would be too often. */
const REFUSED_PAUSE_SECONDS = 20;
/** Four events each of the 25,000 that the history of an execution holds. */
const REFUSED_CALLS_MOST = 3000;

/**
 * Calls of a function that did not come to pass: tried again for so many seconds. Throttles are not among the errors that
 * CDK retries by itself. A pause is of any length up to the longest, half of it in the mean.
 */
function refusedCall(seconds: number): RetryProps {
  const pauseSeconds = Math.max(REFUSED_PAUSE_SECONDS, Math.ceil((2 * seconds) / REFUSED_CALLS_MOST));
  return {
    errors: [...REFUSED_CALLS],
    interval: Duration.seconds(1),
    maxDelay: Duration.seconds(pauseSeconds),
    maxAttempts: Math.ceil((2 * seconds) / pauseSeconds),
    ...BACK_OFF,
  };
}

/**
 * Retries of a function. Of several retriers the first that names the error counts. A call that is throttled is tried again
 * for as long as whatever calls it may last.
 */
export const functionRetries = (seconds: number): readonly RetryProps[] => [NEVER, refusedCall(seconds), UNEXPECTED];

/**
 * The same for a caller that ends by itself after so many seconds: it is tried again only as long as one more call still
 * ends before that, however long the pauses happen to be.
 *
 * @param callSeconds that a call may last
 */
export function briefRetries(seconds: number, callSeconds: number): readonly RetryProps[] {
  let maxAttempts = 0;
  for (let pauses = 0; ; maxAttempts++) {
    pauses += Math.min(REFUSED_PAUSE_SECONDS, 2 ** maxAttempts);
    if (pauses > seconds - callSeconds) break;
  }
  const brief = { ...refusedCall(seconds), maxAttempts };
  return [NEVER, brief, UNEXPECTED];
}

/** Retries of a function that is meant to fail. */
export const refusedCallRetries = (seconds: number): readonly RetryProps[] => [refusedCall(seconds)];

/**
 * Retries of the container task. Chains that are whole stay in the bucket, so that another attempt goes on with the
 * rest. A task over its time limit is not retried.
 */
export const CONTAINER_RETRIES: readonly RetryProps[] = [
  {
    // Capacity that is not there at the moment comes as the first of these.
    errors: ['ECS.AmazonECSException', 'ECS.ServerException', 'ECS.ThrottlingException'],
    interval: Duration.seconds(30),
    maxDelay: Duration.minutes(10),
    maxAttempts: 8,
    ...BACK_OFF,
  },
  { ...UNEXPECTED, interval: Duration.seconds(30), maxDelay: Duration.minutes(5) },
];

/**
 * Retries of a container task on spare capacity, which AWS takes back with two minutes' notice: chains that are whole stay.
 * After these it goes on on demand.
 */
export const SPOT_RETRIES: readonly RetryProps[] = [
  { errors: ['States.TaskFailed'], interval: Duration.seconds(30), maxDelay: Duration.minutes(5), maxAttempts: 5, ...BACK_OFF },
];

/** Retries of the map itself, for the moment before its first child: it reads the manifest from S3. */
export const MAP_RETRIES: readonly RetryProps[] = [
  { errors: ['States.ItemReaderFailed'], interval: Duration.seconds(2), maxDelay: Duration.seconds(30), maxAttempts: 3, ...BACK_OFF },
];

/** Retries of a call that Step Functions makes itself, such as a notification. */
export const SERVICE_RETRIES: readonly RetryProps[] = [
  {
    errors: ['States.TaskFailed', 'States.Timeout'],
    interval: Duration.seconds(2),
    maxDelay: Duration.seconds(30),
    maxAttempts: 5,
    ...BACK_OFF,
  },
];
