import { FargatePlatformVersion, type ICluster } from 'aws-cdk-lib/aws-ecs';
import { IntegrationPattern, JsonPath, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import {
  EcsFargateLaunchTarget,
  type EcsRunTask,
  type LambdaInvoke,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { FitContainer } from '../constructs/fit-container.ts';
import type { IsolatedNetwork } from '../constructs/isolated-network.ts';
import type { RunFunction } from '../constructs/run-function.ts';
import type { Settings } from '../settings.ts';
import { functionStep } from './function-step.ts';
import { PinnedRunTask } from './pinned-run-task.ts';
import { CONTAINER_RETRIES } from './retries.ts';

/** What carries out the chains of a round: the container task, or for small tables and emulators one function. */
export type FitEngine = { readonly container: FitContainer } | { readonly fn: RunFunction };

/**
 * The state that runs all chains of a round. The container task is watched by Step Functions (`.sync`), which knows no
 * heartbeat of it: a task that stops is heard of at once, one that hangs when its time is up.
 */
export function fitStep(
  scope: Construct,
  id: string,
  props: { readonly engine: FitEngine; readonly network: IsolatedNetwork; readonly settings: Settings },
): EcsRunTask | LambdaInvoke {
  const { engine, network, settings } = props;
  if ('fn' in engine) {
    return functionStep(scope, id, {
      fn: engine.fn,
      payload: TaskInput.fromObject({
        runId: JsonPath.stringAt('$.runId'),
        round: JsonPath.numberAt('$.round'),
      }),
      resultPath: JsonPath.DISCARD,
    });
  }
  const { cluster, container, taskDefinition } = engine.container;
  const step = new PinnedRunTask(scope, id, {
    integrationPattern: IntegrationPattern.RUN_JOB,
    // The interface says of absent properties what the class does not.
    cluster: cluster as ICluster,
    taskDefinition,
    launchTarget: new EcsFargateLaunchTarget({ platformVersion: FargatePlatformVersion.LATEST }),
    // Without them CDK looks for subnets with a way out.
    subnets: network.subnets,
    securityGroups: [network.workers],
    containerOverrides: [
      {
        containerDefinition: container,
        environment: [
          { name: 'RUN_ID', value: JsonPath.stringAt('$.runId') },
          { name: 'ROUND', value: JsonPath.format('{}', JsonPath.stringAt('$.round')) },
        ],
      },
    ],
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(Duration.hours(settings.fitTimeoutHours)),
  });
  for (const retry of CONTAINER_RETRIES) step.addRetry(retry);
  return step;
}
