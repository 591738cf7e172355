import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, GetFunctionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  DescribeStateMachineCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type EnvironmentSize, environmentNames, LIVE, readSizeTags, UPLOAD_TAGS } from '../../shared/contracts/cloud/cloud-environment.ts';
import { InvalidConfigError, reviveError, ServiceError } from '../../shared/contracts/errors.ts';
import { reportedBy } from '../../shared/pipeline/life/record-failure.ts';
import { CALL_TIMEOUTS, CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { BucketObjects } from './bucket-objects.ts';
import type { CloudFlags } from './flags.ts';

/** Tries of one request; the SDK waits between them. */
const TRIES = 5;

/** What the function that assesses batches tells of its environment. */
export interface FoundEnvironment {
  readonly bucket: string;
  readonly stateMachineArn: string;
  /** Null when the function carries no tags of a size: its stack is of another version. */
  readonly size: EnvironmentSize | null;
  readonly assessMemoryMiB: number;
  /** The queue of undelivered events, and what an upload starts; null where the stack is of a version that does not say. */
  readonly uploads: { readonly queue: string; readonly target: string } | null;
}

/** An event that was not delivered, as its queue gives it out. */
export interface UndeliveredMessage {
  readonly id: string;
  /** By which it is deleted or given back. */
  readonly receipt: string;
  readonly body: string;
  /** Why EventBridge could not deliver it, in a word of its own: `NO_PERMISSIONS`. */
  readonly why: string;
}

/** An execution of the workflow. */
export interface ExecutionState {
  readonly running: boolean;
  readonly started: Date;
  /** The published version of the workflow that it began with; null where that was none. */
  readonly workflowVersion: string | null;
  /** Of one that failed: the name of the error, and what it says. */
  readonly error: { readonly name: string; readonly cause: string } | null;
}

/** The last map over batches of an execution. */
export interface MapState {
  readonly started: Date;
  readonly ended: Date | null;
  readonly total: number;
  readonly succeeded: number;
}

interface Refusal extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
}

const isRefusal = (error: unknown): error is Refusal => error instanceof Error && '$metadata' in error;

/** Sends a request; what the service refuses becomes a ServiceError that names the request. */
async function ask<Answer>(request: string, sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Where no answer came, the system has the word: `ECONNREFUSED`.
    const word = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    const status = error.$metadata.httpStatusCode;
    const hint = /AccessDenied/.test(word) ? ' Take a role of the environment that may (docs/how-to/cloud.md).' : '';
    throw new ServiceError(word, `${request}: ${word}${status ? ` (${status})` : ''}.${hint}`);
  }
}

/** The answer, or null when what was asked for is not there. */
async function orNull<Answer>(word: string, answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === word) return null;
    throw error;
  }
}

/**
 * An environment in an account, as the commands of `cloud` work with it. Everything that they ask of AWS is here. The
 * environment is looked up once, by the name of its function `assess-batch`, and only when it is needed.
 */
export class AwsEnvironment {
  readonly #flags: CloudFlags;
  readonly #lambda: LambdaClient;
  readonly #states: SFNClient;
  readonly #kms: KMSClient;
  readonly #sts: STSClient;
  readonly #sqs: SQSClient;
  #found: Promise<FoundEnvironment> | undefined;

  private constructor(flags: CloudFlags) {
    const { endpoint, region } = flags;
    const client = { maxAttempts: TRIES, requestHandler: CLIENT_TIMEOUTS, ...(region && { region }), ...(endpoint && { endpoint }) };
    this.#flags = flags;
    this.#lambda = new LambdaClient({ ...client, requestHandler: CALL_TIMEOUTS });
    this.#states = new SFNClient(client);
    this.#kms = new KMSClient(client);
    this.#sts = new STSClient(client);
    // At the address that holds for all services, as with AWS_ENDPOINT_URL: the queue's own name may not be known here.
    this.#sqs = new SQSClient({ ...client, useQueueUrlAsEndpoint: false });
  }

  /**
   * Checks that there are a region and credentials. Nothing is sent to the environment yet.
   *
   * @throws InvalidConfigError saying what is missing
   */
  static async open(flags: CloudFlags): Promise<AwsEnvironment> {
    const environment = new AwsEnvironment(flags);
    const { credentials, region } = environment.#lambda.config;
    await region().catch(() => {
      throw new InvalidConfigError('no-region', 'Name the region: --region, AWS_REGION or a profile of AWS.');
    });
    await credentials().catch(() => {
      throw new InvalidConfigError(
        'no-credentials',
        'There are no credentials for AWS. Sign in (aws sso login) and set AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      );
    });
    return environment;
  }

  /** The region in which the environment is. */
  get region(): Promise<string> {
    return this.#lambda.config.region();
  }

  get #names() {
    return environmentNames(this.#flags.environment, this.#flags.namePrefix);
  }

  /** Name of the function that assesses batches. */
  get assessFunction(): string {
    return this.#names.assessFunction;
  }

  /** What there is to know of the environment. Throws InvalidConfigError when there is none of that name. */
  find(): Promise<FoundEnvironment> {
    this.#found ??= this.#find();
    return this.#found;
  }

  async #find(): Promise<FoundEnvironment> {
    const { environment } = this.#flags;
    const answer = await orNull(
      'ResourceNotFoundException',
      ask(`Lambda GetFunction ${this.assessFunction}`, this.#lambda.send(new GetFunctionCommand({ FunctionName: this.assessFunction }))),
    );
    const { FunctionArn = '', MemorySize = 0, Environment } = answer?.Configuration ?? {};
    const bucket = Environment?.Variables?.BUCKET;
    if (answer === null || bucket === undefined) {
      throw new InvalidConfigError(
        'no-environment',
        `There is no environment ${environment} in ${await this.region}: name another (--environment, --region), or deploy it (synthrisk cloud deploy).`,
      );
    }
    const [, partition, , region, account] = FunctionArn.split(':');
    const { workflow } = this.#names;
    const stateMachineArn = `arn:${partition}:states:${region}:${account}:stateMachine:${workflow}`;
    const { [UPLOAD_TAGS.queue]: queue, [UPLOAD_TAGS.versions]: versions } = answer.Tags ?? {};
    const target = versions === 'true' ? `${stateMachineArn}:${LIVE}` : stateMachineArn;
    return {
      bucket,
      stateMachineArn,
      size: readSizeTags(answer.Tags ?? {}),
      assessMemoryMiB: MemorySize,
      uploads: queue === undefined ? null : { queue, target },
    };
  }

  /** Name of the bucket. */
  async bucket(): Promise<string> {
    return this.#flags.bucket ?? (await this.find()).bucket;
  }

  /** What of the bucket is no reading and writing of whole objects: tags, versions, deleting. */
  async objects(): Promise<BucketObjects> {
    const { endpoint } = this.#flags;
    const location = { bucket: await this.bucket(), region: await this.region };
    return new BucketObjects({ ...location, ...(endpoint && { endpoint }) });
  }

  /** The bucket of the environment, as far as those may list it who may not list all of it. */
  async store(): Promise<S3Store> {
    const { endpoint } = this.#flags;
    return new S3Store({ bucket: await this.bucket(), region: await this.region, headsByList: true, ...(endpoint && { endpoint }) });
  }

  async #stateMachineArn(): Promise<string> {
    return this.#flags.stateMachine ?? (await this.find()).stateMachineArn;
  }

  /** Whether the workflow is there and takes executions. */
  async workflowIsActive(): Promise<boolean> {
    const stateMachineArn = await this.#stateMachineArn();
    const sent = this.#states.send(new DescribeStateMachineCommand({ stateMachineArn }));
    const answer = await orNull('StateMachineDoesNotExist', ask('Step Functions DescribeStateMachine', sent));
    return answer?.status === 'ACTIVE';
  }

  /** Executions of the workflow that are under way, a thousand at most. */
  async runsUnderWay(): Promise<number> {
    const stateMachineArn = await this.#stateMachineArn();
    const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 1000 });
    const { executions = [] } = await ask('Step Functions ListExecutions', this.#states.send(list));
    return executions.length;
  }

  /** How an execution is doing; null for one that ended so long ago that Step Functions has forgotten it. */
  async execution(executionArn: string): Promise<ExecutionState | null> {
    const sent = this.#states.send(new DescribeExecutionCommand({ executionArn }));
    const answer = await orNull('ExecutionDoesNotExist', ask('Step Functions DescribeExecution', sent));
    if (answer === null) return null;
    const { cause = '', error, startDate, stateMachineVersionArn, status } = answer;
    const failure = error === undefined ? null : { name: error, cause };
    const workflowVersion = stateMachineVersionArn ?? null;
    return { running: status === 'RUNNING', started: startDate!, workflowVersion, error: failure };
  }

  /** The map over batches that an execution began last, or null when it has begun none. */
  async lastMap(executionArn: string): Promise<MapState | null> {
    const { mapRuns = [] } = await ask('Step Functions ListMapRuns', this.#states.send(new ListMapRunsCommand({ executionArn })));
    const last = mapRuns.toSorted((a, b) => a.startDate!.getTime() - b.startDate!.getTime()).at(-1);
    if (last === undefined) return null;
    const { itemCounts, startDate, stopDate } = await ask(
      'Step Functions DescribeMapRun',
      this.#states.send(new DescribeMapRunCommand({ mapRunArn: last.mapRunArn })),
    );
    const { total, succeeded } = itemCounts!;
    return { started: startDate!, ended: stopDate ?? null, total: total!, succeeded: succeeded! };
  }

  /** Starts an execution of the workflow, by default as it was deployed last; returns its ARN. */
  async start(input: object, workflowVersion: string | null = null): Promise<string> {
    const { executionArn } = await ask(
      'Step Functions StartExecution',
      this.#states.send(
        new StartExecutionCommand({ stateMachineArn: workflowVersion ?? (await this.#stateMachineArn()), input: JSON.stringify(input) }),
      ),
    );
    return executionArn!;
  }

  /** The queue of undelivered events, and what an upload starts. Throws InvalidConfigError where the environment does not say. */
  async uploads(): Promise<{ readonly queue: string; readonly target: string }> {
    const { uploads } = await this.find();
    if (uploads !== null) return uploads;
    throw new InvalidConfigError(
      'no-queue',
      `The environment ${this.#flags.environment} does not name its queue of undelivered events: deploy it with this version (synthrisk cloud deploy).`,
    );
  }

  /**
   * Starts an execution for an upload as the rule of uploads does, under a name that it has once; false where one of that name
   * has ended. Of one that runs, Step Functions answers as if it began now.
   */
  async startOnce(name: string, input: object): Promise<boolean> {
    const { target: stateMachineArn } = await this.uploads();
    const sent = this.#states.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
    return (await orNull('ExecutionAlreadyExists', ask('Step Functions StartExecution', sent))) !== null;
  }

  /** Events in the queue that nobody has taken out at the moment. */
  async undeliveredCount(): Promise<number> {
    const { queue: QueueUrl } = await this.uploads();
    const sent = this.#sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }));
    const { Attributes } = await ask('SQS GetQueueAttributes', sent);
    return Number(Attributes!.ApproximateNumberOfMessages);
  }

  /** Takes up to ten events out of the queue: for some seconds nobody else is given them. */
  async takeUndelivered(seconds: number): Promise<UndeliveredMessage[]> {
    const { queue: QueueUrl } = await this.uploads();
    const taking = {
      ...{ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: seconds, MessageAttributeNames: ['All'] },
      // All servers of the queue are asked, and not some.
      WaitTimeSeconds: 1,
    };
    const { Messages = [] } = await ask('SQS ReceiveMessage', this.#sqs.send(new ReceiveMessageCommand(taking)));
    return Messages.map(({ Body, MessageAttributes, MessageId, ReceiptHandle }) => ({
      id: MessageId!,
      receipt: ReceiptHandle!,
      body: Body!,
      why: MessageAttributes?.ERROR_CODE?.StringValue ?? 'unknown',
    }));
  }

  /** Deletes an event from the queue. */
  async dropUndelivered({ receipt: ReceiptHandle }: UndeliveredMessage): Promise<void> {
    const { queue: QueueUrl } = await this.uploads();
    await ask('SQS DeleteMessage', this.#sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })));
  }

  /** Gives an event back to the queue, at once. */
  async giveBackUndelivered({ receipt: ReceiptHandle }: UndeliveredMessage): Promise<void> {
    const { queue: QueueUrl } = await this.uploads();
    const back = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    await ask('SQS ChangeMessageVisibility', this.#sqs.send(back));
  }

  /** Stops an execution, with the batches and the container that belong to it. */
  async stop(executionArn: string): Promise<void> {
    const sent = this.#states.send(new StopExecutionCommand({ executionArn, error: 'Cancelled' }));
    await ask('Step Functions StopExecution', sent);
  }

  /** Calls the function that assesses batches and waits for what it gives back. Throws the error that it names. */
  async assess(task: object): Promise<unknown> {
    const sent = this.#lambda.send(new InvokeCommand({ FunctionName: this.assessFunction, Payload: JSON.stringify(task) }));
    const { FunctionError, Payload } = await ask(`Lambda Invoke ${this.assessFunction}`, sent);
    const text = new TextDecoder().decode(Payload);
    if (FunctionError === undefined) return JSON.parse(text);
    const { errorType = FunctionError } = JSON.parse(text) as { errorType?: string };
    const report = reportedBy({ Error: errorType, Cause: text });
    if (report) throw reviveError(report);
    throw new ServiceError(errorType, `The function ${this.assessFunction} ended with ${errorType}. See its log.`);
  }

  /** The key by which manifests are verified, as the DER of its SubjectPublicKeyInfo. */
  async publicKey(): Promise<Uint8Array> {
    const KeyId = this.#names.signingKey;
    const sent = this.#kms.send(new GetPublicKeyCommand({ KeyId }));
    const { PublicKey } = await ask(`KMS GetPublicKey ${KeyId}`, sent);
    return PublicKey!;
  }

  /** The ARN of whoever asks, as AWS knows it. Everybody may ask. */
  async caller(): Promise<string> {
    const { Arn } = await ask('STS GetCallerIdentity', this.#sts.send(new GetCallerIdentityCommand({})));
    return Arn!;
  }

  /** Concurrent executions of Lambda that the account allows, without those reserved for single functions. */
  async lambdaConcurrency(): Promise<number> {
    const sent = this.#lambda.send(new GetAccountSettingsCommand({}));
    const { AccountLimit } = await ask('Lambda GetAccountSettings', sent);
    return AccountLimit!.UnreservedConcurrentExecutions!;
  }
}
