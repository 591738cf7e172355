import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { STATE_MACHINE } from './emulated-stack.ts';
import { nameOfFunction } from './faulty-function.ts';

const lambda = new LambdaClient({});
const states = new SFNClient({});

/** Lets runs that begin from now on have batches of this size. */
async function setBatchSize(batchSize: number | undefined): Promise<void> {
  const FunctionName = await nameOfFunction('PlanRun');
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const variables = Environment!.Variables!;
  const size = { ...JSON.parse(variables.ENVIRONMENT_SIZE!), batchSize };
  const Variables = { ...variables, ENVIRONMENT_SIZE: JSON.stringify(size) };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 60 }, { FunctionName });
}

/** Lets executions that begin from now on map over so many batches at once. */
async function setConcurrency(concurrency: number): Promise<number> {
  const stateMachineArn = STATE_MACHINE;
  const { definition } = await states.send(new DescribeStateMachineCommand({ stateMachineArn }));
  const workflow = JSON.parse(definition!);
  const before = workflow.States.Assess.MaxConcurrency;
  workflow.States.Assess.MaxConcurrency = concurrency;
  await states.send(new UpdateStateMachineCommand({ stateMachineArn, definition: JSON.stringify(workflow) }));
  return before;
}

/** Deploys the environment with another size of batches and another number of them at once while some work is done. */
export async function withSize<T>(
  { batchSize, concurrency }: { readonly batchSize: number; readonly concurrency: number },
  work: () => Promise<T>,
): Promise<T> {
  await setBatchSize(batchSize);
  const before = await setConcurrency(concurrency);
  try {
    return await work();
  } finally {
    await setConcurrency(before);
    await setBatchSize(undefined);
  }
}
