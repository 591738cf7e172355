import { type CfnRule, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { IsolatedNetwork } from '../constructs/isolated-network.ts';
import type { RunContainers } from '../constructs/run-containers.ts';
import { WATCHED_CHANGES, type WatchedChange } from './watched-changes.ts';

/** What is watched for changes. */
export interface ChangeAlertsProps {
  readonly topic: ITopic;
  readonly buckets: readonly IBucket[];
  readonly keys: readonly IKey[];
  /** Alias of the key that signs. */
  readonly signingAlias: string;
  readonly network: IsolatedNetwork;
  /** Null where no container fits. */
  readonly container: RunContainers | null;
  /** Roles for people. */
  readonly people: readonly IRole[];
  /** The workflow of runs. */
  readonly workflow: StateMachine;
  /** All workflows. */
  readonly workflows: readonly IStateMachine[];
}

/** Who did what, and when: no parameter of the call, which may hold anything. */
const TOLD = RuleTargetInput.fromText(
  `synthrisk: ${EventField.fromPath('$.detail.eventName')} by ${EventField.fromPath('$.detail.userIdentity.arn')} at ${EventField.time} in ${EventField.account} ${EventField.region}. A deployment does this; if there was none, see the runbook.`,
);

/** Who took which role, or tried to; the name of a session is for whoever takes it to choose. */
const TAKEN = RuleTargetInput.fromText(
  `synthrisk: ${EventField.fromPath('$.detail.requestParameters.roleArn')} taken (${EventField.fromPath('$.detail.eventName')}) by ${EventField.fromPath('$.detail.userIdentity.arn')} from ${EventField.fromPath('$.detail.sourceIPAddress')} at ${EventField.time}. If nobody was to work with it, see the runbook.`,
);

const anyOf = (patterns: readonly string[]) => patterns.map((wildcard) => ({ wildcard }));

/** One parameter of a call, as a filter; none where there is nothing to look for. */
const among = (name: string, values: readonly unknown[]): object[] => (values.length === 0 ? [] : [{ [name]: values }]);

/** A parameter of a call to EC2, which puts those of its newer calls into an object with the name of the request. */
const amongEc2 = (request: string, name: string, values: readonly string[]): object[] => [
  ...among(name.charAt(0).toLowerCase() + name.slice(1), values),
  ...among(name, values).map((nested) => ({ [request]: nested })),
];

/**
 * Tells on the topic when what the threat model relies on was changed, by {@link WATCHED_CHANGES}. EventBridge hears of it from a
 * trail of management events, which an account has to have; of roles and policies it hears in the region of IAM alone (us-east-1,
 * us-gov-west-1).
 */
export class ChangeAlerts extends Construct {
  constructor(scope: Construct, id: string, props: ChangeAlertsProps) {
    super(scope, id);
    const { buckets, container, keys, network, people, signingAlias, topic, workflow, workflows } = props;
    const { stackName } = Stack.of(this);
    const named = anyOf([`${stackName}-*`]);
    const tasks = container === null ? [] : [container.fit, container.close];
    const roles = anyOf(tasks.map(({ role: { roleName } }) => `*${roleName}`));
    const families = tasks.map(({ taskDefinition: { family } }) => family);
    const ofContainer = ({ cluster }: RunContainers) => [
      ...among('cluster', anyOf([`*${cluster.clusterName}`])),
      ...among('taskDefinition', anyOf(families.flatMap((family) => [`${family}*`, `*/${family}:*`]))),
      ...among('taskRoleArn', roles).map((overrides) => ({ overrides })),
    ];
    /** Who makes a call as a matter of course, and is not told of. */
    const unlessBy: Partial<Record<keyof typeof WATCHED_CHANGES, string>> = { Task: workflow.role.roleArn };
    /** Of each change the parameters that make it one of this environment, any of which suffices; null for all calls in the account. */
    const parameters: Readonly<Record<keyof typeof WATCHED_CHANGES, readonly object[] | null>> = {
      Bucket: among(
        'bucketName',
        buckets.map(({ bucketName }) => bucketName),
      ),
      Key: among('keyId', anyOf(keys.map(({ keyId }) => `*${keyId}`))),
      KeyAlias: among('aliasName', [signingAlias]),
      Function: among('functionName', anyOf([`${stackName}-*`, `*:function:${stackName}-*`])),
      Workflow: among(
        'stateMachineArn',
        workflows.map(({ stateMachineArn }) => stateMachineArn),
      ),
      // Which version an upload starts.
      Alias: among('stateMachineAliasArn', anyOf([`${workflow.stateMachineArn}:*`])),
      Role: among('roleName', named),
      Session: among(
        'roleArn',
        people.map(({ roleArn }) => roleArn),
      ),
      Policy: among('policyArn', anyOf([`*/${stackName}-*`])),
      Task: container === null ? [] : ofContainer(container),
      TaskDefinition: [...among('taskRoleArn', roles), ...among('family', families)],
      Image: among('repositoryName', container === null ? [] : [container.repositoryName]),
      Endpoint: [
        ...amongEc2('ModifyVpcEndpointRequest', 'VpcEndpointId', network.endpointIds),
        ...network.endpointIds.map((content) => ({ DeleteVpcEndpointsRequest: { VpcEndpointId: { content: [content] } } })),
        ...amongEc2('CreateVpcEndpointRequest', 'VpcId', [network.vpc.vpcId]),
      ],
      Network: [
        ...among('vpcId', [network.vpc.vpcId]),
        ...among('routeTableId', network.routeTableIds),
        ...among('subnetId', network.subnetIds),
        ...among('associationId', network.associationIds),
        ...among('groupId', [network.workers.securityGroupId]),
        ...among('GroupId', [network.workers.securityGroupId]).map((nested) => ({ ModifySecurityGroupRulesRequest: nested })),
      ],
      Trail: null,
      Rule: [...among('name', named), ...among('rule', named)],
      Topic: [...among('topicArn', [topic.topicArn]), ...among('subscriptionArn', anyOf([`${topic.topicArn}:*`]))],
      Alarm: [...among('alarmName', named), ...among('alarmNames', named)],
    };
    for (const [name, { calls, isRead = false, service }] of Object.entries<WatchedChange>(WATCHED_CHANGES)) {
      const alternatives = parameters[name as keyof typeof parameters];
      // Of what this environment has not.
      if (alternatives?.length === 0) continue;
      const usual = unlessBy[name as keyof typeof parameters];
      const others = [{ 'anything-but': [usual] }, { exists: false }];
      const rule = new Rule(this, name, {
        description: isRead ? 'A role for people was taken' : `${name} was changed`,
        eventPattern: {
          source: [`aws.${service}`],
          detailType: ['AWS API Call via CloudTrail'],
          detail: {
            eventSource: [`${service}.amazonaws.com`],
            eventName: calls.map((prefix) => ({ prefix })),
            ...(usual !== undefined && { userIdentity: { sessionContext: { sessionIssuer: { arn: others } } } }),
            ...(alternatives?.length === 1
              ? { requestParameters: alternatives[0] }
              : alternatives && { $or: alternatives.map((requestParameters) => ({ requestParameters })) }),
          },
        },
        targets: [new SnsTopic(topic, { message: isRead ? TAKEN : TOLD })],
      });
      if (isRead) (rule.node.defaultChild as CfnRule).state = 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS';
    }
  }
}
