import { readFileSync } from 'node:fs';
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { stringify } from 'yaml';
import { clientEnvironment, endpoint, paths } from '../../localstack/emulator.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { plantKeys } from '../functions/plant-keys.ts';

Object.assign(process.env, clientEnvironment);

interface StackOutputs {
  readonly BucketName: string;
  readonly StateMachineArn: string;
}

const outputs = Object.values(JSON.parse(readFileSync(paths.outputs, 'utf8')) as Record<string, StackOutputs>)[0]!;

/** Bucket of the stack in the emulator. */
export const BUCKET = outputs.BucketName;

/** Workflow of the stack. */
export const STATE_MACHINE = outputs.StateMachineArn;

/** The bucket's store. */
export const store = new S3Store({ bucket: BUCKET, endpoint });

const states = new SFNClient({});

/** An execution of the workflow that has ended. */
export type Execution = DescribeExecutionCommandOutput;

/** The emulator is one process, which questions keep from the work that they ask about. */
const POLL_MILLISECONDS = 500;

const pause = () => new Promise((done) => setTimeout(done, POLL_MILLISECONDS));

/** Uploads the keys of tests, a config and then a table, which starts an execution. */
export async function upload(name: string, table: Uint8Array, settings: object): Promise<void> {
  await plantKeys(store, name);
  await store.put(`incoming/${name}/run.yaml`, new TextEncoder().encode(stringify(settings)));
  await store.put(`incoming/${name}/table.csv`, table);
}

/** All executions of the workflow, without those of the map's children. */
async function executions(): Promise<string[]> {
  const { executions: found = [] } = await states.send(new ListExecutionsCommand({ stateMachineArn: STATE_MACHINE }));
  return found.map(({ executionArn }) => executionArn!);
}

/** How many executions there have been. */
export const executionsStarted = async (): Promise<number> => (await executions()).length;

/** Waits for an execution to end. */
export async function ended(executionArn: string): Promise<Execution> {
  for (;;) {
    const execution = await states.send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== 'RUNNING') return execution;
    await pause();
  }
}

/** The key of the upload that started each execution that was asked for, which never changes; undefined of one that none started. */
const keyOf = new Map<string, string | undefined>();

/** Waits until so many executions have begun for an upload. */
async function begunFor(name: string, count: number): Promise<string[]> {
  for (;;) {
    const all = await executions();
    for (const executionArn of all.filter((arn) => !keyOf.has(arn))) {
      const { input } = await states.send(new DescribeExecutionCommand({ executionArn }));
      keyOf.set(executionArn, JSON.parse(input!).detail?.object.key);
    }
    const found = all.filter((arn) => keyOf.get(arn) === `incoming/${name}/table.csv`);
    if (found.length >= count) return found;
    await pause();
  }
}

/** Waits until so many executions have begun for an upload, and have ended. */
export async function executionsOf(name: string, count: number): Promise<Execution[]> {
  return Promise.all((await begunFor(name, count)).map(ended));
}

/** Waits until an execution is at its chains, and has been for a second. */
async function untilItsChains(executionArn: string): Promise<void> {
  for (;;) {
    const { events = [] } = await states.send(new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 10 }));
    const { timestamp, stateEnteredEventDetails } = events.find((event) => event.stateEnteredEventDetails) ?? {};
    const isThere = /^Fit/.test(stateEnteredEventDetails?.name ?? '') && Date.now() - timestamp!.getTime() > 1000;
    if (isThere) return;
    await pause();
  }
}

/**
 * Stops the one execution that an upload started, at its chains: what is stopped between two steps has failed in the emulator, where
 * it is stopped in AWS.
 */
export async function stop(name: string): Promise<void> {
  const [executionArn] = await begunFor(name, 1);
  await untilItsChains(executionArn!);
  await states.send(new StopExecutionCommand({ executionArn: executionArn! }));
}

/** Waits for the one execution that an upload started to end. */
export async function executionOf(name: string): Promise<Execution> {
  return (await executionsOf(name, 1))[0]!;
}

/** Starts an execution with an input, as EventBridge or a person does. */
export async function start(input: object): Promise<string> {
  const { executionArn } = await states.send(new StartExecutionCommand({ stateMachineArn: STATE_MACHINE, input: JSON.stringify(input) }));
  return executionArn!;
}

/** The run that an upload became. */
export async function runOf(name: string): Promise<string> {
  const outcome = await store.get(`incoming/${name}/outcome.json`);
  return JSON.parse(new TextDecoder().decode(outcome)).runId;
}

/** Tells the function that records failures of the end of an execution, as the rule on ends does, and waits for it. */
export async function tellEnd(executionArn: string, status: string, input: string): Promise<void> {
  const lambda = new LambdaClient({});
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  const { FunctionName } = Functions.find((fn) => plain(fn.FunctionName!).includes('recordfailure'))!;
  const event = { source: 'aws.states', detail: { executionArn, status, input } };
  const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  if (FunctionError !== undefined) throw new Error(`record-failure: ${FunctionError}`);
}
