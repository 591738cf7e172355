import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/**
 * Two keys, each rotated every year and kept when the stack is deleted: one for the bucket alone, so that the right to
 * read microdata is the right to use it, which the key gives by way of S3 alone, and one for what surrounds a run (logs, notifications, the dead-letter queue). Keys that the settings name are taken as they are: their
 * policies are the agency's to set (docs/how-to/runbook.md).
 */
export class EncryptionKeys extends Construct {
  readonly data: IKey;
  readonly operations: IKey;

  constructor(scope: Construct, id: string, settings: Pick<Settings, 'dataKeyArn' | 'operationsKeyArn'>) {
    super(scope, id);
    const { dataKeyArn, operationsKeyArn } = settings;
    this.data = dataKeyArn === undefined ? this.#dataKey() : Key.fromKeyArn(this, 'Data', dataKeyArn);
    this.operations = operationsKeyArn === undefined ? this.#operationsKey() : Key.fromKeyArn(this, 'Operations', operationsKeyArn);
  }

  #dataKey(): Key {
    const { stackName } = Stack.of(this);
    const key = new Key(this, 'Data', {
      description: `${stackName}: microdata and results`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // The key stays when the stack is deleted, and so does this: what it encrypted is read through the bucket, and so under
    // the bucket's policy, which stays as well.
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyThroughTheBucket',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [
          'kms:Encrypt',
          'kms:Decrypt',
          'kms:ReEncrypt*',
          'kms:GenerateDataKey*',
          'kms:CreateGrant',
          'kms:GenerateMac',
          'kms:Sign',
          'kms:DeriveSharedSecret',
        ],
        resources: ['*'],
        conditions: { StringNotEquals: { 'kms:ViaService': `s3.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
      }),
    );
    return key;
  }

  #operationsKey(): Key {
    const { stackName } = Stack.of(this);
    const key = new Key(this, 'Operations', {
      description: `${stackName}: logs, notifications and undelivered events`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Logs',
        principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
        actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
        resources: ['*'],
        conditions: {
          ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*` },
        },
      }),
    );
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsAndEvents',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com'), new ServicePrincipal('events.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return key;
  }
}
