import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { scopedPolicy, scopedRole } from '../access/scoped-role.ts';
import { TASK_KEYS } from '../access/step-access.ts';
import { logDeliveryStatement } from '../constructs/log-delivery.ts';
import { MAP_LABEL } from './assess-map.ts';
import type { FitEngine } from './fit-step.ts';
import type { EvaluationWorkflowProps } from './workflow-props.ts';

/**
 * The role of the workflow, with rights on the functions, the task, the manifests and the topic of its environment.
 * What it may do to its own executions names the workflow, which must be there first: `attachTo` adds it.
 */
export function workflowRole(
  scope: Construct,
  props: EvaluationWorkflowProps,
): { role: IRole; attachTo: (stateMachine: StateMachine) => void } {
  const { bucket, engine, functions, keys, topic } = props;
  const manifests = bucket.arnForObjects(TASK_KEYS);
  const container = containerRights(scope, engine);
  // Those of earlier deployments too: executions go on with what they began with.
  const versions = functions.all.map(({ lambda }) => `${lambda.functionArn}:*`);
  const role = scopedRole(scope, 'Workflow', {
    principal: new ServicePrincipal('states.amazonaws.com'),
    description: 'What the workflow may do itself',
    statements: [
      new PolicyStatement({ sid: 'Call', actions: ['lambda:InvokeFunction'], resources: versions }),
      new PolicyStatement({ sid: 'ReadManifests', actions: ['s3:GetObject'], resources: [manifests] }),
      new PolicyStatement({ sid: 'DecryptManifests', actions: ['kms:Decrypt'], resources: [keys.data.keyArn] }),
      new PolicyStatement({ sid: 'Notify', actions: ['sns:Publish'], resources: [topic.topicArn] }),
      new PolicyStatement({
        sid: 'EncryptNotifications',
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: [keys.operations.keyArn],
      }),
      logDeliveryStatement(),
      ...container.statements,
    ],
    wildcards: {
      '*': 'The delivery of logs is set up by rights that CloudWatch Logs offers for no single resource.',
      ...Object.fromEntries(
        versions.map((version) => [
          version,
          'Versions of this function: an execution calls those that it began with, also after a deployment.',
        ]),
      ),
      [manifests]: 'The manifests of any run: one workflow serves them all.',
      ...container.wildcards,
    },
  });
  const attachTo = (stateMachine: StateMachine) => {
    const { stateMachineArn, stateMachineName } = stateMachine;
    const executions = (resourceName: string) =>
      Stack.of(scope).formatArn({ service: 'states', resource: 'execution', resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
    const own = executions(`${stateMachineName}:*`);
    const children = executions(`${stateMachineName}/${MAP_LABEL}:*`);
    const reason = 'Executions of this workflow and the children of its map, whose names Step Functions makes up.';
    scopedPolicy(scope, 'ChildrenPolicy', {
      description: 'What the workflow may do to the children of its map',
      roles: [role],
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [stateMachineArn] }),
        new PolicyStatement({ actions: ['states:DescribeExecution', 'states:StopExecution'], resources: [own, children] }),
        new PolicyStatement({ actions: ['states:RedriveExecution'], resources: [children] }),
      ],
      wildcards: { [own]: reason, [children]: reason },
    });
    // What CDK would grant instead, inline. The role does not take it; checkers of the construct tree would see it.
    stateMachine.node.tryRemoveChild('DistributedMapPolicy');
  };
  return { role, attachTo };
}

/** The rights to run the container task and to hear of its end; none where a function fits. */
function containerRights(scope: Construct, engine: FitEngine): { statements: PolicyStatement[]; wildcards: Record<string, string> } {
  if ('fn' in engine) return { statements: [], wildcards: {} };
  const { close, cluster, fit, roles } = engine.container;
  const stack = Stack.of(scope);
  const tasks = stack.formatArn({ service: 'ecs', resource: 'task', resourceName: `${cluster.clusterName}/*` });
  // Those of earlier deployments too.
  const revisions = [fit, close].map(({ taskDefinition: { family } }) =>
    stack.formatArn({ service: 'ecs', resource: 'task-definition', resourceName: `${family}:*` }),
  );
  // Step Functions keeps one rule of this name in an account, by which it hears of tasks that end.
  const endOfTasks = stack.formatArn({ service: 'events', resource: 'rule', resourceName: 'StepFunctionsGetEventsForECSTaskRule' });
  return {
    statements: [
      new PolicyStatement({
        sid: 'RunTask',
        actions: ['ecs:RunTask'],
        resources: revisions,
        conditions: {
          ArnEquals: { 'ecs:cluster': cluster.clusterArn },
          // Nobody can be given a shell in such a task.
          StringEqualsIfExists: { 'ecs:enable-execute-command': 'false' },
        },
      }),
      new PolicyStatement({ sid: 'WatchTask', actions: ['ecs:StopTask', 'ecs:DescribeTasks'], resources: [tasks] }),
      new PolicyStatement({
        sid: 'HandRolesToTask',
        actions: ['iam:PassRole'],
        resources: roles.map((role) => role.roleArn),
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      }),
      new PolicyStatement({
        sid: 'HearOfTask',
        actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
        resources: [endOfTasks],
      }),
    ],
    wildcards: {
      [tasks]: 'Tasks in its own cluster, whose ids Fargate makes up.',
      ...Object.fromEntries(
        revisions.map((of) => [of, 'Revisions of this task definition: an execution starts the one that it began with.']),
      ),
    },
  };
}
