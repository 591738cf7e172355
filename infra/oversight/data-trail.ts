import { ReadWriteType, Trail } from 'aws-cdk-lib/aws-cloudtrail';
import { Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../access/acknowledge.ts';
import { refusal } from '../access/bucket-refusals.ts';
import type { Settings } from '../settings.ts';

/**
 * A trail of CloudTrail: each request to an object of the runs, with who made it; with `all` management events as well,
 * for accounts that have no trail, without which no alert on changes is raised. What it writes tells sizes of objects: one
 * role reads it.
 */
export class DataTrail extends Construct {
  /** Where it is written. */
  readonly log: IBucket;

  constructor(scope: Construct, id: string, props: { readonly bucket: IBucket; readonly reader: IRole; readonly settings: Settings }) {
    super(scope, id);
    const { bucket, reader, settings } = props;
    const log = new Bucket(this, 'Log', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { id: 'trail', expiration: Duration.days(settings.logDays), noncurrentVersionExpiration: Duration.days(settings.noncurrentDays) },
      ],
    });
    const objects = log.arnForObjects('*');
    log.addToResourcePolicy(refusal('OnlyTheReader', { actions: ['s3:GetObject*'], resources: [objects] }, { allBut: [reader] }));
    log.addToResourcePolicy(
      new PolicyStatement({ sid: 'Read', effect: Effect.ALLOW, principals: [reader], actions: ['s3:GetObject'], resources: [objects] }),
    );
    log.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.log = log as IBucket;
    const noReplica = 'A log of a log: its writes are in the trail of the account.';
    acknowledge(log, {
      'NIST.800.53.R5-S3BucketLoggingEnabled': noReplica,
      'AwsSolutions-S1': noReplica,
      'NIST.800.53.R5-S3DefaultEncryptionKMS':
        'It holds keys and sizes of objects and names of roles, no data, and its policy refuses all readers but one role.',
      'NIST.800.53.R5-S3BucketReplicationEnabled': 'A second copy of what shows sizes of objects is a second place to lose it.',
    });
    const trail = new Trail(this, 'Trail', {
      bucket: log as IBucket,
      enableFileValidation: true,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: settings.trail === 'all',
      // Reads as well: who takes a role is one.
      managementEvents: settings.trail === 'all' ? ReadWriteType.ALL : ReadWriteType.NONE,
    });
    trail.addS3EventSelector([{ bucket }]);
    acknowledge(trail, {
      'NIST.800.53.R5-CloudTrailCloudWatchLogsEnabled':
        'EventBridge hears of changes without it; sizes of objects would be read by whoever reads logs.',
      'NIST.800.53.R5-CloudTrailEncryptionEnabled': 'Its bucket is encrypted by S3, and its policy refuses all readers but one role.',
    });
  }
}
