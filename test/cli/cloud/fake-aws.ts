import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handler as assessBatch } from '../../../functions/assess-batch/handler.ts';
import { environmentNames, sizeTags, UPLOAD_TAGS } from '../../../shared/contracts/cloud/cloud-environment.ts';
import { S3Store } from '../../../shared/storage/s3-store.ts';
import { environmentSize } from '../../functions/fake-bucket.ts';
import { runWorkflow, uploadEvent } from '../../functions/run-workflow.ts';
import { FakeS3, type Forbids } from '../../storage/fake-s3.ts';

/** Name of the environment that the fake holds. */
export const ENVIRONMENT = 'test';

/** Its bucket. */
export const BUCKET = 'evaluations';

const NAMES = environmentNames(ENVIRONMENT);
const PLACE = 'us-east-1:111122223333';

/** The workflow of the environment. */
export const STATE_MACHINE = `arn:aws:states:${PLACE}:stateMachine:${NAMES.workflow}`;

/** An execution as Step Functions keeps it; the batches that are done, where its map is looked at. */
export interface FakeExecution {
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  started: number;
  error?: string;
  cause?: string;
  map?: { total: number; succeeded: number };
}

/** An event that was not delivered, as its queue keeps it: until when nobody is given it (milliseconds), and its name. */
export interface FakeMessage {
  readonly body: string;
  readonly id: string;
  hiddenUntil: number;
}

/** An answer in JSON, with the status 400 when it names an error. */
function answer(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  const refused = '__type' in body || 'x-amzn-errortype' in headers;
  response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/**
 * As much of an account as the command line speaks to, at one address: the bucket, the function that assesses batches,
 * and a workflow whose steps run in this process when a table is uploaded or an execution is started.
 */
export class FakeAws {
  readonly #server: Server;
  readonly #s3: FakeS3;
  readonly executions = new Map<string, FakeExecution>();
  /** What the account allows. */
  concurrency = 1000;
  /** Events that were not delivered. */
  undelivered: FakeMessage[] = [];
  /** Names of the actions that have been asked for. */
  readonly actions: string[] = [];
  /** Who asks, as STS tells it. */
  caller = 'arn:aws:sts::111122223333:assumed-role/SomeRole/someone';
  /** What the bucket refuses those who come by the account's address; the steps of the workflow have one of their own. */
  forbids: Forbids = () => false;

  /** Which rights whoever comes has on services other than the bucket. */
  calls: (right: string) => boolean = () => true;

  private constructor(s3: FakeS3) {
    this.#s3 = s3;
    this.#server = createServer((request, response) => void this.#route(request, response));
  }

  /** Starts an account on a free port. */
  static async start(): Promise<FakeAws> {
    const fake = new FakeAws(await FakeS3.start());
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    return fake;
  }

  /** Ends the account and every connection. */
  async stop(): Promise<void> {
    await this.#s3.stop();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Address to give a client. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Address of the bucket, for the steps of the workflow. */
  get bucketEndpoint(): string {
    return this.#s3.endpoint;
  }

  /** What the key of the environment has signed. */
  get signed(): readonly string[] {
    return this.#s3.kms.signed;
  }

  /** The bucket's store, for looking into it. */
  get store(): S3Store {
    return new S3Store({ bucket: BUCKET, endpoint: this.bucketEndpoint });
  }

  /** Starts an execution under a name; returns its ARN. */
  execute(name: string, input: object): string {
    const arn = `arn:aws:states:${PLACE}:execution:${NAMES.workflow}:${name}`;
    const execution: FakeExecution = { status: 'RUNNING', started: Date.now() / 1000 };
    this.executions.set(arn, execution);
    void runWorkflow(this.store, arn, input).then(({ failure, outcome }) => {
      execution.status = outcome === 'failed' ? 'FAILED' : 'SUCCEEDED';
      if (failure) Object.assign(execution, { error: failure.name, cause: failure.message });
    });
    return arn;
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url!;
    const target = request.headers['x-amz-target']?.toString();
    if (url === '/' && target === undefined) {
      this.actions.push('GetCallerIdentity');
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${this.caller}</Arn><UserId>A:b</UserId><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
      return;
    }
    if (target?.startsWith('TrentService.')) {
      this.actions.push(target.split('.')[1]!);
      if (this.#refuses(`kms:${target.split('.')[1]}`, response)) return;
      await this.#s3.answer(request, response);
      return;
    }
    if (target === undefined && !/^\/201\d-/.test(url)) {
      await this.#s3.answer(request, response, this.forbids);
      if (response.statusCode >= 300) return;
      const key = decodeURIComponent(new URL(url, 'http://localhost').pathname.slice(BUCKET.length + 2));
      if (request.method === 'PUT' && /^incoming\/[^/]+\/table\.(csv|parquet)$/.test(key)) {
        this.execute(`upload-${this.executions.size + 1}`, uploadEvent(BUCKET, key, this.#s3.versionOf(BUCKET, key)));
      }
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (target?.startsWith('AmazonSQS.')) this.#queue(target.split('.')[1]!, JSON.parse(text), response);
    else if (target) this.#states(target.split('.')[1]!, JSON.parse(text), response);
    else await this.#lambda(url, text, response);
  }

  /** Answers those who lack a right so; false for those who have it. */
  #refuses(right: string, response: ServerResponse): boolean {
    const refused = !this.calls(right);
    if (refused) answer(response, { __type: 'AccessDeniedException' }, { 'x-amzn-errortype': 'AccessDeniedException' });
    return refused;
  }

  #queue(action: string, input: { ReceiptHandle?: string; VisibilityTimeout?: number }, response: ServerResponse): void {
    this.actions.push(action);
    if (this.#refuses(`sqs:${action}`, response)) return;
    const now = Date.now();
    const seen = this.undelivered.filter(({ hiddenUntil }) => hiddenUntil <= now);
    const until = now + 1000 * (input.VisibilityTimeout ?? 0);
    if (action === 'GetQueueAttributes') answer(response, { Attributes: { ApproximateNumberOfMessages: String(seen.length) } });
    else if (action === 'ReceiveMessage') {
      const MessageAttributes = { ERROR_CODE: { DataType: 'String', StringValue: 'NO_PERMISSIONS' } };
      for (const message of seen.slice(0, 10)) message.hiddenUntil = until;
      const Messages = seen.slice(0, 10).map(({ body: Body, id }) => {
        const MD5OfBody = createHash('md5').update(Body).digest('hex');
        return { Body, MD5OfBody, MessageId: id, ReceiptHandle: id, MessageAttributes };
      });
      answer(response, { Messages });
    } else if (action === 'DeleteMessage') {
      this.undelivered = this.undelivered.filter(({ id }) => id !== input.ReceiptHandle);
      answer(response, {});
    } else {
      for (const message of this.undelivered.filter(({ id }) => id === input.ReceiptHandle)) message.hiddenUntil = until;
      answer(response, {});
    }
  }

  #states(action: string, input: Record<string, string>, response: ServerResponse): void {
    this.actions.push(action);
    if (this.#refuses(`states:${action}`, response)) return;
    const arn = input.executionArn ?? input.mapRunArn?.replace('/map', '') ?? '';
    const execution = this.executions.get(arn);
    if (action === 'DescribeStateMachine') {
      const known = input.stateMachineArn === STATE_MACHINE;
      answer(response, known ? { status: 'ACTIVE' } : { __type: 'StateMachineDoesNotExist' });
    } else if (action === 'StartExecution') {
      const name = input.name ?? `started-${this.executions.size + 1}`;
      if ([...this.executions.keys()].some((one) => one.endsWith(`:${name}`))) {
        answer(response, { __type: 'ExecutionAlreadyExists' });
        return;
      }
      const executionArn = this.execute(name, JSON.parse(input.input!));
      answer(response, { executionArn, startDate: Date.now() / 1000 });
    } else if (action === 'ListExecutions') {
      const running = [...this.executions].filter(([, { status }]) => status === input.statusFilter);
      answer(response, { executions: running.map(([executionArn]) => ({ executionArn })) });
    } else if (execution === undefined) {
      answer(response, { __type: 'ExecutionDoesNotExist' });
    } else if (action === 'DescribeExecution') {
      const { cause, error, started: startDate, status } = execution;
      answer(response, { executionArn: arn, startDate, status, ...(error && { error, cause }) });
    } else if (action === 'StopExecution') {
      execution.status = 'ABORTED';
      answer(response, { stopDate: Date.now() / 1000 });
    } else {
      const { map, started: startDate } = execution;
      const [mapRunArn, running] = [`${arn}/map`, { pending: 0, running: 0, failed: 0, timedOut: 0, aborted: 0 }];
      const itemCounts = { ...running, ...map, resultsWritten: 0 };
      const runs = map ? [{ mapRunArn, executionArn: arn, stateMachineArn: STATE_MACHINE, startDate }] : [];
      answer(response, action === 'ListMapRuns' ? { mapRuns: runs } : { mapRunArn, startDate, itemCounts });
    }
  }

  async #lambda(url: string, text: string, response: ServerResponse): Promise<void> {
    const [, , kind, name, invocations] = url.split('/');
    this.actions.push(kind === 'account-settings' ? kind : invocations ? 'invoke' : 'get-function');
    const right = kind === 'account-settings' ? 'GetAccountSettings' : invocations === undefined ? 'GetFunction' : 'InvokeFunction';
    if (this.#refuses(`lambda:${right}`, response)) return;
    if (kind === 'account-settings') {
      answer(response, { AccountLimit: { UnreservedConcurrentExecutions: this.concurrency } });
    } else if (name !== NAMES.assessFunction) {
      answer(response, {}, { 'x-amzn-errortype': 'ResourceNotFoundException' });
    } else if (invocations === undefined) {
      const Configuration = {
        FunctionArn: `arn:aws:lambda:${PLACE}:function:${name}`,
        MemorySize: 1769,
        Environment: { Variables: { BUCKET } },
      };
      // Emulators give their queues a host that a machine without a network does not find.
      const told = { [UPLOAD_TAGS.queue]: 'http://queue.invalid/queue', [UPLOAD_TAGS.versions]: 'true' };
      const size = JSON.parse(environmentSize({ engine: 'fargate' }));
      answer(response, { Configuration, ...(this.calls('lambda:ListTags') && { Tags: { ...sizeTags(size), ...told } }) });
    } else {
      try {
        answer(response, await assessBatch(JSON.parse(text)));
      } catch (error) {
        const { message, name: errorType } = error as Error;
        answer(response, { errorType, errorMessage: message }, { 'x-amz-function-error': 'Unhandled' });
      }
    }
  }
}
