import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  BucketPolicy,
  type BucketProps,
  type CfnBucket,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { INTERMEDIATE_TAG, TABLE_TAG } from '../../shared/contracts/keys.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { refusal } from '../access/bucket-refusals.ts';
import type { Settings } from '../settings.ts';

/** Version of TLS that the buckets are reached over at least. */
const LEAST_TLS = 1.2;

/**
 * The bucket of an environment: `incoming/` for tables, `runs/` for everything a run makes. Encrypted with its key,
 * versioned, reached over TLS alone; each request is logged into a second bucket, which says who read what and when.
 * Both stay when the stack is deleted, and their policies with them.
 *
 * Intermediates lie in the middle of a run's keys, where no prefix of a lifecycle rule can name them: the store tags
 * them as {@link INTERMEDIATE_TAG}, and the rule goes by the tag. So it is with the table of a run.
 *
 * Where results are locked, their writers lock each as they put it: a lock of the bucket by default would hold the table
 * and the intermediates as well.
 */
export class RunBucket extends Construct {
  readonly bucket: IBucket;
  readonly accessLog: IBucket;

  constructor(scope: Construct, id: string, props: { readonly key: IKey; readonly settings: Settings }) {
    super(scope, id);
    const { key, settings } = props;
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: LEAST_TLS,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
    };
    const unfinished = { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) };
    // The interface says of absent properties what the class does not.
    const accessLog = new Bucket(this, 'AccessLog', {
      ...common,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [
        {
          id: 'access-log',
          expiration: Duration.days(settings.logDays),
          noncurrentVersionExpiration: Duration.days(settings.noncurrentDays),
        },
        unfinished,
      ],
    }) as IBucket;
    const noReplica =
      'A second copy of confidential microdata is a second place to lose it. Versions guard against overwriting; a run can be repeated from its table.';
    acknowledge(accessLog, {
      'NIST.800.53.R5-S3BucketLoggingEnabled': 'This is the log: logging its own writes would never end.',
      'AwsSolutions-S1': 'This is the log: logging its own writes would never end.',
      'NIST.800.53.R5-S3DefaultEncryptionKMS':
        'S3 delivers access logs only to buckets encrypted with its own keys. They hold keys and sizes of objects and names of roles, no data.',
      'NIST.800.53.R5-S3BucketReplicationEnabled': noReplica,
    });

    const { bucketName } = settings;
    const own = bucketName === undefined ? this.#newBucket(common, props, unfinished, accessLog, noReplica) : null;
    this.bucket = bucketName === undefined ? (own as IBucket) : this.#existingBucket(bucketName, key, accessLog as Bucket);
    // Without them the buckets would be open to whoever in the account may read buckets, once the stack is deleted.
    for (const kept of [own, accessLog as Bucket]) kept?.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.accessLog = accessLog;
  }

  #newBucket(
    common: BucketProps,
    { key, settings }: { readonly key: IKey; readonly settings: Settings },
    unfinished: LifecycleRule,
    accessLog: IBucket,
    noReplica: string,
  ): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      ...common,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      serverAccessLogsBucket: accessLog,
      // It is set when a bucket is made: to write what another version left out, or to leave out what it wrote, would make another bucket.
      ...(settings.objectLock === 'none' && !settings.objectLockWritten ? {} : { objectLockEnabled: settings.objectLock !== 'none' }),
      lifecycleRules: [
        {
          id: 'intermediates',
          tagFilters: { [INTERMEDIATE_TAG.key]: INTERMEDIATE_TAG.value },
          expiration: Duration.days(settings.intermediateDays),
        },
        { id: 'tables', tagFilters: { [TABLE_TAG.key]: TABLE_TAG.value }, expiration: Duration.days(settings.tableDays) },
        ...(settings.resultDays === undefined ? [] : [{ id: 'runs', prefix: 'runs/', expiration: Duration.days(settings.resultDays) }]),
        { id: 'uploads', prefix: 'incoming/', expiration: Duration.days(settings.intermediateDays) },
        { id: 'old-versions', noncurrentVersionExpiration: Duration.days(settings.noncurrentDays), expiredObjectDeleteMarker: true },
        unfinished,
      ],
    });
    // On the L2 construct this switch would bring a custom resource with a function of its own.
    const raw = bucket.node.defaultChild as CfnBucket;
    raw.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    acknowledge(bucket, { 'NIST.800.53.R5-S3BucketReplicationEnabled': noReplica });
    return bucket;
  }

  /**
   * A bucket that was there: its policy is set here, since nothing else says who reads what. Encryption, versions, lifecycle,
   * events and the log of requests are its owner's to set, and `cloud doctor` looks at them.
   */
  #existingBucket(bucketName: string, key: IKey, accessLog: Bucket): IBucket {
    const named = Bucket.fromBucketName(this, 'Named', bucketName);
    const policy = new BucketPolicy(this, 'Policy', { bucket: named });
    policy.applyRemovalPolicy(RemovalPolicy.RETAIN);
    policy.document.addStatements(
      refusal('OnlyTls', {
        actions: ['s3:*'],
        resources: [named.bucketArn, named.arnForObjects('*')],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      refusal('OnlyTls12', {
        actions: ['s3:*'],
        resources: [named.bucketArn, named.arnForObjects('*')],
        conditions: { NumericLessThan: { 's3:TlsVersion': LEAST_TLS } },
      }),
    );
    accessLog.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Log',
        principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [accessLog.arnForObjects('*')],
        conditions: { ArnLike: { 'aws:SourceArn': named.bucketArn }, StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return Object.assign(named, {
      encryptionKey: key,
      policy,
      addToResourcePolicy(statement: PolicyStatement) {
        policy.document.addStatements(statement);
        return { statementAdded: true, policyDependable: policy };
      },
    });
  }
}
