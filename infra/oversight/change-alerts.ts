import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/** What is watched for changes. */
export interface ChangeAlertsProps {
  readonly topic: ITopic;
  readonly buckets: readonly IBucket[];
  readonly keys: readonly IKey[];
  readonly workflow: IStateMachine;
}

/** Who did what, and when: no parameter of the call, which may hold anything. */
const TOLD = RuleTargetInput.fromText(
  `synthrisk: ${EventField.fromPath('$.detail.eventName')} by ${EventField.fromPath('$.detail.userIdentity.arn')} at ${EventField.time} in ${EventField.account} ${EventField.region}. A deployment does this; if there was none, see the runbook.`,
);

/**
 * Tells on the topic when what holds access together was changed: bucket policies, key policies, code of functions, the
 * workflow and its alias, trust and rights of roles. EventBridge hears of it from a trail of management events, which an account has to
 * have; of roles it hears in the region of IAM alone (us-east-1, us-gov-west-1).
 */
export class ChangeAlerts extends Construct {
  constructor(scope: Construct, id: string, props: ChangeAlertsProps) {
    super(scope, id);
    const { buckets, keys, topic, workflow } = props;
    const { stackName } = Stack.of(this);
    const anyOf = (patterns: readonly string[]) => patterns.map((wildcard) => ({ wildcard }));
    const tell = (name: string, service: string, calls: readonly string[], requestParameters: object) =>
      new Rule(this, name, {
        description: `${name} was changed`,
        eventPattern: {
          source: [`aws.${service}`],
          detailType: ['AWS API Call via CloudTrail'],
          detail: {
            eventSource: [`${service}.amazonaws.com`],
            // Some services put the version of their interface behind the name.
            eventName: calls.map((prefix) => ({ prefix })),
            requestParameters,
          },
        },
        targets: [new SnsTopic(topic, { message: TOLD })],
      });
    tell(
      'Bucket',
      's3',
      [
        'PutBucketPolicy',
        'DeleteBucket',
        'PutBucketPublicAccessBlock',
        'PutBucketEncryption',
        'PutBucketVersioning',
        'PutBucketLogging',
        'PutBucketLifecycle',
        'PutBucketReplication',
      ],
      { bucketName: buckets.map(({ bucketName }) => bucketName) },
    );
    tell('Key', 'kms', ['PutKeyPolicy', 'ScheduleKeyDeletion', 'DisableKey'], { keyId: anyOf(keys.map(({ keyId }) => `*${keyId}`)) });
    tell('Function', 'lambda', ['UpdateFunctionCode', 'UpdateFunctionConfiguration', 'AddPermission', 'UpdateAlias'], {
      functionName: anyOf([`${stackName}-*`, `*:function:${stackName}-*`]),
    });
    tell('Workflow', 'states', ['UpdateStateMachine', 'DeleteStateMachine'], { stateMachineArn: [workflow.stateMachineArn] });
    // Which version an upload starts.
    tell('Alias', 'states', ['UpdateStateMachineAlias', 'DeleteStateMachineAlias'], {
      stateMachineAliasArn: anyOf([`${workflow.stateMachineArn}:*`]),
    });
    tell(
      'Role',
      'iam',
      [
        'UpdateAssumeRolePolicy',
        'AttachRolePolicy',
        'DetachRolePolicy',
        'PutRolePolicy',
        'PutRolePermissionsBoundary',
        'DeleteRolePermissionsBoundary',
      ],
      { roleName: anyOf([`${stackName}-*`]) },
    );
  }
}
