import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListFunctionsCommand,
  PublishVersionCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { STATE_MACHINE } from './emulated-stack.ts';

const lambda = new LambdaClient({});
const states = new SFNClient({});

/** Name of a function of the stack, of which `part` is a part, without hyphens. */
export async function nameOfFunction(part: string): Promise<string> {
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  return Functions.find(({ FunctionName }) => plain(FunctionName!).includes(plain(part)))!.FunctionName!;
}

/** Gives the workflow another definition, for executions that begin from now on. */
export async function redefine(change: (definition: string) => string): Promise<void> {
  const stateMachineArn = STATE_MACHINE;
  const { definition } = await states.send(new DescribeStateMachineCommand({ stateMachineArn }));
  await states.send(new UpdateStateMachineCommand({ stateMachineArn, definition: change(definition!) }));
}

/** Publishes a function as it is now, and lets executions that begin from now on call that version, as a deployment does. */
export async function publishFunction(FunctionName: string): Promise<void> {
  await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 60 }, { FunctionName });
  const { Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
  const called = new RegExp(`(:function:${FunctionName}):\\d+`, 'g');
  await redefine((definition) => definition.replace(called, `$1:${Version}`));
}

/** Sets variables of a function, or takes them away, and publishes it. */
export async function setVariables(part: string, change: (variables: Record<string, string>) => Record<string, string>): Promise<void> {
  const FunctionName = await nameOfFunction(part);
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const Variables = change(Environment!.Variables!);
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await publishFunction(FunctionName);
}
