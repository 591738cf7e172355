import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/**
 * Two keys, each rotated every year and kept when the stack is deleted: one for the bucket alone, so that the right to
 * read microdata is the right to use it, which the key gives by way of S3 alone, and one for what surrounds a run (logs, notifications, the dead-letter queue).
 */
export class EncryptionKeys extends Construct {
  readonly data: Key;
  readonly operations: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    this.data = new Key(this, 'Data', {
      description: `${stackName}: microdata and results`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // The key stays when the stack is deleted, and so does this: what it encrypted is read through the bucket, and so under
    // the bucket's policy, which stays as well.
    this.data.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyThroughTheBucket',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [
          ...['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:CreateGrant'],
          ...['kms:GenerateMac', 'kms:Sign', 'kms:DeriveSharedSecret'],
        ],
        resources: ['*'],
        conditions: { StringNotEquals: { 'kms:ViaService': `s3.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
      }),
    );
    this.operations = new Key(this, 'Operations', {
      description: `${stackName}: logs, notifications and undelivered events`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.operations.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Logs',
        principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
        actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
        resources: ['*'],
        conditions: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*`,
          },
        },
      }),
    );
    this.operations.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsAndEvents',
        principals: [
          new ServicePrincipal('cloudwatch.amazonaws.com'),
          new ServicePrincipal('events.amazonaws.com'),
        ],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
  }
}
