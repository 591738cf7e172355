import { FargatePlatformVersion, type ICluster } from 'aws-cdk-lib/aws-ecs';
import {
  type IChainable,
  IntegrationPattern,
  JsonPath,
  Map as MapState,
  type RetryProps,
  type State,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CapacityProviderOptions, EcsFargateLaunchTarget, type LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { MOST_FIT_TASKS } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { IsolatedNetwork } from '../constructs/isolated-network.ts';
import type { ContainerTask, RunContainers } from '../constructs/run-containers.ts';
import type { RunFunction } from '../constructs/run-function.ts';
import type { Settings } from '../settings.ts';
import { functionStep } from './function-step.ts';
import { PinnedRunTask } from './pinned-run-task.ts';
import { CONTAINER_RETRIES, SPOT_RETRIES } from './retries.ts';

/** What carries out chains: container tasks, or for small tables and emulators a function. */
export type FitEngine = { readonly container: RunContainers } | { readonly fn: RunFunction };

interface FitProps {
  readonly engine: FitEngine;
  readonly network: IsolatedNetwork;
  readonly settings: Settings;
}

/** What runs chains, from its first state on. */
export interface FitStep {
  readonly start: State;
  /** The states that may be its last, and may fail. */
  readonly tasks: readonly (PinnedRunTask | LambdaInvoke | MapState)[];
}

const ROUND = { runId: JsonPath.stringAt('$.runId'), round: JsonPath.numberAt('$.round') };
const SHARE = JsonPath.objectAt('$.share');

/** A container task that is watched by Step Functions. */
function containerTask(
  scope: Construct,
  id: string,
  { cluster, task: { container, taskDefinition } }: { readonly cluster: ICluster; readonly task: ContainerTask },
  props: Omit<FitProps, 'engine'> & {
    readonly shared?: boolean;
    readonly capacity?: 'FARGATE_SPOT';
    readonly retries?: readonly RetryProps[];
  },
): PinnedRunTask {
  const { capacity, network, retries = CONTAINER_RETRIES, settings, shared = false } = props;
  const task = new PinnedRunTask(scope, id, {
    integrationPattern: IntegrationPattern.RUN_JOB,
    cluster,
    taskDefinition,
    launchTarget: new EcsFargateLaunchTarget({
      platformVersion: FargatePlatformVersion.LATEST,
      ...(capacity === undefined
        ? {}
        : { capacityProviderOptions: CapacityProviderOptions.custom([{ capacityProvider: capacity, weight: 1 }]) }),
    }),
    // Without them CDK looks for subnets with a way out.
    subnets: network.subnets,
    securityGroups: [network.workers],
    containerOverrides: [
      {
        containerDefinition: container,
        environment: [
          { name: 'RUN_ID', value: JsonPath.stringAt('$.runId') },
          { name: 'ROUND', value: JsonPath.format('{}', JsonPath.stringAt('$.round')) },
          ...(shared ? [{ name: 'SHARE', value: JsonPath.jsonToString(SHARE) }] : []),
        ],
      },
    ],
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(Duration.hours(settings.fitTimeoutHours)),
  });
  for (const retry of retries) task.addRetry(retry);
  return task;
}

/**
 * The state that runs chains of a round: all of them, or a share. A container task is watched by Step Functions (`.sync`),
 * which knows no heartbeat of it: a task that stops is heard of at once, one that hangs when its time is up. With `fitSpot` it
 * runs on spare capacity, and after several interruptions on demand.
 */
function chainsStep(scope: Construct, id: string, props: FitProps & { readonly shared: boolean }): FitStep {
  const { engine, settings, shared } = props;
  if ('fn' in engine) {
    const step = functionStep(scope, id, {
      fn: engine.fn,
      payload: TaskInput.fromObject({ ...ROUND, ...(shared ? { share: SHARE } : {}) }),
      resultPath: JsonPath.DISCARD,
    });
    return { start: step, tasks: [step] };
  }
  const { fit: task, cluster } = engine.container;
  // The interface says of absent properties what the class does not.
  const fitTask = { cluster: cluster as ICluster, task };
  if (!settings.fitSpot) {
    const task = containerTask(scope, id, fitTask, props);
    return { start: task, tasks: [task] };
  }
  const onDemand = containerTask(scope, `${id}OnDemand`, fitTask, props);
  const spot = containerTask(scope, id, fitTask, { ...props, capacity: 'FARGATE_SPOT', retries: SPOT_RETRIES });
  // Not a task that is out of time: on demand it would take as long.
  spot.addCatch(onDemand, { errors: ['States.TaskFailed'], resultPath: JsonPath.DISCARD });
  return { start: spot, tasks: [spot, onDemand] };
}

/** The state that judges a round in a container task, and unless another follows puts the results together; null where no container fits. */
export function closeStep(scope: Construct, id: string, { engine, ...props }: FitProps): PinnedRunTask | null {
  if ('fn' in engine) return null;
  const { close: task, cluster } = engine.container;
  return containerTask(scope, id, { cluster: cluster as ICluster, task }, props);
}

/** The state that runs all chains of a round in one task. */
export const fitStep = (scope: Construct, id: string, props: FitProps): FitStep => chainsStep(scope, id, { ...props, shared: false });

/**
 * The state that runs a stage of the chains of a round in several tasks: a map over their shares, as `check-budget` cuts
 * them. As many are at work as may have their vCPU at once.
 *
 * @param shares where they are in the state
 */
export function sharedFitStep(scope: Construct, id: string, shares: string, props: FitProps): FitStep {
  const { engine, settings } = props;
  const map = new MapState(scope, id, {
    itemsPath: shares,
    itemSelector: { ...ROUND, share: JsonPath.objectAt('$$.Map.Item.Value') },
    maxConcurrency: 'fn' in engine ? MOST_FIT_TASKS : Math.max(1, Math.floor(settings.fargateVcpu / settings.fitVcpu)),
    resultPath: JsonPath.DISCARD,
  });
  map.itemProcessor(chainsStep(scope, `${id}Share`, { ...props, shared: true }).start as IChainable & State);
  return { start: map, tasks: [map] };
}
