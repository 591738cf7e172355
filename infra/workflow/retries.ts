import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import {
  ArtifactError,
  BudgetExceededError,
  InvalidConfigError,
  InvalidTableError,
  NumericalError,
  RunConflictError,
  UnsupportedOptionError,
} from '../../shared/contracts/errors.ts';

/** Full jitter, so that many that failed at once do not come back at once; the pause grows to a maximum. */
const BACK_OFF = { backoffRate: 2, jitterStrategy: JitterType.FULL } as const;

/** The errors that synthrisk raises on purpose: the same input gives the same error, and a retry nothing else. */
const NEVER: RetryProps = {
  errors: [
    InvalidTableError,
    InvalidConfigError,
    UnsupportedOptionError,
    RunConflictError,
    NumericalError,
    ArtifactError,
    BudgetExceededError,
  ].map((NamedError) => NamedError.name),
  maxAttempts: 0,
};

/** Anything else that a task may fail with: a fault of the medium, or a host that went away. */
const UNEXPECTED: RetryProps = {
  errors: ['States.TaskFailed'],
  interval: Duration.seconds(1),
  maxDelay: Duration.seconds(10),
  maxAttempts: 2,
  ...BACK_OFF,
};

/** Calls of a function that did not come to pass. Throttles are not among the errors that CDK retries by itself. */
const REFUSED_CALL: RetryProps = {
  errors: [
    'Lambda.TooManyRequestsException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  interval: Duration.seconds(1),
  maxDelay: Duration.seconds(20),
  maxAttempts: 8,
  ...BACK_OFF,
};

/** Retries of a function. Of several retriers the first that names the error counts. */
export const FUNCTION_RETRIES: readonly RetryProps[] = [NEVER, REFUSED_CALL, UNEXPECTED];

/** Retries of a function that is meant to fail. */
export const REFUSED_CALL_RETRIES: readonly RetryProps[] = [REFUSED_CALL];

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

/** Retries of the map itself, for the moment before its first child: it reads the manifest from S3. */
export const MAP_RETRIES: readonly RetryProps[] = [
  {
    errors: ['States.ItemReaderFailed'],
    interval: Duration.seconds(2),
    maxDelay: Duration.seconds(30),
    maxAttempts: 3,
    ...BACK_OFF,
  },
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
