import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';

/**
 * What of the event starts an execution, whose input everybody sees who watches runs: which object it is, in which version,
 * so that a table is evaluated although another takes its place meanwhile. The whole event
 * has the size of the table as well, which tells how long the values of a record are that alone is unknown. The emulator
 * names an execution by the `id`.
 */
const UPLOADED = RuleTargetInput.fromObject({
  id: EventField.eventId,
  source: EventField.source,
  detail: {
    bucket: { name: EventField.fromPath('$.detail.bucket.name') },
    object: {
      key: EventField.fromPath('$.detail.object.key'),
      'version-id': EventField.fromPath('$.detail.object.version-id'),
      sequencer: EventField.fromPath('$.detail.object.sequencer'),
    },
  },
});

/**
 * Starts the workflow when a table arrives as `incoming/<name>/table.csv` or `table.parquet`, and tells it which. One pattern holds both ends of the key: as two they would be alternatives, and what a run writes would start
 * another. An event that cannot be delivered for an hour goes to the queue of undelivered events.
 */
export class UploadRule extends Construct {
  readonly undelivered: Queue;

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly bucket: IBucket;
      /** What is started: the workflow, by its alias where it has one. */
      readonly workflow: IStateMachine;
      /** The workflow itself: rights on an alias are rights on that. */
      readonly authorized: IStateMachine;
      readonly key: IKey;
    },
  ) {
    super(scope, id);
    const { authorized, bucket, key, workflow } = props;
    this.undelivered = new Queue(this, 'Undelivered', {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.undelivered, { 'AwsSolutions-SQS3': 'This is the dead-letter queue.' });
    const role = scopedRole(this, 'Start', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      description: 'Starts the workflow when a table arrives',
      statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [authorized.stateMachineArn] })],
    });
    new Rule(this, 'Rule', {
      description: 'A table arrived',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: [{ wildcard: 'incoming/*/table.csv' }, { wildcard: 'incoming/*/table.parquet' }] },
        },
      },
      targets: [
        new SfnStateMachine(workflow, {
          role,
          input: UPLOADED,
          deadLetterQueue: this.undelivered,
          maxEventAge: Duration.hours(1),
          retryAttempts: 24,
        }),
      ],
    });
  }
}
